import { defined } from "../../base/assert.ts";
import { grouped } from "../../base/grouped.ts";
import { ascending } from "../../base/order.ts";
import { cell } from "../../base/rows.ts";
import {
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
import { evidenceOf, gapIn, leaveOutContradicting } from "./evidence.ts";
import { least, originOf, outcomeOf, queriesOf, spansOf } from "./spans.ts";
import { type StageRun, stageKey } from "./spark-attempts.ts";
import { NO_DATA } from "./stage-data.ts";

/** One job per application; its jobs are spans of it, and each stage is a phase. */
export function applicationsTrace(
  applications: readonly SparkApplication[],
  {
    file,
    notes,
    unread,
  }: { readonly file: string; readonly notes: readonly Note[]; readonly unread: number },
): Trace {
  for (const application of applications) {
    application.endOpen();
    leaveOutContradicting(application, file);
  }
  const originMs = least(applications.map(originOf));
  const [{ version } = { version: undefined }] = applications;
  const jobs = applications.map((application) => jobOf(application, { originMs, unread }));
  return {
    source: { format: "spark", ...(version !== undefined && { version }), files: [file] },
    originMs,
    jobs: jobs.sort(ascending(({ submittedAt }) => submittedAt)),
    notes: [...notes, ...applications.flatMap(notesOf)],
  };
}

function jobOf(
  application: SparkApplication,
  { originMs, unread }: { readonly originMs: number; readonly unread: number },
): TraceJob {
  const { runs } = application.attempts;
  const jobs = [...application.jobs.values()].sort((a, b) => a.id - b.id);
  const stages = stagesOf(application, runs);
  const spans = spansOf(application, jobs, stages, originMs);
  const queries = queriesOf(application, jobs, originMs);
  const gap = gapIn(application);
  const phases = phasesOf({ stages, application, jobs, originMs });
  const { user, endedAt = application.lastAt } = application;
  const evidence = evidenceOf(application, phases, { originMs, gap, unread });
  return {
    id: application.id ?? application.name ?? "application",
    name: application.name ?? "application",
    ...(user !== undefined && { user }),
    submittedAt: originOf(application) - originMs,
    endedAt: endedAt - originMs,
    outcome: outcomeOf(application, jobs),
    phases,
    spans,
    ...(queries.length > 0 && { queries }),
    nodes: application.nodes.names,
    executors: application.executorNames.names,
    slots: slotsOf(application, originMs),
    settings: settingsOf(application),
    lacks: lacksOf(application, phases),
    ...(evidence !== undefined && { evidence }),
  };
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
      data: NO_DATA,
      counters: new Set(),
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
  const readOf = sourcesOf(application, stages);
  return stages.map((stage, phase) => {
    const own = defined(indexOf.get(stage.id), "a stage that ran");
    const run = cell(runs[own]);
    const { submittedAt } = stage;
    const reads = stage.parents
      .flatMap((parent) => phaseOfStage.get(parent) ?? readOf(parent, phase))
      .filter((parent) => parent < phase);
    const operators = application.queries.operatorsOf(stage.id);
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
      ...(operators !== undefined && { operators }),
      // Tasks that wait for one another must not run twice: Spark makes no copies of them either.
      ...(stage.data.isBarrier && { forbidsCopies: true, startsTogether: true }),
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

/**
 * The phase that wrote what a skipped stage would have written: the latest one before the reader
 * that computed the same RDD. Adaptive execution runs each stage in a job of its own, so that the
 * readers name skipped stages alone.
 */
function sourcesOf(
  { rddOfStage }: SparkApplication,
  stages: readonly SparkStage[],
): (skipped: number, reader: number) => readonly number[] {
  const byRdd = grouped([...stages.keys()], (phase) => cell(stages[phase]).data.rdd);
  return (skipped, reader) => {
    const rdd = rddOfStage.get(skipped);
    const writers = rdd === undefined ? [] : (byRdd.get(rdd) ?? []);
    const writer = writers.findLast((phase) => phase < reader);
    return writer === undefined ? [] : [writer];
  };
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
