import { defined } from "../../base/assert.ts";
import { grouped } from "../../base/grouped.ts";
import { ascending } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import {
  type JobSpan,
  type Note,
  type PhaseTry,
  type Recorded,
  type Signal,
  type SlotSpan,
  type Trace,
  type TraceJob,
  type TracePhase,
  unmeasured,
} from "../../history/model.ts";
import type { SparkApplication, SparkJob, SparkStage } from "./application.ts";
import { evidenceOf, gapIn, isCancelled, isShutDown, leaveOutContradicting } from "./evidence.ts";
import { type StageRun, stageKey } from "./spark-attempts.ts";

/** One job per application; its jobs are spans of it, and each stage is a phase. */
export function applicationsTrace(
  applications: readonly SparkApplication[],
  file: string,
  notes: readonly Note[],
): Trace {
  for (const application of applications) {
    application.endRunning();
    leaveOutContradicting(application, file);
  }
  const originMs = least(applications.map(originOf));
  const [{ version } = { version: undefined }] = applications;
  const jobs = applications.map((application) => jobOf(application, originMs));
  return {
    source: { format: "spark", ...(version !== undefined && { version }), files: [file] },
    originMs,
    jobs: jobs.sort(ascending(({ submittedAt }) => submittedAt)),
    notes: [...notes, ...applications.flatMap(notesOf)],
  };
}

function jobOf(application: SparkApplication, originMs: number): TraceJob {
  const { runs } = application.attempts;
  const jobs = [...application.jobs.values()].sort((a, b) => a.id - b.id);
  const stages = stagesOf(application, runs);
  const spans = spansOf(application, jobs, stages, originMs);
  const gap = gapIn(application);
  const phases = phasesOf({ stages, application, jobs, originMs });
  const { user, endedAt = application.lastAt } = application;
  const evidence = evidenceOf(application, phases, { originMs, gap });
  return {
    id: application.id ?? application.name ?? "application",
    name: application.name ?? "application",
    ...(user !== undefined && { user }),
    submittedAt: originOf(application) - originMs,
    endedAt: endedAt - originMs,
    outcome: outcomeOf(application, jobs),
    phases,
    spans,
    nodes: application.nodes.names,
    executors: application.executorNames.names,
    slots: slotsOf(application, originMs),
    settings: settingsOf(application),
    lacks: lacksOf(application, phases),
    ...(evidence !== undefined && { evidence }),
  };
}

function originOf({ attempts, lastAt, startedAt }: SparkApplication): number {
  const first = attempts.runs.reduce(
    (earliest, { firstLaunchedAt }) => Math.min(earliest, firstLaunchedAt),
    lastAt,
  );
  return Math.min(startedAt ?? first, first);
}

/** Stages that ran, as their first try; a stage that only its tasks name is made up from these. */
function stagesOf(application: SparkApplication, runs: readonly StageRun[]): readonly SparkStage[] {
  const ran = runs.map(({ stage, firstLaunchedAt, laterTries }): SparkStage => {
    const tries = [0, ...laterTries.keys()];
    const known = tries.flatMap((one) => application.stages.get(stageKey(stage, one)) ?? []);
    const [first] = known;
    const submittedAt = least(known.map((one) => one.submittedAt ?? Number.POSITIVE_INFINITY));
    return {
      name: `stage ${stage}`,
      tasks: 0,
      profile: 0,
      parents: [],
      completedAt: undefined,
      failure: undefined,
      ...first,
      id: stage,
      attempt: 0,
      submittedAt: Number.isFinite(submittedAt) ? submittedAt : firstLaunchedAt,
    };
  });
  const at = ({ submittedAt }: SparkStage): number => submittedAt ?? Number.POSITIVE_INFINITY;
  // A stage may be submitted at the moment when its parents end; ids rise with depth.
  return ran.sort(
    ascending(
      at,
      ascending(({ id }) => id),
    ),
  );
}

/** Jobs of Spark 1.2 have no times, so they get those of their stages' tasks. */
function spansOf(
  application: SparkApplication,
  jobs: readonly SparkJob[],
  stages: readonly SparkStage[],
  originMs: number,
): readonly JobSpan[] {
  const runsOf = grouped(application.attempts.runs, ({ stage }) => stage);
  const stagesOfJob = grouped(stages, ({ id, submittedAt }) => application.jobOf(id, submittedAt));
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
  const lost = new Map(
    application.executors.all.map(({ id, until }) => [
      application.executorNames.find(id),
      until ?? Number.POSITIVE_INFINITY,
    ]),
  );
  const parts = application.attempts.build(originMs, {
    tasksOf: (stage, one) => application.stages.get(stageKey(stage, one))?.tasks ?? 0,
    isGone: (executor, at) => (lost.get(executor) ?? Number.POSITIVE_INFINITY) <= at,
  });
  const indexOf = new Map(runs.map(({ stage }, n) => [stage, n]));
  const spanIndex = new Map(jobs.map(({ id }, index) => [id, index]));
  const spanOf = (stage: number, at: number | undefined): number =>
    spanIndex.get(application.jobOf(stage, at) ?? -1) ?? -1;
  const phaseOfStage = new Map(stages.map(({ id }, phase) => [id, phase]));
  return stages.map((stage, phase) => {
    const own = defined(indexOf.get(stage.id), "a stage that ran");
    const run = cell(runs[own]);
    const { submittedAt } = stage;
    const reads = stage.parents
      .flatMap((parent) => phaseOfStage.get(parent) ?? [])
      .filter((parent) => parent < phase);
    const laterTries = [...run.laterTries].map(([one, firstAt]): PhaseTry => {
      const known = application.stages.get(stageKey(stage.id, one));
      const at = Math.min(known?.submittedAt ?? firstAt, firstAt);
      const tasks = known?.tasks ?? run.later.filter(({ stageTry }) => stageTry === one).length;
      return { submittedAt: at - originMs, span: spanOf(stage.id, at), tasks };
    });
    return {
      name: `stage ${stage.id}`,
      title: stage.name,
      kind: "stage",
      ...(laterTries.length > 0 && {
        laterTries: laterTries.sort(ascending((one) => one.submittedAt)),
      }),
      span: spanOf(stage.id, submittedAt),
      reads: [...new Set(reads)]
        .sort((a, b) => a - b)
        .map((read) => ({ phase: read, start: { when: "done" } })),
      ...(stage.profile > 0 && { profile: stage.profile }),
      ...(submittedAt !== undefined && { submittedAt: submittedAt - originMs }),
      tasks: Math.max(run.tasks, stage.tasks),
      attempts: cell(parts[own]),
    };
  });
}

/** What each executor can run at once, from when it registered; local mode names no cores. */
function slotsOf(application: SparkApplication, originMs: number): readonly SlotSpan[] {
  const lastAt = Math.min(application.lastAt, application.endedAt ?? application.lastAt);
  const holders = application.executors.all.flatMap((one) => {
    const executor = application.executorNames.find(one.id);
    const node = application.nodes.find(one.host);
    // An executor that comes after the last task does not belong to the job.
    const isOfUse = one.cores !== undefined && one.from <= lastAt;
    return isOfUse && executor >= 0 && node >= 0 ? [{ ...one, executor, node }] : [];
  });
  const { slots, properties, stages } = application;
  const ends = new Map([...stages.values()].map(({ id, completedAt }) => [id, completedAt]));
  return slots.of(holders, properties, originMs, (stage) => ends.get(stage));
}

/**
 * A log does not say how the application ended. A job that fails ends it, unless its program goes
 * on; a job that was cancelled ends nothing, unless the application ended meanwhile.
 */
function outcomeOf(application: SparkApplication, jobs: readonly SparkJob[]): TraceJob["outcome"] {
  if (application.endedAt === undefined) return "cut-off";
  const ends = jobs.filter(({ endedAt }) => endedAt !== undefined);
  const lastEnd = Math.max(...ends.map(({ endedAt = 0 }) => endedAt));
  const last = ends.filter(({ endedAt, succeeded }) => endedAt === lastEnd && succeeded === false);
  const goesOn = (one: SparkJob): boolean =>
    jobs.some(({ submittedAt = 0 }) => submittedAt > (one.endedAt ?? 0));
  if (last.some((one) => isShutDown(one))) return "killed";
  return last.some((one) => !isCancelled(one) && !goesOn(one)) ? "failed" : "succeeded";
}

function notesOf(application: SparkApplication): readonly Note[] {
  const notes: Note[] = [];
  const { incomplete, unplaced, endedAt, running, doubles } = application;
  if (doubles > 0) {
    const ends = doubles === 1 ? "1 task end stands" : `${doubles} task ends stand`;
    notes.push({ kind: "duplicate", text: `${ends} twice: the task counts once` });
  }
  if (unplaced > 0) {
    const ends = unplaced === 1 ? "1 task end lacks" : `${unplaced} task ends lack`;
    notes.push({ kind: "assumed", text: `${ends} \`Index\`: \`Partition ID\` stands for it` });
  }
  if (incomplete > 0) {
    const ends = incomplete === 1 ? "1 task end" : `${incomplete} task ends`;
    notes.push({ kind: "dropped", text: `${ends} without ids or times left out` });
  }
  if (endedAt !== undefined) return notes;
  if (running.length > 0) {
    const tasks = running.length === 1 ? "1 task" : `${running.length} tasks`;
    notes.push({ kind: "cut-off", text: `${tasks} had not ended when the log did` });
  } else {
    notes.push({ kind: "cut-off", text: "the application had not ended when the log did" });
  }
  return notes;
}

const SETTINGS = [/^spark\.speculation/, /^spark\.locality\.wait/, /^spark\.task\.(cpus|maxF)/];

function settingsOf({ properties, version }: SparkApplication): Recorded {
  const values = Object.fromEntries(
    [...properties].filter(([name]) => SETTINGS.some((pattern) => pattern.test(name))).sort(),
  );
  // Spark reads it in any case of letters.
  const speculation = /^\s*true\s*$/i.test(properties.get("spark.speculation") ?? "");
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
  if (![...application.executors.all].some(({ cores }) => cores !== undefined)) {
    lacks.add("slots");
  }
  return lacks;
}
