import { type Distribution, UNKNOWN } from "../../../base/distribution.ts";
import { addMoment, type Moments, noMoments } from "../../../base/moments.ts";
import type { Attempt } from "../../../model/attempt.ts";
import {
  type AttemptId,
  after,
  type Instant,
  instant,
  type PhaseId,
  type TaskId,
} from "../../../model/ids.ts";
import { type ParamsOf, params } from "../../params.ts";
import type { Estimator, EstimatorContext, HeardOf, Hears } from "../../policy.ts";
import { type Reading, readingOf, readingsAfter } from "./readings.ts";

/** The parameters of every estimator of YARN. */
export const BASE_PARAMS = params({
  /**
   * Milliseconds: mapreduce.task.progress-report.interval, 3,000 as in Hadoop 1.x and in
   * DefaultSpeculator's own words ("every 3 secs").
   */
  reportMs: {
    default: 3_000,
    min: 1,
    about: "time between reports where the host's progress is always fresh (3,000 ms)",
  },
});

export type BaseParams = ParamsOf<typeof BASE_PARAMS>;

/** The parameters of the smoothing estimators, which in Hadoop have errors of their own. */
export const SMOOTHED_PARAMS = params({
  /** true: Hadoop's code bug for bug; false: mended. */
  compat: { default: true, about: "whether the estimator's known errors are kept" },
  ...BASE_PARAMS,
});

export type SmoothedParams = ParamsOf<typeof SMOOTHED_PARAMS>;

/** How an estimator reads the reports of one attempt; S is plain data and never changed. */
export interface Model<P, S> {
  /** At the start; Hadoop: enrollAttempt. */
  begin(params: P, startedAt: Instant): S;
  /** Hadoop: updateAttempt. */
  read(params: P, state: S, reading: Reading): S;
  /** When the attempt will end; undefined while there is no estimate. Hadoop: estimatedRuntime. */
  end(params: P, state: S): number | undefined;
  /** Hadoop: estimatedNewAttemptRuntime. */
  newCopyMs(params: P, durations: Moments): number;
  /** Hadoop: hasStagnatedProgress. */
  isStalled?(params: P, state: S, now: Instant): boolean;
}

/** The state of one attempt. */
interface Followed<S> {
  readonly startedAt: Instant;
  /** The time up to which the attempt's reports have been read. */
  readonly readUntil: Instant;
  readonly state: S;
}

/** The state of one phase. */
interface Category<S> {
  /** The durations, in ms, of each task's first success. */
  readonly durations: Moments;
  readonly done: Set<TaskId>;
  readonly attempts: Map<AttemptId, Followed<S>>;
}

export interface Memory<S> {
  readonly phases: Map<PhaseId, Category<S>>;
  /** When the reports of all attempts were last read. */
  readAt: Instant;
}

type Asked<P, S> = EstimatorContext<P, Memory<S>>;

/** Reports are read at least this often, so that no question has many to read. */
const READ_EVERY_MS = 10_000;

type Answers<P, S> = Pick<
  Estimator<P, Memory<S>>,
  "needs" | "steady" | "remember" | "hears" | "timeLeft" | "newCopy" | "stall" | "isStalled"
>;

/** How the estimators follow their attempts' starts, reports and ends (StartEndTimesBase). */
export function startEndTimes<P extends BaseParams, S>(model: Model<P, S>): Answers<P, S> {
  return {
    needs: [],
    steady: false,
    remember: () => ({ phases: new Map(), readAt: instant(0) }),
    hears: hearsOf(model),

    timeLeft(ctx, attempt) {
      const followed = followedNow(ctx, model, attempt);
      // The attempt has not started: Hadoop would look at it before it learns of the start.
      if (followed === undefined) return Number.POSITIVE_INFINITY;
      // Without an estimate Hadoop says -1: the attempt should have ended before it began.
      const end = model.end(ctx.params, followed.state) ?? followed.startedAt - 1;
      return end - ctx.view.now;
    },

    newCopy(ctx, task): Distribution {
      const durations = ctx.memory.phases.get(ctx.view.task(task).phase)?.durations;
      if (durations === undefined || durations.count === 0) return UNKNOWN;
      return { kind: "point", at: Math.trunc(model.newCopyMs(ctx.params, durations)) };
    },

    // A status that the speculator makes up: the same progress, now.
    stall(ctx, attempt) {
      const followed = followedNow(ctx, model, attempt);
      if (followed === undefined) return;
      const { view, memory, params } = ctx;
      const reading = readingOf(view.now, view.score(attempt));
      const state = model.read(params, followed.state, reading);
      const attempts = memory.phases.get(phaseOf(ctx, attempt))?.attempts;
      attempts?.set(attempt, { ...followed, readUntil: view.now, state });
    },

    isStalled(ctx, attempt) {
      const followed = followedNow(ctx, model, attempt);
      if (followed === undefined || model.isStalled === undefined) return false;
      return model.isStalled(ctx.params, followed.state, ctx.view.now);
    },
  };
}

const phaseOf = <P, S>({ view }: Asked<P, S>, attempt: AttemptId): PhaseId =>
  view.task(view.attempt(attempt).task).phase;

/** The state after all reports until now; the memory is not written. */
function followedNow<P extends BaseParams, S>(
  ctx: Asked<P, S>,
  model: Model<P, S>,
  attempt: AttemptId,
): Followed<S> | undefined {
  const kept = ctx.memory.phases.get(phaseOf(ctx, attempt))?.attempts.get(attempt);
  return kept === undefined ? undefined : readOn(ctx, model, attempt, kept);
}

function readOn<P extends BaseParams, S>(
  { view, params }: Asked<P, S>,
  model: Model<P, S>,
  attempt: AttemptId,
  kept: Followed<S>,
): Followed<S> {
  let { state, readUntil } = kept;
  for (const reading of readingsAfter(view, attempt, readUntil, params.reportMs)) {
    state = model.read(params, state, reading);
    readUntil = reading.at;
  }
  return readUntil === kept.readUntil ? kept : { ...kept, readUntil, state };
}

function hearsOf<P extends BaseParams, S>(model: Model<P, S>): Hears<P, Memory<S>> {
  return {
    "job-submitted"({ memory }, { job }) {
      for (const { id } of job.phases) {
        memory.phases.set(id, { durations: noMoments(), done: new Set(), attempts: new Map() });
      }
    },
    "job-ended"({ memory, view }, { job }) {
      for (const { id } of view.job(job).phases) memory.phases.delete(id);
    },
    "attempt-started": (ctx, what) => recordReport(ctx, model, what),
    "attempt-progressed": (ctx, what) => recordReport(ctx, model, what),
    "attempt-succeeded"(ctx, { at, attempt: id }) {
      const category = ctx.memory.phases.get(phaseOf(ctx, id));
      if (category === undefined) return;
      const attempt = ctx.view.attempt(id);
      recordSuccess(category, attempt, at);
      for (const other of ctx.view.attemptsOf(attempt.task)) category.attempts.delete(other.id);
    },
    "attempt-failed": forget,
    "attempt-killed": forget,
    woken(ctx) {
      if (ctx.view.now >= after(ctx.memory.readAt, READ_EVERY_MS)) readAll(ctx, model);
    },
  };
}

function recordReport<P extends BaseParams, S>(
  ctx: Asked<P, S>,
  model: Model<P, S>,
  what: HeardOf<"attempt-started" | "attempt-progressed">,
): void {
  const { memory, params, view } = ctx;
  const attempt = view.attempt(what.attempt);
  const attempts = memory.phases.get(view.task(attempt.task).phase)?.attempts;
  if (attempts === undefined) return;
  const kept = attempts.get(attempt.id);
  if (attempt.state === "running" && kept === undefined) {
    const startedAt = attempt.startedAt ?? what.at;
    const state = model.begin(params, startedAt);
    attempts.set(attempt.id, { startedAt, readUntil: startedAt, state });
  } else if (what.kind === "attempt-progressed" && kept !== undefined) {
    const read = readOn(ctx, model, attempt.id, kept);
    if (what.progress.kind !== "reported") attempts.set(attempt.id, read);
    else {
      // A report dates from its arrival; every report counts, even two at the same time.
      const state = model.read(params, read.state, readingOf(what.at, what.progress.score));
      attempts.set(attempt.id, { ...read, readUntil: what.at, state });
    }
  }
}

function forget<P, S>(
  ctx: Asked<P, S>,
  { attempt }: HeardOf<"attempt-failed" | "attempt-killed">,
): void {
  ctx.memory.phases.get(phaseOf(ctx, attempt))?.attempts.delete(attempt);
}

/** Only the first success of a task counts: the task may be recomputed later. */
function recordSuccess<S>(
  { done, durations }: Category<S>,
  { startedAt, task }: Attempt,
  at: Instant,
): void {
  if (done.has(task)) return;
  done.add(task);
  if (startedAt !== undefined) addMoment(durations, at - startedAt);
}

/** COST: O(running attempts), once in ten seconds. */
function readAll<P extends BaseParams, S>(ctx: Asked<P, S>, model: Model<P, S>): void {
  ctx.memory.readAt = ctx.view.now;
  for (const { attempts } of ctx.memory.phases.values()) {
    for (const [id, kept] of attempts) attempts.set(id, readOn(ctx, model, id, kept));
  }
}
