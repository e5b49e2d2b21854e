import { grouped } from "../../base/grouped.ts";
import { cell } from "../../base/rows.ts";
import type { Limits } from "../limits.ts";
import type { Plan } from "../schedule/planned.ts";
import { fitRelative } from "./robust.ts";
import { orZero, type Signals } from "./signals.ts";

/** Measured garbage collection is scaled if it cost less than this much time per measured time. */
const CONCURRENT_BELOW = 0.5;

/** The cost of garbage collection in each phase where it is below the measured time. */
export interface GarbageCost {
  readonly phase: number;
  /** Seconds of an attempt per measured second. */
  readonly share: number;
}

/**
 * Concurrent collectors count time that stops no attempt: if a measured second of GC significantly
 * costs attempts less than a second, GC counts by what it costs.
 */
export function garbageCosts(plan: Plan, signals: Signals, limits: Limits): readonly GarbageCost[] {
  const byPhase = rowsByPhase(plan, signals);
  return plan.job.phases.flatMap((_, phase): GarbageCost[] => {
    const rows = byPhase.get(phase) ?? [];
    if (rows.length < limits.fitMin) return [];
    const column = (of: (i: number) => number): Float64Array => Float64Array.from(rows, of);
    const gc = column((i) => signals.gcMs[i]!);
    const bytes = column((i) => signals.bytes[i]!);
    const terms = [gc, ...(bytes.every((value) => value >= 0) ? [bytes] : [])].flatMap(inMeans);
    if (inMeans(gc).length === 0) return [];
    const y = column((i) => signals.ownMs[i]! - orZero(signals.fetchMs[i]!));
    const line = fitRelative(terms, y);
    const [, coefficient = 1] = line?.coefficients ?? [];
    const [, t = 0] = line?.t ?? [];
    const meanGc = gc.reduce((sum, value) => sum + value, 0) / gc.length;
    const share = coefficient / meanGc;
    const error = Math.abs(share / t);
    const isLess = share < CONCURRENT_BELOW && (1 - share) / error > limits.tMin;
    return isLess ? [{ phase, share: Math.max(share, 0) }] : [];
  });
}

/** The signals with the garbage collection that cost time. */
export function withGarbageCosts(
  plan: Plan,
  signals: Signals,
  costs: readonly GarbageCost[],
): Signals {
  if (costs.length === 0) return signals;
  const shares = new Map(costs.map(({ phase, share }) => [phase, share]));
  return { ...signals, gcMs: signals.gcMs.map((ms, i) => ms * (shares.get(plan.phase[i]!) ?? 1)) };
}

/** The attempts of each phase whose garbage collection is known. */
function rowsByPhase(
  { count, phase }: Plan,
  { isWhole, gcMs }: Signals,
): ReadonlyMap<number, readonly number[]> {
  const rows: number[] = [];
  for (let i = 0; i < count; i++) if (isWhole[i] === 1 && cell(gcMs[i]) >= 0) rows.push(i);
  return grouped(rows, (i) => cell(phase[i]));
}

/** Columns that vary less tell nothing, and are left out. */
const SPREAD_MIN = 0.05;

function inMeans(column: Float64Array): readonly Float64Array[] {
  const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
  if (!(mean > 0)) return [];
  const scaled = column.map((value) => value / mean);
  const variance =
    scaled.reduce((sum, value) => sum + (value - 1) * (value - 1), 0) / scaled.length;
  return variance >= SPREAD_MIN * SPREAD_MIN ? [scaled] : [];
}
