import { defined } from "../../base/assert.ts";
import { grouped } from "../../base/grouped.ts";
import { ascending } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import {
  type JobSpan,
  type Note,
  type Recorded,
  type Signal,
  type SlotSpan,
  type Trace,
  type TraceJob,
  type TracePhase,
  unmeasured,
} from "../../history/model.ts";
import type { SparkApplication, SparkJob, SparkStage } from "./application.ts";
import { type StageRun, stageKey } from "./spark-attempts.ts";

/** One job per application; its jobs are spans of it, and each try of a stage is a phase. */
export function applicationTrace(
  application: SparkApplication,
  file: string,
  notes: readonly Note[],
): Trace {
  const { runs } = application.attempts;
  const originMs = originOf(application, runs);
  const jobs = [...application.jobs.values()].sort((a, b) => a.id - b.id);
  const stages = stagesOf(application, runs);
  const spans = spansOf(jobs, stages, runs, originMs);
  const phases = phasesOf({ stages, application, jobs, originMs });
  const endedAt = application.endedAt ?? application.lastAt;
  const { version, user } = application;
  const job: TraceJob = {
    id: application.id ?? application.name ?? "application",
    name: application.name ?? "application",
    ...(user !== undefined && { user }),
    submittedAt: 0,
    endedAt: endedAt - originMs,
    outcome: outcomeOf(application, jobs),
    phases,
    spans,
    nodes: application.nodes.names,
    executors: application.executorNames.names,
    slots: slotsOf(application, originMs),
    settings: settingsOf(application),
    lacks: lacksOf(application, phases),
  };
  const source = { ...(version !== undefined && { version }), files: [file] };
  return { source: { format: "spark", ...source }, originMs, jobs: [job], notes };
}

function originOf(application: SparkApplication, runs: readonly StageRun[]): number {
  const first = runs.reduce(
    (least, { firstLaunchedAt }) => Math.min(least, firstLaunchedAt),
    application.lastAt,
  );
  return Math.min(application.startedAt ?? first, first);
}

/** Stages that ran; a stage that only its tasks name is made up from these. */
function stagesOf(application: SparkApplication, runs: readonly StageRun[]): readonly SparkStage[] {
  const ran = runs.map(({ stage, stageTry, firstLaunchedAt }): SparkStage => {
    const known = application.stages.get(stageKey(stage, stageTry));
    const first = application.stages.get(stageKey(stage, 0));
    return (
      known ?? {
        id: stage,
        attempt: stageTry,
        name: first?.name ?? `stage ${stage}`,
        tasks: first?.tasks ?? 0,
        profile: first?.profile ?? 0,
        parents: first?.parents ?? [],
        job: first?.job,
        submittedAt: firstLaunchedAt,
        completedAt: undefined,
      }
    );
  });
  const at = ({ submittedAt }: SparkStage): number => submittedAt ?? Number.POSITIVE_INFINITY;
  // A stage may be submitted at the moment when its parents end; ids rise with depth.
  const byNumber = ascending<SparkStage>(
    ({ id }) => id,
    ascending(({ attempt }) => attempt),
  );
  return ran.sort(ascending(at, byNumber));
}

/** Jobs of Spark 1.2 have no times, so they get those of their stages' tasks. */
function spansOf(
  jobs: readonly SparkJob[],
  stages: readonly SparkStage[],
  runs: readonly StageRun[],
  originMs: number,
): readonly JobSpan[] {
  const runsOf = grouped(runs, ({ stage }) => stage);
  const stagesOfJob = grouped(stages, ({ job }) => job);
  return jobs.map(({ id, submittedAt, endedAt, stages: ids }) => {
    const own = ids.flatMap((stage) => runsOf.get(stage) ?? []);
    const submitted = (stagesOfJob.get(id) ?? []).flatMap((stage) => stage.submittedAt ?? []);
    const first = [...submitted, ...own.map(({ firstLaunchedAt }) => firstLaunchedAt)];
    const from = submittedAt ?? (first.length === 0 ? originMs : least(first));
    const last = own.reduce((most, { lastFinishedAt }) => Math.max(most, lastFinishedAt), from);
    const to = (endedAt ?? last) - originMs;
    return { name: `job ${id}`, submittedAt: from - originMs, endedAt: to };
  });
}

const least = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);

function phasesOf({
  stages,
  application,
  jobs,
  originMs,
}: {
  readonly stages: readonly SparkStage[];
  readonly application: SparkApplication;
  readonly jobs: readonly SparkJob[];
  readonly originMs: number;
}): readonly TracePhase[] {
  const { runs } = application.attempts;
  const parts = application.attempts.build(originMs);
  const indexOf = new Map(runs.map(({ stage, stageTry }, n) => [stageKey(stage, stageTry), n]));
  const spanIndex = new Map(jobs.map(({ id }, index) => [id, index]));
  const phasesOfStage = new Map<number, readonly SparkPhase[]>();
  return stages.map((stage, phase) => {
    const own = defined(indexOf.get(stageKey(stage.id, stage.attempt)), "a stage that ran");
    const { submittedAt } = stage;
    const tries = phasesOfStage.get(stage.id) ?? [];
    const parents = stage.parents.flatMap((parent) => phasesOfStage.get(parent) ?? []);
    const earlier = tries.filter(({ attempt }) => attempt < stage.attempt);
    const reads = [...new Set([...parents, ...earlier].map((read) => read.phase))];
    phasesOfStage.set(stage.id, [...tries, { phase, attempt: stage.attempt }]);
    return {
      name: stage.attempt === 0 ? `stage ${stage.id}` : `stage ${stage.id}.${stage.attempt}`,
      title: stage.name,
      kind: "stage",
      try: stage.attempt,
      span: spanIndex.get(stage.job ?? -1) ?? -1,
      reads: reads.sort((a, b) => a - b).map((read) => ({ phase: read, start: { when: "done" } })),
      ...(stage.profile > 0 && { profile: stage.profile }),
      ...(submittedAt !== undefined && { submittedAt: submittedAt - originMs }),
      tasks: Math.max(cell(runs[own]).tasks, stage.tasks),
      attempts: cell(parts[own]),
    };
  });
}

interface SparkPhase {
  readonly phase: number;
  readonly attempt: number;
}

/** What each executor can run at once, from when it registered; local mode names no cores. */
function slotsOf(application: SparkApplication, originMs: number): readonly SlotSpan[] {
  const holders = [...application.executors.values()].flatMap((one) => {
    const executor = application.executorNames.find(one.id);
    const node = application.nodes.find(one.host);
    // An executor that comes after the last task does not belong to the job.
    const isOfUse = one.cores !== undefined && one.from <= application.lastAt;
    return isOfUse && executor >= 0 && node >= 0 ? [{ ...one, executor, node }] : [];
  });
  return application.slots.of(holders, application.properties, originMs);
}

function outcomeOf(application: SparkApplication, jobs: readonly SparkJob[]): TraceJob["outcome"] {
  if (application.endedAt === undefined) return "cut-off";
  return jobs.some(({ succeeded }) => succeeded === false) ? "failed" : "succeeded";
}

const SETTINGS = [/^spark\.speculation/, /^spark\.locality\.wait/, /^spark\.task\.(cpus|maxF)/];

function settingsOf({ properties, version }: SparkApplication): Recorded {
  const values = Object.fromEntries(
    [...properties].filter(([name]) => SETTINGS.some((pattern) => pattern.test(name))).sort(),
  );
  const speculation = properties.get("spark.speculation") === "true";
  const discipline = Number.parseInt(version ?? "", 10) >= 4 ? "spark-4" : "spark-3.5";
  return { speculation, ...(speculation && { discipline }), values };
}

function lacksOf(
  application: SparkApplication,
  phases: readonly TracePhase[],
): ReadonlySet<Signal> {
  const lacks = new Set<Signal>([
    "progress",
    "time of assignment",
    "counters of killed attempts",
    "other jobs on the cluster",
    ...unmeasured(phases),
  ]);
  if (![...application.executors.values()].some(({ cores }) => cores !== undefined)) {
    lacks.add("slots");
  }
  return lacks;
}
