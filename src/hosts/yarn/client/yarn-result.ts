import { ascending } from "../../../base/order.ts";
import { allBadRecords, NO_BAD_RECORDS } from "../../../data/formats/malformed.ts";
import { runMeasures } from "../../../measures/run-measures.ts";
import { openEnd } from "../../../model/fact.ts";
import { rule } from "../../../model/why.ts";
import type { PhaseResults } from "../../../run/phase-facts.ts";
import type { RunDirectory } from "../../../run/run-directory.ts";
import type { NamedEnd } from "../../../run/run-event.ts";
import type { AttemptFacts, Failure, RecomputeFacts, RunResult } from "../../../run/run-result.ts";
import { sumUp } from "../../../run/sum-up.ts";
import { type AttemptFailed, attemptFailed, failureOf, withWholeLines } from "./attempt-failure.ts";
import { begun, killOf } from "./attempt-story.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { causeIn } from "./hadoop-cause.ts";
import type { HadoopJobEnd } from "./hadoop-job.ts";
import { historyOf } from "./job-history.ts";
import { countersOf, madeOf, type TaskDone } from "./job-results.ts";
import type { LostOutput } from "./lost-outputs.ts";
import type { MapReduceJob } from "./map-reduce-jobs.ts";
import type { StoredParts } from "./stored-parts.ts";
import { type TaskNames, taskOf } from "./task-names.ts";
import type { YarnPlan } from "./yarn-plan.ts";
import type { AttemptRow } from "./yarn-rest.ts";

/** One Hadoop job that has ended, and its results. */
export interface JobDone {
  readonly job: MapReduceJob;
  readonly names: TaskNames;
  readonly end: HadoopJobEnd;
  /** Empty if the job did not succeed. */
  readonly done: readonly TaskDone[];
  readonly lost: readonly LostOutput[];
}

interface Facts {
  readonly plan: YarnPlan;
  readonly outcome: RunResult["outcome"];
  readonly discipline: string;
  readonly directory: RunDirectory;
  readonly access: ClusterAccess;
  readonly jobs: readonly JobDone[];
  readonly stored: StoredParts;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly responseMs: number;
}

/** Sums the run up in the same form as a run of the embedded engine. */
export async function sumUpYarn(facts: Facts): Promise<RunResult> {
  const { plan, outcome, discipline, directory, access, jobs, stored, startedAt } = facts;
  const ended = jobs.map((job) => ({ job, attempts: factsByTask(job, startedAt) }));
  const attempts = ended.flatMap((one) => [...one.attempts.values()].flat()).sort(BY_LAUNCH);
  const histories = ended.map(({ job: { end, job, names }, attempts }) =>
    historyOf({ names, outcome: end.outcome, reduces: job.reduces?.name, attempts }),
  );
  const done = jobs.flatMap((job) => job.done);
  const failure = outcome === "failed" ? await failureOfJob(access, jobs.at(-1)) : undefined;
  const counters: Record<string, number> = {};
  for (const name of plan.program.counters) counters[name] = 0;
  return sumUp({
    job: plan.name,
    outcome,
    discipline,
    directory,
    output: `${access.root.fileSystem}${plan.output}`,
    parts: partsOf(stored, plan, access),
    responseMs: facts.responseMs,
    wallMs: Date.now() - startedAt,
    phases: jobs.flatMap(phaseResults),
    counters: { ...counters, ...countersOf(done) },
    badRecords: allBadRecords(
      done.map(({ result }) => madeOf(result).badRecords ?? NO_BAD_RECORDS),
    ),
    attempts,
    ...(histories.length > 0 && { measured: runMeasures(histories) }),
    nodes: [...new Set(attempts.map(({ node }) => node))]
      .sort()
      .map((name) => ({ name, crashes: 0 })),
    outputsLost: jobs.flatMap(({ names, lost }) =>
      lost.map(({ attempt }) => names.task(taskOf(attempt)).name),
    ),
    // Hadoop copies outputs by itself, without a policy.
    outputsCopied: [],
    recomputes: jobs.flatMap((job) => recomputes(job, startedAt)),
    faultsMissed: [],
    ...(failure !== undefined && { failure }),
  });
}

const BY_LAUNCH = ascending<AttemptFacts>(
  ({ launchedAt }) => launchedAt,
  (x, y) => (x.attempt < y.attempt ? -1 : 1),
);

function partsOf(stored: StoredParts, { program, output }: YarnPlan, { root }: ClusterAccess) {
  const below = `${root.fileSystem}${output}`;
  return stored.outputsIn(below, program.outputs).map(({ name, result }) => {
    const { bytes, records, checksum } = madeOf(result);
    return { path: name, bytes, records, checksum };
  });
}

function phaseResults({ job, done }: JobDone): readonly PhaseResults[] {
  const phases = new Map<number, { readonly name: string; readonly tasks: number }>();
  for (const { kind, phase } of job.maps) {
    if (kind === "narrow") phases.set(phase.phase, { name: phase.name, tasks: phase.tasks.length });
  }
  const { reduces } = job;
  if (reduces !== undefined) {
    phases.set(reduces.phase, { name: reduces.name, tasks: reduces.tasks.length });
  }
  return Array.from(phases, ([number, phase]) => ({
    ...phase,
    results: done.flatMap(({ phase: of, result }) => (of === number ? [result] : [])),
  }));
}

/** Lost outputs that Hadoop recomputed: an attempt of the task began after the loss. */
export function recomputes(
  { names, end, lost }: Pick<JobDone, "names" | "end" | "lost">,
  startedAt: number,
): readonly RecomputeFacts[] {
  return lost.flatMap(({ at, attempt }) => {
    const rows = end.attempts.get(taskOf(attempt)) ?? [];
    const isAgain = rows.some((row) => row.attempt !== attempt && row.startedAt >= at);
    const task = names.task(taskOf(attempt)).name;
    return isAgain ? [{ at: at - startedAt, task, why: OUTPUT_LOST }] : [];
  });
}

const OUTPUT_LOST = rule("output-lost");

/**
 * By Hadoop's name of the task: the attempts that got a container, by the rows of Hadoop. The facts
 * of the policies' journal cannot stand for them: a master that dies takes the end of its journal
 * with it, and the next one takes over attempts of which its own journal says nothing.
 */
export function factsByTask(
  { names, end, lost }: Pick<JobDone, "names" | "end" | "lost">,
  startedAt: number,
): ReadonlyMap<string, readonly AttemptFacts[]> {
  const { decisions } = end;
  const gone = new Set(lost.map(({ attempt }) => attempt));
  const factsOf = (id: string, rows: readonly AttemptRow[]): readonly AttemptFacts[] => {
    const { name: task, phase } = names.task(id);
    return rows
      .filter((row) => row.startedAt > 0 && row.host !== "")
      .map((row) => {
        const open = openEnd({ jobEndedAt: end.endedAt, recordEndsAt: end.endedAt });
        const endedAt = row.endedAt > 0 ? row.endedAt : Math.max(row.startedAt, open.endedAt);
        return {
          attempt: names.attempt(row.attempt),
          ...{ task, phase },
          ...begun(row, rows, decisions, gone),
          node: row.host,
          launchedAt: row.startedAt - startedAt,
          endedAt: endedAt - startedAt,
          slotMs: endedAt - row.startedAt,
          // Hadoop later marks an attempt whose output was lost as killed or failed, although it
          // succeeded.
          end: gone.has(row.attempt) ? SUCCEEDED : endOf(row, end),
        };
      });
  };
  return new Map(Array.from(end.attempts, ([task, rows]) => [task, factsOf(task, rows)]));
}

const KILLED = rule("killed-by-hadoop");
/** The sizes stand in the task's result. */
const SUCCEEDED: NamedEnd = { kind: "succeeded", bytes: 0, records: 0 };

/** Matches `Container released on a *lost* node` and `... because it ran on unusable node`. */
const NODE_LOST = /(lost\*|unusable) node|node.*(lost|unusable|unhealthy)/i;

function endOf(row: AttemptRow, { decisions, failures }: HadoopJobEnd): NamedEnd {
  const { state, diagnostics, attempt } = row;
  if (state === "SUCCEEDED") return SUCCEEDED;
  if (state === "FAILED") {
    const failure = failures.get(attempt);
    if (failure?.isReported) return attemptFailed(failure);
    return { kind: "failed", cause: "error", message: causeIn(diagnostics) };
  }
  if (NODE_LOST.test(diagnostics)) {
    return { kind: "lost", why: KILLED };
  }
  const kill = killOf(decisions, attempt);
  return { kind: "killed", by: kill === undefined ? "host" : "core", why: kill?.why ?? KILLED };
}

/** Why the task that ended the job failed. */
async function failureOfJob(
  access: ClusterAccess,
  last: JobDone | undefined,
): Promise<Failure | undefined> {
  if (last === undefined) return undefined;
  const { names, end } = last;
  const heard = await lastHeard(access, end);
  if (heard === undefined) {
    const task = `${last.job.name}/application/0`;
    return { task, node: end.application, cause: "error", message: causeIn(end.diagnostics) };
  }
  const { row } = heard;
  const failure = await withWholeLines(access, heard.failure);
  const { cause, place, stack } = failure;
  return {
    task: names.task(taskOf(row.attempt)).name,
    node: row.host,
    cause,
    message: attemptFailed(failure).message,
    ...(place !== undefined && { place }),
    ...(stack !== undefined && { stack }),
  };
}

/** The last of the task's failed attempts that reported a reason, else the last one. */
async function lastHeard(access: ClusterAccess, end: HadoopJobEnd) {
  let last: { readonly row: AttemptRow; readonly failure: AttemptFailed } | undefined;
  for (const row of failedOfOneTask(end)) {
    const seen = end.failures.get(row.attempt);
    const failure = seen?.isReported ? seen : await failureOf(access.rest, row);
    if (failure.isReported) return { row, failure };
    last ??= { row, failure };
  }
  return last;
}

/**
 * The failed attempts of one task, the last first: of the task that Hadoop names as the reason,
 * else of the task that failed last.
 */
function failedOfOneTask({ attempts, diagnostics }: HadoopJobEnd): readonly AttemptRow[] {
  const failed = [...attempts.values()].flat().filter(({ state }) => state === "FAILED");
  const lastFirst = failed.sort(ascending(({ endedAt }) => endedAt, BY_NAME)).reverse();
  const [, named] = /Task failed task_\d+_\d+_([mr]_\d+)/.exec(diagnostics) ?? [];
  const [last] = lastFirst;
  const isOf = (task: string | undefined) => (row: AttemptRow) => taskOf(row.attempt) === task;
  const ofNamed = lastFirst.filter(isOf(named));
  return ofNamed.length > 0 || last === undefined
    ? ofNamed
    : lastFirst.filter(isOf(taskOf(last.attempt)));
}

const BY_NAME = (x: AttemptRow, y: AttemptRow): number => (x.attempt < y.attempt ? -1 : 1);
