import { cell } from "../../base/rows.ts";
import {
  CURVE_POINTS,
  endAt,
  localityAt,
  type Measure,
  readBytesAt,
} from "../../history/columns.ts";
import { attemptsOf, type Plan, ROLE } from "../schedule/planned.ts";
import { firstOnExecutor } from "./first-on-executor.ts";

/** What the log says about each attempt of a plan, as far as the expected time depends on it. */
export interface Signals {
  /** The attempt's own duration, without waiting for a barrier or for its result's way. */
  readonly ownMs: Float64Array;
  /** Succeeded, so that the whole duration is known. */
  readonly isWhole: Uint8Array;
  /** Killed because its twin had succeeded: it would have taken longer. */
  readonly isCut: Uint8Array;
  /** Bytes that the attempt's task read, from whichever attempt of it says so; NaN if unknown. */
  readonly bytes: Float64Array;
  readonly gcMs: Float64Array;
  readonly fetchMs: Float64Array;
  readonly deserializeMs: Float64Array;
  /** 1 if the attempt ran away from its data's node. */
  readonly isFar: Uint8Array;
  /** 1 if the attempt is among the first of its phase on its executor. */
  readonly isFirst: Uint8Array;
  readonly node: Int32Array;
  /** Of a killed attempt: the share of its work that was done; NaN if unknown. */
  readonly share: Float64Array;
  /** Of a killed attempt: bounds of the time before it made progress; NaN if unknown. */
  readonly startUpMin: Float64Array;
  readonly startUpMax: Float64Array;
}

/** `recordedMs`: the recorded timing's own durations. */
export function signalsOf(plan: Plan, recordedMs: Float64Array): Signals {
  const { count, resultMs } = plan;
  const ownMs = recordedMs.map((ms, i) => Math.max(0, ms - cell(resultMs[i])));
  const flags = (): Uint8Array => new Uint8Array(count);
  const values = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  const signals = {
    ownMs,
    isWhole: flags(),
    isCut: Uint8Array.from(plan.lostRace),
    bytes: values(),
    gcMs: values(),
    fetchMs: values(),
    deserializeMs: values(),
    isFar: flags(),
    isFirst: firstOnExecutor(plan),
    node: new Int32Array(count),
    share: values(),
    startUpMin: values(),
    startUpMax: values(),
  };
  const score = values();
  const taskBytes = new Float64Array(plan.tasks).fill(Number.NaN);
  for (let i = 0; i < count; i++) {
    const attempts = attemptsOf(plan, i);
    const row = cell(plan.row[i]);
    const read = (name: Measure): number => cell(attempts[name][row]);
    const isWhole = endAt(attempts, row) === "succeeded" && plan.lostRace[i] === 0;
    signals.isWhole[i] = isWhole && plan.role[i] === ROLE.finishes ? 1 : 0;
    signals.node[i] = cell(attempts.node[row]);
    const locality = localityAt(attempts, row);
    signals.isFar[i] = locality !== undefined && locality !== "node" ? 1 : 0;
    const bytes = readBytesAt(attempts, row);
    // The counters of killed attempts stop short.
    if (!isWhole) {
      signals.share[i] = bytes;
      score[i] = read("score");
      continue;
    }
    signals.gcMs[i] = read("gcMs");
    signals.fetchMs[i] = read("fetchWaitMs");
    signals.deserializeMs[i] = read("deserializeMs");
    if (!Number.isNaN(bytes)) taskBytes[cell(plan.task[i])] = bytes;
  }
  for (let i = 0; i < count; i++) {
    const bytes = cell(taskBytes[cell(plan.task[i])]);
    signals.bytes[i] = bytes;
    const byBytes = cell(signals.share[i]) / bytes;
    const known = cell(score[i]);
    const share = Number.isNaN(known) ? byBytes : known;
    if (signals.isCut[i] !== 1) {
      signals.share[i] = Number.NaN;
      continue;
    }
    signals.share[i] = share;
    const elapsed = cell(ownMs[i]);
    const startUp = startUpOf(plan, i, share, elapsed);
    signals.startUpMin[i] = startUp ?? 0;
    // A score is reported from the start; bytes say nothing about the time before the first one.
    const most = Number.isNaN(known) ? SILENT_MAX : SCORED_MAX;
    signals.startUpMax[i] = startUp ?? most * elapsed;
  }
  return signals;
}

/** Without a curve, at most this share of a killed attempt's time was start-up. */
const SILENT_MAX = 0.95;
const SCORED_MAX = 0.3;

/**
 * The first twelfth of the progress holds the start-up; the other twelfths that were reached show
 * how long a twelfth takes. Beyond its share, the curve of a killed attempt is filled up.
 */
function startUpOf(plan: Plan, i: number, share: number, elapsed: number): number | undefined {
  const { curves } = attemptsOf(plan, i);
  if (curves === undefined) return undefined;
  const first = cell(curves[cell(plan.row[i]) * CURVE_POINTS]);
  if (Number.isNaN(first) || !(share * CURVE_POINTS > 2)) return undefined;
  const twelfth = (elapsed - first) / (share * CURVE_POINTS - 1);
  return Math.max(0, Math.min(first - twelfth, elapsed));
}

/** 0 for what is unknown. */
export const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value);

/** What was measured, on a node of usual speed, above what is usual; 0 for what is unknown. */
export const aboveUsual = (measured: number, usual: number, factor: number): number =>
  orZero(Math.max(0, measured / factor - usual));
