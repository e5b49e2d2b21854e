import { isClearlyAbove } from "../../base/clearly-below.ts";
import { type Distribution, meanOf, UNKNOWN } from "../../base/distribution.ts";
import { addMoment, type Moments, meanOf as meanOfMoments, noMoments } from "../../base/moments.ts";
import { addToSample, emptySample, type Sample } from "../../base/sample.ts";
import { mean, percentile } from "../../base/stats.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { AttemptId, NodeId, PhaseId, TaskId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Estimator, EstimatorContext } from "../policy.ts";
import { REPORTING, reportPeriodMs } from "../shared/report-period.ts";
import {
  averageLag,
  forgetRequest,
  forgetRestart,
  forgetRestarts,
  type Lags,
  noLags,
  recordAsk,
  recordLag,
} from "./mantri/lags.ts";
import { type Locations, locationFactor, noLocations, recordLocation } from "./mantri/location.ts";
import { mixed } from "./mantri/process-rates.ts";
import {
  beginningOf,
  lookAtStartUps,
  noStartUps,
  recordStartUp,
  type StartUps,
  startUpOf,
} from "./mantri/start-up.ts";
import {
  bytesOf,
  type Judging,
  mayJudge,
  type Observed,
  readEnd,
  timeLeft,
} from "./mantri/time-left.ts";

const PARAMS = params({
  ...REPORTING,
  /** §5.5 gives no figure. */
  windowPeriods: {
    default: 5,
    min: 1,
    whole: true,
    about: "reports that the moving average of the reading speed covers",
  },
  /** For finished tasks alone, and for finished and running ones together. */
  samplesMax: { default: 200, min: 1, whole: true, about: "most process rates kept per phase" },
  /** Attempts of any job: a machine is slow only if it is "persistently" slow. */
  machineAttempts: {
    default: 20,
    min: 1,
    whole: true,
    about: "last attempts whose median is a machine's slowness",
  },
});

export type MantriEstimateParams = ParamsOf<typeof PARAMS>;

/** Process rates, in rising order. */
interface Rates {
  readonly rising: readonly number[];
  readonly mean: number;
}

const ratesOf = (rising: readonly number[]): Rates => ({
  rising,
  mean: rising.length === 0 ? 0 : mean(rising),
});

/** The observations of a phase's tasks: process rates in ms per byte. */
interface PhaseRecord {
  readonly finished: Sample;
  /** The durations, in ms, of tasks that have no bytes to read. */
  readonly finishedEmpty: Sample;
  /** Rising: the rates of finished and running tasks at the last look. */
  rates: Rates;
  ratesEmpty: Rates;
  /** When the next look is due. */
  lookAt: number;
  /** Milliseconds from the end of reading to the end of the task. */
  readonly wrapUps: Moments;
  readonly startUps: StartUps;
}

interface Memory {
  readonly phases: Map<PhaseId, PhaseRecord>;
  readonly locations: Locations;
  /** Lags from launch to start. */
  readonly lags: Lags;
}

type MantriContext = EstimatorContext<MantriEstimateParams, Memory>;

/**
 * Estimates, from bytes, how much longer a running task will read, and how long a new copy would
 * take on a node.
 */
export const mantriEstimate: Estimator<MantriEstimateParams, Memory> = {
  name: "mantri",
  source:
    "Ananthanarayanan, Kandula, Greenberg, Stoica, Lu, Saha, Harris: Reining in the Outliers in " +
    "Map-Reduce Clusters using Mantri, MSR-TR-2010-69, 2010, §5.5",
  params: PARAMS,
  needs: [],
  steady: false,
  remember: () => ({
    phases: new Map(),
    locations: noLocations(),
    lags: noLags(),
  }),

  hears: {
    "job-submitted"({ memory }, { job }) {
      for (const { id } of job.phases) memory.phases.set(id, noRecord());
    },
    "job-ended"({ memory, view }, what) {
      const job = view.job(what.job);
      forgetRestarts(memory.lags, job);
      for (const { id } of job.phases) memory.phases.delete(id);
    },
    acted: ({ memory, view }, what) => recordAsk(memory.lags, view, what),
    "request-refused": ({ memory }, { request }) => forgetRequest(memory.lags, request),
    // An attempt that the core launches waits from its launch on.
    "attempt-assumed": ({ memory, view }, { attempt }) =>
      forgetRestart(memory.lags, view.attempt(attempt).task),
    "attempt-started": (ctx, what) => recordLag(ctx.memory.lags, ctx, what),
    "attempt-succeeded": (ctx, { attempt }) => recordSuccess(ctx, attempt),
    "attempt-killed"(ctx, { attempt, by }) {
      if (by === "us") recordKill(ctx, attempt);
    },
    woken(ctx) {
      const { memory, view } = ctx;
      for (const [phase, record] of memory.phases) {
        if (record.lookAt <= view.now) lookAtRunning(ctx, phase, record);
      }
    },
  },

  timeLeft(ctx, id) {
    const { memory, view } = ctx;
    const attempt = view.attempt(id);
    const record = memory.phases.get(view.task(attempt.task).phase);
    const judging = judgingBy(ctx, record, () => meanOf(newCopy(ctx, attempt.task)));
    const report = view.progress(id);
    return timeLeft(view, { attempt, report, bytes: bytesOf(view, attempt, report) }, judging);
  },

  newCopy,

  mayJudge({ memory, params, view }, id) {
    const attempt = view.attempt(id);
    const startUp = memory.phases.get(view.task(attempt.task).phase)?.startUps.usual;
    return mayJudge(view, attempt, { startUp, silenceMs: params.periodMs });
  },
};

function judgingBy(
  { params }: MantriContext,
  record: PhaseRecord | undefined,
  expectedMs: () => number | undefined,
): Judging {
  const wrapUpMs = record === undefined ? undefined : averageOf(record.wrapUps);
  return { params, wrapUpMs, startUp: record?.startUps.usual, expectedMs };
}

/**
 * Eq. 3: t_new = processRate * locationFactor * d + schedLag, with processRate as a distribution;
 * plus the time that attempts of the phase need before they read.
 */
function newCopy(ctx: MantriContext, task: TaskId, node?: NodeId): Distribution {
  const { memory, view } = ctx;
  const record = memory.phases.get(view.task(task).phase);
  if (record === undefined) return UNKNOWN;
  const bytes = view.inputBytes(task);
  // A task without bytes has no process rate; the phase's other empty tasks give a duration.
  const seen = bytes > 0 ? record.rates : record.ratesEmpty;
  const finished = bytes > 0 ? record.finished : record.finishedEmpty;
  const rates = seen.rising.length > 0 ? seen : ratesOf(finished.rising);
  if (rates.rising.length === 0) return UNKNOWN;
  const amount = bytes > 0 ? bytes : 1;
  const meanMs = () => rates.mean * amount;
  const factor =
    node === undefined ? 1 : locationFactor(memory.locations, view, { task, node, meanMs });
  const plus = averageLag(memory.lags) + (record.startUps.usual?.meanMs ?? 0);
  const { mean, rising } = rates;
  return { kind: "scaled", rising, mean, times: factor * amount, plus };
}

/**
 * §5.5: the process rates of all the tasks in the phase; a running task counts once it shows its
 * rate. COST: O(running tasks) once per period Δ; the estimate itself reads `samplesMax` of them.
 */
function lookAtRunning(ctx: MantriContext, phase: PhaseId, record: PhaseRecord): void {
  const { params, view } = ctx;
  const { running } = view.counts(phase);
  if (running === 0) return;
  const every = Math.ceil(running / params.samplesMax);
  const seen = seenOf(ctx, phase, every);
  lookAtStartUps(record.startUps, startUpsOf(seen));
  const rates: number[] = [];
  const ratesEmpty: number[] = [];
  let sumMs = 0;
  const judging = judgingBy(ctx, record, () => undefined);
  for (const one of seen) {
    const readMs = readMsOf(view, one, judging);
    if (readMs === undefined) continue;
    sumMs += readMs;
    // Before its first byte an attempt's own `bytes` are 0.
    const bytes = one.bytes > 0 ? one.bytes : view.inputBytes(one.attempt.task);
    if (bytes > 0) rates.push(readMs / bytes);
    else ratesEmpty.push(readMs);
  }
  const most = params.samplesMax;
  const mix = (finished: Sample, running: readonly number[]): Rates =>
    ratesOf(mixed({ finished, running, runningTasks: running.length * every, most }));
  record.rates = mix(record.finished, rates);
  record.ratesEmpty = mix(record.finishedEmpty, ratesEmpty);
  const count = rates.length + ratesEmpty.length;
  record.lookAt = view.now + (count === 0 ? 0 : reportPeriodMs(params, sumMs / count));
}

/** The first running attempt of a task. */
interface Seen extends Observed {
  readonly ranMs: number;
  /** undefined until the attempt shows its start-up time. */
  readonly startUpMs: number | undefined;
}

function seenOf({ view }: MantriContext, phase: PhaseId, every: number): readonly Seen[] {
  const seen: Seen[] = [];
  let count = 0;
  for (const { id: task } of view.runningTasks(phase)) {
    if (count++ % every !== 0) continue;
    const attempt = view.attemptsOf(task).find(({ state }) => state === "running");
    const startedAt = attempt?.startedAt;
    if (attempt === undefined || startedAt === undefined) continue;
    const report = view.progress(attempt.id);
    const bytes = bytesOf(view, attempt, report);
    const startUpMs = startUpOf(beginningOf(view, attempt, bytes), startedAt);
    seen.push({ attempt, report, bytes, ranMs: view.now - startedAt, startUpMs });
  }
  return seen;
}

function startUpsOf(seen: readonly Seen[]): readonly number[] {
  const startUps: number[] = [];
  for (const { startUpMs } of seen) if (startUpMs !== undefined) startUps.push(startUpMs);
  return startUps;
}

/** An attempt that has hardly begun says nothing about the whole: extrapolation may give hours. */
const EXTRAPOLATED_MAX = 1_000;

/** The attempt's total reading time, in ms; undefined while it shows no progress. */
function readMsOf(view: View, seen: Seen, judging: Judging): number | undefined {
  const { ranMs, startUpMs = 0 } = seen;
  // Attempts younger than their Δ count too: without them only the fast ones would, at first.
  const leftMs = timeLeft(view, seen, judging);
  const isShown = Number.isFinite(leftMs) && !isClearlyAbove(leftMs, EXTRAPOLATED_MAX * ranMs);
  return isShown ? ranMs - startUpMs + leftMs : undefined;
}

function recordSuccess(ctx: MantriContext, id: AttemptId): void {
  const { memory, params, view } = ctx;
  const attempt = view.attempt(id);
  const { endedAt, startedAt, task } = attempt;
  const record = memory.phases.get(view.task(task).phase);
  if (record === undefined || endedAt === undefined || startedAt === undefined) return;
  const bytes = view.inputBytes(task);
  const startUpMs = recordStart(ctx, record, attempt) ?? 0;
  const ranMs = endedAt - startedAt - startUpMs;
  const sample = bytes > 0 ? record.finished : record.finishedEmpty;
  const perUnit = bytes > 0 ? ranMs / bytes : ranMs;
  const amount = bytes > 0 ? bytes : 1;
  recordPlace(ctx, attempt, { perUnit, amount, others: sample.rising });
  addToSample(sample, perUnit, params.samplesMax, ctx);
  const read = readEnd(view, attempt, bytes);
  if (read !== undefined) addMoment(record.wrapUps, Math.max(0, endedAt - read.at));
}

/**
 * Records how long a succeeded attempt took before it read. An attempt that never showed a first
 * byte records nothing.
 */
function recordStart(
  ctx: MantriContext,
  { startUps }: PhaseRecord,
  attempt: Attempt,
): number | undefined {
  const { params, view } = ctx;
  const { endedAt, id, startedAt } = attempt;
  if (startedAt === undefined || endedAt === undefined) return undefined;
  const begun = beginningOf(view, attempt, bytesOf(view, attempt, view.progress(id)));
  const startUpMs = startUpOf(begun, startedAt);
  if (startUpMs !== undefined) {
    recordStartUp(startUps, startUpMs, params.samplesMax);
  }
  return startUpMs;
}

/**
 * An attempt killed for being slow says more about its machine than the attempts that finished
 * there.
 */
function recordKill(ctx: MantriContext, id: AttemptId): void {
  const { memory, view } = ctx;
  const attempt = view.attempt(id);
  const { endedAt, startedAt, task } = attempt;
  const record = memory.phases.get(view.task(task).phase);
  if (record === undefined || endedAt === undefined || startedAt === undefined) return;
  const bytes = view.inputBytes(task);
  const { bytesRead } = view.progress(id);
  if (bytes === 0 || bytesRead === 0 || bytesRead >= bytes) return;
  const startUpMs = startUpOf(beginningOf(view, attempt, bytes), startedAt);
  // One report does not distinguish a slow start from slow reading.
  if (startUpMs === undefined && (record.startUps.usual?.longMs ?? 0) > 0) return;
  const perUnit = (endedAt - startedAt - (startUpMs ?? 0)) / bytesRead;
  recordPlace(ctx, attempt, { perUnit, amount: bytes, others: record.finished.rising });
}

/** Records how much slower an attempt was in a place than the median of its phase. */
function recordPlace(
  { memory, params, view }: MantriContext,
  { node, task }: Attempt,
  shown: {
    readonly perUnit: number;
    /** The units of the whole task. */
    readonly amount: number;
    readonly others: readonly number[];
  },
): void {
  const { amount, others, perUnit } = shown;
  if (others.length === 0 || perUnit <= 0) return;
  // Half of the attempts on an average machine are slower than the median.
  const usual = percentile(others, 50);
  if (usual <= 0) return;
  recordLocation(memory.locations, view, {
    task,
    node,
    meanMs: () => mean(others) * amount,
    ratio: perUnit / usual,
    most: params.machineAttempts,
  });
}

const noRecord = (): PhaseRecord => ({
  finished: emptySample(),
  finishedEmpty: emptySample(),
  rates: ratesOf([]),
  ratesEmpty: ratesOf([]),
  lookAt: 0,
  wrapUps: noMoments(),
  startUps: noStartUps(),
});

const averageOf = (moments: Moments): number | undefined =>
  moments.count === 0 ? undefined : meanOfMoments(moments);
