import { counted, seconds } from "../../report/quantity.ts";
import { LiveArea } from "../display/live-area.ts";
import { line, type Sink } from "../shell.ts";
import type { StudyProgress } from "./session.ts";

export interface ProgressDisplay {
  show(progress: StudyProgress): void;
  end(): void;
}

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
/** Without a terminal, a line appears after every tenth of the work. */
const PLAIN_PARTS = 10;

/** A bar drawn in place on a terminal; occasional lines elsewhere. */
export function progressDisplay(sink: Sink, now: () => number): ProgressDisplay {
  const begun = now();
  return sink.isLive ? new LiveProgress(sink, now, begun) : new PlainProgress(sink, now, begun);
}

class LiveProgress implements ProgressDisplay {
  readonly #area: LiveArea;
  readonly #now: () => number;
  readonly #begun: number;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(sink: Sink, now: () => number, begun: number) {
    this.#area = new LiveArea(sink);
    this.#now = now;
    this.#begun = begun;
  }

  show(progress: StudyProgress): void {
    const now = this.#now();
    if (now - this.#drawnAt < REDRAW_MS && progress.unitsDone < progress.unitsAll) return;
    this.#drawnAt = now;
    const full = Math.round(BAR_WIDTH * shareDone(progress));
    const bar = "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
    this.#area.draw([`${bar} ${progressLine(progress, now - this.#begun)}`]);
  }

  end(): void {
    this.#area.keep([]);
    this.#area.end();
  }
}

class PlainProgress implements ProgressDisplay {
  readonly #sink: Sink;
  readonly #now: () => number;
  readonly #begun: number;
  #told = -1;

  constructor(sink: Sink, now: () => number, begun: number) {
    this.#sink = sink;
    this.#now = now;
    this.#begun = begun;
  }

  show(progress: StudyProgress): void {
    const part = Math.floor(PLAIN_PARTS * shareDone(progress));
    if (part === this.#told) return;
    this.#told = part;
    line(this.#sink, progressLine(progress, this.#now() - this.#begun));
  }

  end(): void {}
}

const shareDone = ({ costBefore, costDone, costAll }: StudyProgress): number =>
  costAll === 0 ? 1 : (costBefore + costDone) / costAll;

/** The remaining time is estimated from this session's pace. */
function progressLine(progress: StudyProgress, goneMs: number): string {
  const { costBefore, costDone, costAll, unitsDone, unitsAll, latest } = progress;
  const percent = `${Math.floor(100 * shareDone(progress))} %`;
  const left = ((costAll - costBefore - costDone) / costDone) * goneMs;
  const parts = [
    percent,
    `${unitsDone} of ${counted(unitsAll, "unit")}`,
    `${seconds(goneMs)} gone`,
    ...(costDone > 0 && left > 0 ? [`about ${seconds(left)} left`] : []),
    ...(latest === undefined ? [] : [latest]),
  ];
  return parts.join(", ");
}
