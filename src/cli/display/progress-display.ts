import { counted, seconds } from "../../report/quantity.ts";
import { line, type Sink } from "../shell.ts";
import { LiveArea } from "./live-area.ts";

/** How far the work is: runs of a study, or units of several experiments. */
export interface Progress {
  /** The expected work of units: done earlier, done now, and all. */
  readonly costBefore: number;
  readonly costDone: number;
  readonly costAll: number;
  readonly unitsDone: number;
  readonly unitsAll: number;
  /** What the latest news is about; undefined at the beginning. */
  readonly latest?: string;
}

export interface ProgressDisplay {
  show(progress: Progress): void;
  end(): void;
}

export interface ProgressOptions {
  readonly now: () => number;
  /** What a unit of the work is called. */
  readonly unit: string;
  /** Without a terminal, work that takes less than this shows nothing. */
  readonly quietMs?: number;
}

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
/** Without a terminal, a line appears after every tenth of the work. */
const PLAIN_PARTS = 10;

/** A bar drawn in place on a terminal; occasional lines elsewhere. */
export const progressDisplay = (sink: Sink, options: ProgressOptions): ProgressDisplay =>
  sink.isLive ? new LiveProgress(sink, options) : new PlainProgress(sink, options);

class LiveProgress implements ProgressDisplay {
  readonly #area: LiveArea;
  readonly #options: ProgressOptions;
  readonly #begun: number;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(sink: Sink, options: ProgressOptions) {
    this.#area = new LiveArea(sink);
    this.#options = options;
    this.#begun = options.now();
  }

  show(progress: Progress): void {
    const now = this.#options.now();
    if (now - this.#drawnAt < REDRAW_MS && progress.unitsDone < progress.unitsAll) return;
    this.#drawnAt = now;
    const full = Math.round(BAR_WIDTH * shareDone(progress));
    const bar = "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
    const text = progressLine(progress, this.#options.unit, now - this.#begun);
    this.#area.draw([`${bar} ${text}`]);
  }

  end(): void {
    this.#area.keep([]);
    this.#area.end();
  }
}

class PlainProgress implements ProgressDisplay {
  readonly #sink: Sink;
  readonly #options: ProgressOptions;
  readonly #begun: number;
  #told = -1;

  constructor(sink: Sink, options: ProgressOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#begun = options.now();
  }

  show(progress: Progress): void {
    const { now, unit, quietMs = 0 } = this.#options;
    const goneMs = now() - this.#begun;
    const part = Math.floor(PLAIN_PARTS * shareDone(progress));
    if (part === this.#told || goneMs < quietMs) return;
    this.#told = part;
    line(this.#sink, progressLine(progress, unit, goneMs));
  }

  end(): void {}
}

const shareDone = ({ costBefore, costDone, costAll }: Progress): number =>
  costAll === 0 ? 1 : (costBefore + costDone) / costAll;

/** The remaining time is estimated from this session's pace. */
function progressLine(progress: Progress, unit: string, goneMs: number): string {
  const { costBefore, costDone, costAll, unitsDone, unitsAll, latest } = progress;
  const percent = `${Math.floor(100 * shareDone(progress))} %`;
  const left = ((costAll - costBefore - costDone) / costDone) * goneMs;
  const parts = [
    percent,
    `${unitsDone} of ${counted(unitsAll, unit)}`,
    `${seconds(goneMs)} gone`,
    ...(costDone > 0 && left > 0 ? [`about ${seconds(left)} left`] : []),
    ...(latest === undefined ? [] : [latest]),
  ];
  return parts.join(", ");
}
