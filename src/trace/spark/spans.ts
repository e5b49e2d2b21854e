import { grouped } from "../../base/grouped.ts";
import type { JobSpan, QuerySpan, TraceJob } from "../../history/model.ts";
import type { SparkApplication, SparkJob, SparkStage } from "./application.ts";
import { isCancelled, isShutDown } from "./evidence.ts";
import { stageKey } from "./spark-attempts.ts";

/** Jobs of Spark 1.2 have no times, so they get those of their stages' tasks. */
export function spansOf(
  application: SparkApplication,
  jobs: readonly SparkJob[],
  stages: readonly SparkStage[],
  originMs: number,
): readonly JobSpan[] {
  const runsOf = grouped(application.attempts.runs, ({ stage }) => stage);
  const stagesOfJob = grouped(stages, ({ id, submittedAt }) => application.jobOf(id, submittedAt));
  const queryIndex = new Map(application.queries.all.map(({ id }, index) => [id, index]));
  return jobs.map((job) => {
    const { id, submittedAt, endedAt, stages: ids, description } = job;
    const own = ids.flatMap((stage) => runsOf.get(stage) ?? []);
    const submitted = (stagesOfJob.get(id) ?? []).flatMap((stage) => stage.submittedAt ?? []);
    const first = [...submitted, ...own.map(({ firstLaunchedAt }) => firstLaunchedAt)];
    const from = submittedAt ?? (first.length === 0 ? originMs : least(first));
    const last = own.reduce((most, { lastFinishedAt }) => Math.max(most, lastFinishedAt), from);
    const to = (endedAt ?? last) - originMs;
    const query = queryIndex.get(job.query);
    const skipped = ids.length - (stagesOfJob.get(id)?.length ?? 0);
    // Spark's own pages name a job after its last stage, too.
    const final = application.stages.get(stageKey(Math.max(...ids), 0));
    const title = description || final?.name;
    return {
      name: `job ${id}`,
      ...(title !== undefined && { title }),
      ...(query !== undefined && { query }),
      ...(skipped > 0 && { skipped }),
      outcome: outcomeOfJob(job),
      ...{ submittedAt: from - originMs, endedAt: to },
    };
  });
}

function outcomeOfJob(job: SparkJob): TraceJob["outcome"] {
  if (job.endedAt === undefined || job.succeeded === undefined) return "cut-off";
  if (job.succeeded) return "succeeded";
  return isCancelled(job) || isShutDown(job) ? "killed" : "failed";
}

/** A query without a start or an end in the log gets those of its jobs. */
export function queriesOf(
  application: SparkApplication,
  jobs: readonly SparkJob[],
  originMs: number,
): readonly QuerySpan[] {
  const { all } = application.queries;
  const jobsOf = grouped(jobs, ({ query }) => query);
  const indexOf = new Map(all.map(({ id }, index) => [id, index]));
  return all.map((query) => {
    const { id, root, description, failure } = query;
    const own = jobsOf.get(id) ?? [];
    const from = query.submittedAt ?? least(own.map((job) => job.submittedAt ?? Infinity));
    const submittedAt = Number.isFinite(from) ? from : originOf(application);
    const isOpen = query.endedAt === undefined;
    const endedAt = query.endedAt ?? application.endedAt ?? application.lastAt;
    const within = root === id ? undefined : indexOf.get(root);
    const last = own.at(-1);
    // Before 3.4 only the jobs say whether a query failed.
    const hasFailed =
      failure === undefined ? last !== undefined && outcomeOfJob(last) : failure !== "" && "failed";
    return {
      name: `query ${id}`,
      ...(description !== "" && { title: description }),
      ...(within !== undefined && { within }),
      outcome: isOpen ? "cut-off" : hasFailed || "succeeded",
      submittedAt: submittedAt - originMs,
      endedAt: Math.max(submittedAt, endedAt) - originMs,
    };
  });
}

/** Times of an application count from its start, or from its first attempt. */
export function originOf({ attempts, lastAt, startedAt }: SparkApplication): number {
  const first = attempts.runs.reduce(
    (earliest, { firstLaunchedAt }) => Math.min(earliest, firstLaunchedAt),
    lastAt,
  );
  return Math.min(startedAt ?? first, first);
}

/**
 * A log does not say how the application ended. A job that fails ends it, unless its program goes
 * on; a job that was cancelled ends nothing, unless the application ended meanwhile.
 */
export function outcomeOf(
  application: SparkApplication,
  jobs: readonly SparkJob[],
): TraceJob["outcome"] {
  if (application.endedAt === undefined) return "cut-off";
  const ends = jobs.filter(({ endedAt }) => endedAt !== undefined);
  const lastEnd = Math.max(...ends.map(({ endedAt = 0 }) => endedAt));
  const last = ends.filter(({ endedAt, succeeded }) => endedAt === lastEnd && succeeded === false);
  const goesOn = (one: SparkJob): boolean =>
    jobs.some(({ submittedAt = 0 }) => submittedAt > (one.endedAt ?? 0));
  if (last.some((one) => isShutDown(one))) return "killed";
  return last.some((one) => !isCancelled(one) && !goesOn(one)) ? "failed" : "succeeded";
}

export const least = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
