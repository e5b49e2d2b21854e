import { cell } from "../base/rows.ts";
import type { Expectation } from "../diagnose/expect/expect.ts";
import { medianOf } from "../diagnose/expect/robust.ts";
import type { Signals } from "../diagnose/expect/signals.ts";
import { TAIL_FROM } from "../diagnose/expect/tail.ts";
import { attemptsOf, type Plan } from "../diagnose/schedule/planned.ts";
import type { Measure } from "../history/columns.ts";

/** What a task reads and writes goes with the task: each of its attempts reads and writes it. */
const SIZES: readonly (readonly Measure[])[] = [
  ["inputBytes", "shuffleBytes"],
  ["inputRecords", "shuffleRecords"],
  ["outputBytes"],
];

/** A task of more than this many times the median size is large, and smaller ones are its like. */
const LARGE = 1.5;
/** The most tasks of like size that are asked. */
const LIKE_MAX = 64;

/** A task that was done: what it read or wrote, and how long that took on a usual node. */
interface Sized {
  readonly task: number;
  readonly size: number;
  readonly ms: number;
}

/**
 * By task: the time that what it reads and writes asks for on a node of usual speed, where that is
 * much more than its peers' and too few tasks are of its size to tell; else 0. As far as its time
 * is in proportion to its size, and no task of such a size was quicker, the size is the reason, and
 * not luck: every attempt of the task takes as long.
 */
export function duesOf(plan: Plan, signals: Signals, expectation: Expectation): Float64Array {
  const due = new Float64Array(plan.tasks);
  const whole = plan.job.phases.map((): number[] => []);
  for (let i = 0; i < plan.count; i++) {
    if (signals.isWhole[i] === 1) whole[cell(plan.phase[i])]?.push(i);
  }
  for (const [phase, attempts] of whole.entries()) {
    if (expectation.fits[phase] === undefined) continue;
    for (const measures of SIZES) {
      const tasks = attempts.flatMap((i): readonly Sized[] => {
        const size = sizeOf(plan, i, measures);
        const factor = cell(expectation.slowed[i]);
        const ms = cell(signals.ownMs[i]) / factor;
        return size > 0 ? [{ task: cell(plan.task[i]), size, ms }] : [];
      });
      raise(due, tasks);
    }
  }
  return due;
}

/** NaN if the log has none of the measures. */
function sizeOf(plan: Plan, i: number, measures: readonly Measure[]): number {
  const attempts = attemptsOf(plan, i);
  const known = measures
    .map((measure) => cell(attempts[measure][cell(plan.row[i])]))
    .filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0);
}

function raise(due: Float64Array, tasks: readonly Sized[]): void {
  if (tasks.length === 0) return;
  const rising = tasks.toSorted((a, b) => Math.sign(a.size - b.size));
  const medianSize = medianOf(rising.map(({ size }) => size));
  const medianMs = medianOf(rising.map(({ ms }) => ms));
  let larger = Number.POSITIVE_INFINITY;
  for (let n = rising.length - 1; n >= 0; n--) {
    const { size, ms, task } = cell(rising[n]);
    if (!(size > LARGE * medianSize)) return;
    larger = Math.min(larger, ms);
    let least = Math.min(larger, (medianMs * size) / medianSize);
    for (let like = n - 1; like >= Math.max(0, n - LIKE_MAX); like--) {
      const other = cell(rising[like]);
      if (other.size * LARGE < size) break;
      least = Math.min(least, (other.ms * size) / other.size);
    }
    // A little more than in proportion is no sign of bad luck.
    const asks = ms <= TAIL_FROM * least ? ms : least;
    due[task] = Math.max(cell(due[task]), asks);
  }
}
