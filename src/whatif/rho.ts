import { integer, randomState } from "../base/random.ts";
import { cell } from "../base/rows.ts";
import { percentile } from "../base/stats.ts";
import { matchPhases } from "../diagnose/compare/match.ts";
import { type Fitted, factorOf } from "./fitted.ts";
import { meanLuck } from "./luck.ts";

/** The part of bad luck that is the task's own, and comes back in each of its attempts. */
export interface Rho {
  /** flag: given; second-run, log: estimated; unknown: anything from 0 to 1. */
  readonly from: "flag" | "second-run" | "log" | "unknown";
  readonly low: number;
  readonly high: number;
  /** The best estimate. */
  readonly value?: number;
  /** Late tasks that ran twice, from which it is estimated. */
  readonly tasks?: number;
}

export const UNKNOWN_RHO: Rho = { from: "unknown", low: 0, high: 1 };

export const fixedRho = (value: number): Rho => ({ from: "flag", low: value, high: value, value });

/** A task that was late and ran again: its losses beyond those of an average attempt. */
interface Pair {
  readonly excessMs: number;
  readonly againMs: number;
}

/** An attempt is late beyond this many times what it should take. */
const LATE = 1.4;
/** A log determines rho only if at least this many of its tasks ran twice to the end. */
const TWICE_MIN = 5;

/**
 * From a second run of the job. A late task of either run counts: what it lost in the other.
 * undefined if no task of both runs was late.
 */
export function rhoOfRuns(a: Fitted, b: Fitted): Rho | undefined {
  const pairs = matched(a, b).flatMap(([i, j]) => [
    ...pairOf(a, i, { fitted: b, row: j }),
    ...pairOf(b, j, { fitted: a, row: i }),
  ]);
  return estimated("second-run", pairs);
}

/** From tasks of the log that ran to their end more than once; undefined if these are too few. */
export function rhoOfLog(fitted: Fitted): Rho | undefined {
  const { plan, signals } = fitted;
  const first = new Map<number, number>();
  const twice: [number, number][] = [];
  for (let i = 0; i < plan.count; i++) {
    const task = cell(plan.task[i]);
    if (signals.isWhole[i] !== 1) continue;
    const earlier = first.get(task);
    if (earlier === undefined) first.set(task, i);
    else twice.push([earlier, i]);
  }
  if (twice.length < TWICE_MIN) return undefined;
  const pairs = twice.flatMap(([i, j]) => pairOf(fitted, i, { fitted, row: j }));
  return estimated("log", pairs);
}

/** Empty if the attempt was not late, or if its expected time is unknown. */
function pairOf(
  of: Fitted,
  row: number,
  other: { readonly fitted: Fitted; readonly row: number },
): readonly Pair[] {
  const lost = excess(of, row);
  const again = excess(other.fitted, other.row);
  if (lost === undefined || again === undefined || !(lost.ratio > LATE)) return [];
  return [{ excessMs: lost.ms, againMs: again.ms }];
}

/** Without its node's part, and beyond what an attempt of its phase loses on average. */
function excess(
  of: Fitted,
  i: number,
): { readonly ratio: number; readonly ms: number } | undefined {
  const { luck, plan, expectation, signals } = of;
  const phase = cell(plan.phase[i]);
  const pool = luck.pools[phase];
  if (expectation.fits[phase] === undefined || pool === undefined) return undefined;
  const expectedMs = cell(luck.expectedMs[i]);
  const ratio = cell(signals.ownMs[i]) / (expectedMs * factorOf(of, i));
  return { ratio, ms: expectedMs * (ratio - meanLuck(pool)) };
}

/** Invented pairs, one that came back whole and one that did not: few tasks tell little. */
const INVENTED = [0, 1];
const DRAWS = 200;

function estimated(from: "second-run" | "log", pairs: readonly Pair[]): Rho | undefined {
  const lost = pairs.reduce((sum, { excessMs }) => sum + excessMs, 0);
  if (!(lost > 0)) return undefined;
  const value = shareOf(pairs);
  const meanMs = lost / pairs.length;
  const padded = [...pairs, ...INVENTED.map((of) => ({ excessMs: meanMs, againMs: of * meanMs }))];
  const random = randomState(1, "rho");
  const drawn = Float64Array.from({ length: DRAWS }, () =>
    shareOf(padded.flatMap(() => padded[integer(random, padded.length)] ?? [])),
  ).sort();
  return {
    from,
    low: Math.min(value, percentile(drawn, 5)),
    high: Math.max(value, percentile(drawn, 95)),
    value,
    tasks: pairs.length,
  };
}

function shareOf(pairs: readonly Pair[]): number {
  const lost = pairs.reduce((sum, { excessMs }) => sum + excessMs, 0);
  const again = pairs.reduce((sum, { againMs }) => sum + againMs, 0);
  return Math.min(1, Math.max(0, again / lost));
}

/** The winners of the tasks that both runs have. */
function matched(a: Fitted, b: Fitted): readonly (readonly [number, number])[] {
  const [inA, inB] = [winners(a), winners(b)];
  return matchPhases(a.plan.job, b.plan.job).flatMap((other, phase) => {
    if (other < 0) return [];
    const { tasks } = cell(a.plan.job.phases[phase]);
    return Array.from({ length: tasks }, (_, index) => index).flatMap((index) => {
      const i = inA.get(cell(a.plan.firstTask[phase]) + index);
      const j = inB.get(cell(b.plan.firstTask[other]) + index);
      return i === undefined || j === undefined ? [] : [[i, j] as const];
    });
  });
}

/** By task: the first attempt that ran to its end. */
function winners({ plan, signals }: Fitted): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (let i = 0; i < plan.count; i++) {
    const task = cell(plan.task[i]);
    if (signals.isWhole[i] === 1 && !found.has(task)) found.set(task, i);
  }
  return found;
}
