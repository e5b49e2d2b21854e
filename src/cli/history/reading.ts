import { statSync } from "node:fs";
import { printable } from "../../base/printable.ts";
import type { NamedHistory } from "../../library/history-paths.ts";
import type { Opened } from "../../library/job-of-history.ts";
import type { Registry } from "../../policy/registry.ts";
import { bytes, seconds } from "../../report/quantity.ts";
import { filesOfHistory } from "../../trace/open/history-bytes.ts";
import { type OpenOptions, openTrace } from "../../trace/open/open-trace.ts";
import { isUrl } from "../../trace/open/server/address.ts";
import { LiveArea } from "../display/live-area.ts";
import { line, type Shell } from "../shell.ts";

interface Means {
  readonly registry: Registry;
  readonly shell: Shell;
}

/** Work on histories, during which a line on a terminal shows how far it has come. */
export async function withHistories<T>(
  histories: readonly NamedHistory[],
  means: Means,
  work: (reading: Reading) => Promise<T>,
): Promise<T> {
  const reading = new Reading(histories, means);
  try {
    return await work(reading);
  } finally {
    reading.clear();
  }
}

const EVERY_MS = 200;
const EVERY_RUNS = 10;

/** Opens the histories; these are also the options for other ways to open them. */
export class Reading implements OpenOptions {
  readonly registry: Registry;
  readonly #shell: Shell;
  readonly #area: LiveArea;
  readonly #total: number;
  readonly #startedAt = performance.now();
  #read = 0;
  #drawnAt = 0;
  #isDrawn = false;

  constructor(histories: readonly NamedHistory[], { registry, shell }: Means) {
    this.registry = registry;
    this.#shell = shell;
    this.#area = new LiveArea(shell.err);
    this.#total = histories.reduce((sum, { path }) => sum + sizeOf(path), 0);
  }

  async open({ path, name }: NamedHistory): Promise<Opened> {
    return { trace: await openTrace(path, this), place: name };
  }

  readonly onStored = (storedBytes: number): void => {
    this.#read += storedBytes;
    const now = performance.now();
    if (now - this.#drawnAt < EVERY_MS || now - this.#startedAt < EVERY_MS) return;
    this.#drawnAt = now;
    const rate = this.#read / (now - this.#startedAt);
    const left = Math.max(0, this.#total - this.#read) / rate;
    const of = this.#total > 0 ? ` of ${bytes(this.#total)}` : "";
    const time = this.#total > 0 ? `, ${seconds(left)} left` : "";
    this.show(`read ${bytes(this.#read)}${of}, ${bytes(rate * 1_000)}/s${time}`);
  };

  /** For the simulations of a job; `of` stands before the line. */
  onRun(of = ""): (done: number, all: number) => void {
    return (done, all) => {
      if (done % EVERY_RUNS === 0) this.show(`${of}simulated ${done} of about ${all} runs`);
    };
  }

  /** Replaces the line, which only a terminal has. */
  show(text: string): void {
    if (!this.#shell.err.isLive) return;
    this.#area.draw([printable(text)]);
    this.#isDrawn = true;
  }

  /** Writes a line that stays. */
  say(text: string): void {
    this.clear();
    line(this.#shell.err, text);
  }

  clear(): void {
    if (this.#isDrawn) this.#area.clear();
    this.#isDrawn = false;
  }
}

/** The stored bytes of a history; 0 if they are unknown. */
function sizeOf(path: string): number {
  if (path === "-" || isUrl(path)) return 0;
  try {
    return filesOfHistory(path).files.reduce((sum, file) => sum + statSync(file).size, 0);
  } catch {
    // Opening the history says what is wrong with it.
    return 0;
  }
}
