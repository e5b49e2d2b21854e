import { counted, percentDone, seconds } from "../../report/quantity.ts";
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
export function progressDisplay(
  sink: Sink,
  { now, unit, quietMs = 0 }: ProgressOptions,
): ProgressDisplay {
  const begun = now();
  if (!sink.isLive) {
    let shown = -1;
    const show = (progress: Progress): void => {
      const goneMs = now() - begun;
      const part = Math.floor(PLAIN_PARTS * shareDone(progress));
      if (part === shown || goneMs < quietMs) return;
      shown = part;
      line(sink, progressLine(progress, unit, goneMs));
    };
    return { show, end: () => {} };
  }
  const area = new LiveArea(sink);
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    show(progress) {
      const at = now();
      if (at - drawnAt < REDRAW_MS && progress.unitsDone < progress.unitsAll) return;
      drawnAt = at;
      const full = Math.round(BAR_WIDTH * shareDone(progress));
      const bar = "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
      area.draw([`${bar} ${progressLine(progress, unit, at - begun)}`]);
    },
    end: () => area.clear(),
  };
}

const shareDone = ({ costBefore, costDone, costAll }: Progress): number =>
  costAll === 0 ? 1 : (costBefore + costDone) / costAll;

/** The remaining time is estimated from this session's pace. */
function progressLine(progress: Progress, unit: string, goneMs: number): string {
  const { costBefore, costDone, costAll, unitsDone, unitsAll, latest } = progress;
  const left = ((costAll - costBefore - costDone) / costDone) * goneMs;
  const parts = [
    percentDone(shareDone(progress)),
    `${unitsDone} of ${counted(unitsAll, unit)}`,
    `${seconds(goneMs)} gone`,
    ...(costDone > 0 && left > 0 ? [`about ${seconds(left)} left`] : []),
    ...(latest === undefined ? [] : [latest]),
  ];
  return parts.join(", ");
}
