import { seconds } from "../../../src/report/quantity.ts";
import type { Done } from "./crew.ts";

/** The least time between two lines: on a terminal, and once a minute in a file. */
const REDRAW_MS = 250;
const TELL_MS = 60_000;

/** One line on standard error: drawn in place on a terminal, a new one each minute elsewhere. */
export class Progress {
  readonly #count: number;
  readonly #begun = performance.now();
  #toldAt = performance.now();

  constructor(count: number) {
    this.#count = count;
  }

  show(done: Done): void {
    const now = performance.now();
    const isLive = process.stderr.isTTY;
    if (now - this.#toldAt < (isLive ? REDRAW_MS : TELL_MS)) return;
    this.#toldAt = now;
    const left = ((this.#count - done.worlds) / done.worlds) * (now - this.#begun);
    const text = `${this.text(done)}, about ${seconds(left)} left, next ${done.next}`;
    process.stderr.write(isLive ? `\r\u001b[2K${text}` : `${text}\n`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
  }

  text({ worlds, steps }: Done): string {
    const goneMs = performance.now() - this.#begun;
    const rate = ((1000 * worlds) / goneMs).toFixed(1);
    const all = `${worlds.toLocaleString("en")} of ${this.#count.toLocaleString("en")} worlds`;
    return `${all}, ${steps.toLocaleString("en")} steps in ${seconds(goneMs)}: ${rate} worlds/s`;
  }
}
