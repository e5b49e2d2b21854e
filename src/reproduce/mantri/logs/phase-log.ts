import { nextFloat, type RandomState, randomState, split, uniform } from "../../../base/random.ts";
import { lognormal, outlierSize } from "./draws.ts";
import type { LogModel, PhaseModel, Roles, SizeModel } from "./model.ts";

export type Role = keyof Roles;

/** A phase of the generated logs, and what running it again requires. */
export interface PhaseLog {
  readonly name: string;
  readonly role: Role;
  readonly slots: number;
  /** The bytes of each task. */
  readonly bytes: Float64Array;
  /** The unhindered cost of the code: time per byte, and the fixed time of each task. */
  readonly msPerByte: number;
  readonly fixedMs: number;
  /** The time of a task with the usual data, unhindered. */
  readonly usualMs: number;
  readonly contended: Contended;
  readonly time: TimeLog;
  readonly hindrance: Hindrance;
  readonly crossRack: number;
  /** The random state from which the attempts' own are split. */
  readonly chance: RandomState;
}

/** Hindrances of an attempt by its machine, which another attempt elsewhere would not meet. */
export interface Hindrance {
  /** Share of attempts that contention makes outliers. */
  readonly outliers: number;
  /** Share of attempts that contention slows a little. */
  readonly slowed: number;
}

/** The time at which a phase ran. */
export interface TimeLog {
  /** Milliseconds since the beginning of the date. */
  readonly beginMs: number;
  /** The busyness of the cluster, 1 being the median. */
  readonly busyness: number;
}

/** The source of a phase's outliers by contention, when the cluster is as busy as usual. */
export interface Contended {
  /** Share of attempts that would be outliers if no outlier were due to data. */
  readonly outliers: number;
  /** The part of the outliers that is not due to data. */
  readonly part: number;
}

/** One run of a task. */
export interface LoggedAttempt {
  readonly ms: number;
  /** The factor by which the attempt is longer than unhindered: contention and network together. */
  readonly hindered: number;
  readonly crossRackBytes: number;
}

/**
 * Draws a phase of a role. The median usual task takes `medianMs`, and the median task reads
 * `medianBytes`.
 */
export function drawPhase(
  model: LogModel,
  of: {
    readonly name: string;
    readonly role: Role;
    readonly medianMs: number;
    readonly medianBytes: number;
    readonly chance: RandomState;
    /** If left out, a random time. */
    readonly time?: TimeLog;
    /** Replaces the drawn sizes. */
    readonly sizes?: { readonly tasks: number; readonly slots: number };
  },
): PhaseLog {
  const { phases, contention, traffic } = model;
  const { role, chance } = of;
  const { tasks, slots } = of.sizes ?? drawSizes(phases, chance);
  const median = of.medianMs * (role === "reduce" ? phases.reduceTime : 1);
  const usualMs = lognormal(chance, { median, sigma: phases.taskSigma });
  const meanBytes = lognormal(chance, { median: of.medianBytes, sigma: traffic.bytesSigma });
  const fixed = fixedShare(model.sizes, chance);
  const { byData, contended } = outlierShares(model, chance);
  const time = of.time ?? { beginMs: 0, busyness: drawBusyness(model, split(chance, 4)) };
  const isCommon = nextFloat(chance) < contention.commonly;
  const slowedMost = isCommon ? contention.commonMost : contention.rareMost;
  const width = model.sizes.halfWidthMost * nextFloat(chance);
  const sizes = new Float64Array(tasks);
  const data = split(chance, 1);
  for (let i = 0; i < tasks; i += 1) {
    const isLarge = nextFloat(data) < byData;
    sizes[i] = isLarge
      ? (outlierSize(data, model.outliers) - fixed) / (1 - fixed)
      : uniform(data, { from: 1 - width, to: 1 + width });
  }
  const bytesPerSize = (meanBytes * tasks) / sizes.reduce((sum, size) => sum + size, 0);
  return {
    name: of.name,
    role,
    slots,
    bytes: sizes.map((size) => size * bytesPerSize),
    msPerByte: ((1 - fixed) * usualMs) / bytesPerSize,
    fixedMs: fixed * usualMs,
    usualMs,
    contended,
    time,
    hindrance: {
      outliers: outliersAt(model, contended, time.busyness),
      slowed: slowedMost * nextFloat(chance),
    },
    crossRack: traffic.crossRack[role],
    chance: split(chance, 2),
  };
}

function drawSizes(phases: PhaseModel, chance: RandomState): { tasks: number; slots: number } {
  const { slotsMedian, slotsSigma, wavesMedian, wavesSigma, tasksMost } = phases;
  const drawn = lognormal(chance, { median: slotsMedian, sigma: slotsSigma });
  const slots = Math.max(1, Math.round(drawn));
  const waves = lognormal(chance, { median: wavesMedian, sigma: wavesSigma });
  return { slots, tasks: Math.min(tasksMost, Math.max(1, Math.round(slots * waves))) };
}

function fixedShare({ fixedMost, indifferent }: SizeModel, chance: RandomState): number {
  const isIndifferent = nextFloat(chance) < indifferent.phases;
  return uniform(chance, isIndifferent ? indifferent : { from: 0, to: fixedMost });
}

/**
 * §4.2: in some phases all outliers are due to data, in some none, in the others a part. Shares
 * vary between phases, and outliers that are not due to data also vary with time.
 */
function outlierShares(
  { outliers, times }: LogModel,
  chance: RandomState,
): { readonly byData: number; readonly contended: Contended } {
  const { shareMedian: median, shareSigma: sigma, shareMost } = outliers;
  const own = lognormal(chance, { median, sigma: sigma * Math.sqrt(1 - times.varianceShare) });
  const which = nextFloat(chance);
  const some = nextFloat(chance);
  const dueToData =
    which < outliers.allByData ? 1 : which < outliers.allByData + outliers.noneByData ? 0 : some;
  const skew = lognormal(split(chance, 3), {
    median: own,
    sigma: sigma * Math.sqrt(times.varianceShare),
  });
  return {
    byData: dueToData * Math.min(shareMost, skew),
    contended: { outliers: own, part: 1 - dueToData },
  };
}

/** Share of attempts that contention makes outliers at this busyness. */
export function outliersAt(
  { outliers: { shareMost } }: LogModel,
  { outliers, part }: Contended,
  busyness: number,
): number {
  return part * Math.min(shareMost, outliers * busyness);
}

/** More attempts per task than any run makes. */
const ORDINALS = 65_536;

/**
 * Equation 1: data x code x machine x network. The first two belong to the task, the others to the
 * attempt: ordinal 0 is the attempt in the log, a copy or a restart has the next ordinal.
 */
export function attemptOf(
  model: LogModel,
  phase: PhaseLog,
  { index, ordinal }: { readonly index: number; readonly ordinal: number },
): LoggedAttempt {
  const chance = split(phase.chance, index * ORDINALS + ordinal);
  const bytes = phase.bytes[index] ?? 0;
  const unhinderedMs = phase.fixedMs + bytes * phase.msPerByte;
  const contended = contentionOf(model, phase.hindrance, chance);
  if (phase.role !== "extract") {
    const ms = unhinderedMs * contended;
    return { ms, hindered: contended, crossRackBytes: bytes * phase.crossRack };
  }
  const isRemote = nextFloat(chance) < phase.crossRack;
  const { remoteFrom: from, remoteTo: to } = model.traffic;
  const hindered = contended * (isRemote ? uniform(chance, { from, to }) : 1);
  const ms = unhinderedMs * hindered;
  return { ms, hindered, crossRackBytes: isRemote ? bytes : 0 };
}

function contentionOf(
  { contention, outliers }: LogModel,
  hindrance: Hindrance,
  chance: RandomState,
): number {
  const which = nextFloat(chance);
  if (which < hindrance.outliers) return outlierSize(chance, outliers);
  const { noise, slowedFrom, slowedTo } = contention;
  return which < hindrance.outliers + hindrance.slowed
    ? uniform(chance, { from: slowedFrom, to: slowedTo })
    : uniform(chance, { from: 1 - noise, to: 1 + noise });
}

/** The logs of two days, in the world of one seed. */
export interface LoggedDate {
  /** Index into the model's dates. */
  readonly date: number;
  readonly seed: number;
}

/**
 * The busyness of the cluster at a time, 1 being the median: the same for all its jobs. §4.2,
 * Figure 7: outliers come at the same times, on many machines.
 */
export function timeAt(model: LogModel, { date, seed }: LoggedDate, beginMs: number): TimeLog {
  const spell = Math.floor(beginMs / model.times.spellMs);
  const chance = split(randomState(seed, `mantri/busy/${date}`), spell);
  return { beginMs, busyness: drawBusyness(model, chance) };
}

/** The busyness at a random time. */
function drawBusyness({ outliers, times }: LogModel, chance: RandomState): number {
  const sigma = outliers.shareSigma * Math.sqrt(times.varianceShare);
  return lognormal(chance, { median: 1, sigma });
}
