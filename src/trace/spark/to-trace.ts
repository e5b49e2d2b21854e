import type { AttemptKind } from "../../model/attempt.ts";
import { ColumnsBuilder } from "../columns.ts";
import type {
  JobSpan,
  Note,
  Recorded,
  Signal,
  SlotSpan,
  Trace,
  TraceJob,
  TracePhase,
} from "../model.ts";
import { type SparkApplication, type SparkJob, type SparkStage, stageKey } from "./application.ts";
import type { TaskEnd } from "./task-end.ts";

/** One job per application; its jobs are spans of it, and each try of a stage is a phase. */
export function applicationTrace(
  application: SparkApplication,
  file: string,
  notes: readonly Note[],
): Trace {
  const ends = allEnds(application);
  const originMs = originOf(application, ends);
  const names = namesOf(application, ends);
  const jobs = [...application.jobs.values()].sort((a, b) => a.id - b.id);
  const stages = stagesOf(application, ends);
  const spans = jobs.map((job) => spanOf(job, stages, ends, originMs));
  const phases = phasesOf({ stages, ends, jobs, names, originMs });
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
    nodes: names.nodes,
    executors: names.executors,
    slots: slotsOf(application, names, originMs),
    settings: settingsOf(application),
    lacks: lacksOf(application, ends),
  };
  const source = { ...(version !== undefined && { version }), files: [file] };
  return { source: { format: "spark", ...source }, originMs, jobs: [job], notes };
}

/** Tasks that had not ended when the log did end with its last event. */
function allEnds({ ends, running, lastAt }: SparkApplication): readonly TaskEnd[] {
  return [...ends, ...[...running.values()].map((open) => ({ ...open, finishedAt: lastAt }))];
}

function originOf(application: SparkApplication, ends: readonly TaskEnd[]): number {
  const first = ends.reduce((least, end) => Math.min(least, end.launchedAt), application.lastAt);
  return Math.min(application.startedAt ?? first, first);
}

interface NamesOfNodes {
  readonly nodes: readonly string[];
  readonly executors: readonly string[];
  readonly nodeIndex: ReadonlyMap<string, number>;
  readonly executorIndex: ReadonlyMap<string, number>;
}

function namesOf(application: SparkApplication, ends: readonly TaskEnd[]): NamesOfNodes {
  const nodeIndex = new Map<string, number>();
  const executorIndex = new Map<string, number>();
  const see = (index: Map<string, number>, name: string): void => {
    if (!index.has(name)) index.set(name, index.size);
  };
  for (const { id, host } of application.executors.values()) {
    if (isDriver(id) && !ends.some((end) => isDriver(end.executor))) continue;
    see(nodeIndex, host);
    see(executorIndex, id);
  }
  for (const { executor, host } of ends) {
    see(nodeIndex, host);
    see(executorIndex, executor);
  }
  const nodes = [...nodeIndex.keys()];
  return { nodes, executors: [...executorIndex.keys()], nodeIndex, executorIndex };
}

/** In local mode the driver runs the tasks. */
const isDriver = (id: string): boolean => id === "driver" || id === "<driver>";

/** Stages that ran; one that only its tasks name is made up from them. */
function stagesOf(application: SparkApplication, ends: readonly TaskEnd[]): readonly SparkStage[] {
  const ran = new Map<string, SparkStage>();
  for (const { stage, stageTry, launchedAt } of ends) {
    const key = stageKey(stage, stageTry);
    if (ran.has(key)) continue;
    const known = application.stages.get(key);
    const first = application.stages.get(stageKey(stage, 0));
    ran.set(
      key,
      known ?? {
        id: stage,
        attempt: stageTry,
        name: first?.name ?? `stage ${stage}`,
        tasks: first?.tasks ?? 0,
        parents: first?.parents ?? [],
        job: first?.job,
        submittedAt: launchedAt,
        completedAt: undefined,
      },
    );
  }
  const at = ({ submittedAt }: SparkStage): number => submittedAt ?? Number.POSITIVE_INFINITY;
  // A stage may be submitted at the moment when its parents end; ids rise with depth.
  return [...ran.values()].sort(
    (a, b) => compare(at(a), at(b)) || compare(a.id, b.id) || compare(a.attempt, b.attempt),
  );
}

const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Jobs of Spark 1.2 have no times: those of their stages' tasks stand in. */
function spanOf(
  { id, submittedAt, endedAt, stages: ids }: SparkJob,
  stages: readonly SparkStage[],
  ends: readonly TaskEnd[],
  originMs: number,
): JobSpan {
  const own = ends.filter(({ stage }) => ids.includes(stage));
  const submitted = stages.flatMap((stage) =>
    stage.job === id && stage.submittedAt !== undefined ? [stage.submittedAt] : [],
  );
  const first = [...submitted, ...own.map(({ launchedAt }) => launchedAt)];
  const from = submittedAt ?? (first.length === 0 ? originMs : least(first));
  const last = own.reduce((most, end) => Math.max(most, end.finishedAt), from);
  return { name: `job ${id}`, submittedAt: from - originMs, endedAt: (endedAt ?? last) - originMs };
}

const least = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);

function phasesOf({
  stages,
  ends,
  jobs,
  names,
  originMs,
}: {
  readonly stages: readonly SparkStage[];
  readonly ends: readonly TaskEnd[];
  readonly jobs: readonly SparkJob[];
  readonly names: NamesOfNodes;
  readonly originMs: number;
}): readonly TracePhase[] {
  const byStage = new Map<string, TaskEnd[]>();
  for (const end of ends) {
    const key = stageKey(end.stage, end.stageTry);
    const list = byStage.get(key);
    if (list === undefined) byStage.set(key, [end]);
    else list.push(end);
  }
  const spanIndex = new Map(jobs.map(({ id }, index) => [id, index]));
  return stages.map((stage, index) => {
    const own = byStage.get(stageKey(stage.id, stage.attempt)) ?? [];
    const { submittedAt } = stage;
    const reads = stages.flatMap((other, phase) => {
      const isParent = stage.parents.includes(other.id);
      const isEarlierTry = other.id === stage.id && other.attempt < stage.attempt;
      return phase < index && (isParent || isEarlierTry) ? [phase] : [];
    });
    return {
      name: stageName(stage),
      title: stage.name,
      kind: "stage",
      try: stage.attempt,
      span: spanIndex.get(stage.job ?? -1) ?? -1,
      reads: reads.map((phase) => ({ phase, start: { when: "done" } })),
      ...(submittedAt !== undefined && { submittedAt: submittedAt - originMs }),
      tasks: own.reduce((most, end) => Math.max(most, end.index + 1), stage.tasks),
      attempts: columnsOf(own, names, originMs),
    };
  });
}

const stageName = ({ id, attempt }: SparkStage): string =>
  attempt === 0 ? `stage ${id}` : `stage ${id}.${attempt}`;

function columnsOf(own: readonly TaskEnd[], names: NamesOfNodes, originMs: number) {
  const builder = new ColumnsBuilder();
  const seen = new Map<number, TaskEnd[]>();
  for (const end of own.toSorted((a, b) => compare(a.launchedAt, b.launchedAt))) {
    const earlier = seen.get(end.index) ?? [];
    builder.add({
      task: end.index,
      ordinal: earlier.length,
      as: kindOf(end, earlier),
      node: names.nodeIndex.get(end.host) ?? -1,
      executor: names.executorIndex.get(end.executor) ?? -1,
      startedAt: end.launchedAt - originMs,
      endedAt: end.finishedAt - originMs,
      ended: end.ended,
      locality: end.locality,
      ...end.metrics,
    });
    seen.set(end.index, [...earlier, end]);
  }
  return builder.build();
}

function kindOf(end: TaskEnd, earlier: readonly TaskEnd[]): AttemptKind {
  const before = earlier.at(-1);
  if (end.isSpeculative) return "speculative";
  if (before === undefined) return "original";
  if (earlier.some(({ ended }) => ended === "succeeded")) return "recompute";
  return before.ended === "failed" ? "retry" : "rerun";
}

/** The cores of each executor, from when it registered; local mode names no cores. */
function slotsOf(
  application: SparkApplication,
  names: NamesOfNodes,
  originMs: number,
): readonly SlotSpan[] {
  const cpus = Number(application.properties.get("spark.task.cpus") ?? "1");
  const slots: SlotSpan[] = [];
  for (const { id, host, cores, from, until } of application.executors.values()) {
    const executor = names.executorIndex.get(id);
    const node = names.nodeIndex.get(host);
    if (cores === undefined || executor === undefined || node === undefined) continue;
    // An executor that comes after the last task is none of the job's.
    if (from > application.lastAt) continue;
    const span = { from: from - originMs, ...(until !== undefined && { until: until - originMs }) };
    for (let n = 0; n < Math.floor(cores / Math.max(cpus, 1)); n++) {
      slots.push({ kind: "stage", node, executor, ...span });
    }
  }
  return slots;
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

function lacksOf(application: SparkApplication, ends: readonly TaskEnd[]): ReadonlySet<Signal> {
  const lacks = new Set<Signal>([
    "progress",
    "time of assignment",
    "counters of killed attempts",
    "other jobs on the cluster",
  ]);
  const has = (of: (end: TaskEnd) => number | undefined): boolean =>
    ends.some((end) => !Number.isNaN(of(end) ?? Number.NaN));
  if (!has(({ metrics }) => metrics?.inputBytes)) lacks.add("input bytes");
  if (!has(({ metrics }) => metrics?.shuffleBytes)) lacks.add("shuffle bytes");
  if (!has(({ metrics }) => metrics?.inputRecords)) lacks.add("records");
  if (!has(({ metrics }) => metrics?.gcMs)) lacks.add("GC");
  if (!has(({ metrics }) => metrics?.fetchWaitMs)) lacks.add("fetch wait");
  if (!has(({ metrics }) => metrics?.cpuMs)) lacks.add("CPU time");
  if (![...application.executors.values()].some(({ cores }) => cores !== undefined)) {
    lacks.add("slots");
  }
  return lacks;
}
