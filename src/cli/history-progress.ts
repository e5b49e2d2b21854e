import { statSync } from "node:fs";
import { bytes, seconds } from "../report/quantity.ts";
import type { LiveArea } from "./display/live-area.ts";

const EVERY_MS = 200;

/** A line that shows how much of the histories has been read; only for a terminal. */
export class HistoryProgress {
  readonly #area: LiveArea | undefined;
  readonly #total: number;
  readonly #startedAt = performance.now();
  #read = 0;
  #drawnAt = 0;

  /** `area`: undefined if standard error is no terminal. */
  constructor(area: LiveArea | undefined, paths: readonly string[]) {
    this.#area = area;
    this.#total = paths.reduce((sum, path) => sum + sizeOf(path), 0);
  }

  add(storedBytes: number): void {
    this.#read += storedBytes;
    const now = performance.now();
    if (now - this.#drawnAt < EVERY_MS || now - this.#startedAt < EVERY_MS) return;
    this.#drawnAt = now;
    const rate = this.#read / (now - this.#startedAt);
    const left = Math.max(0, this.#total - this.#read) / rate;
    const of = this.#total > 0 ? ` of ${bytes(this.#total)}` : "";
    const time = this.#total > 0 ? `, ${seconds(left)} left` : "";
    this.#area?.draw([`read ${bytes(this.#read)}${of}, ${bytes(rate * 1_000)}/s${time}`]);
  }

  /** Removes the line. */
  end(): void {
    if (this.#drawnAt > 0) this.#area?.keep([]);
    this.#drawnAt = 0;
  }
}

const sizeOf = (path: string): number =>
  path === "-" ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
