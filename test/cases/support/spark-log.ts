/** The origin of generated logs, in ms since 1970. */
const ORIGIN = 1_700_000_000_000;

/** One attempt of a task. Times in ms since the log's origin. */
export interface LogTask {
  readonly stage?: number;
  readonly stageTry?: number;
  readonly id: number;
  readonly index: number;
  readonly partition?: number;
  readonly executor?: number;
  readonly from: number;
  /** Absent: the task's end is not in the log. */
  readonly to?: number;
  readonly isSpeculative?: boolean;
  /** Time in garbage collection. Default: no metrics. */
  readonly gcMs?: number;
  /** Spark's own object. Default: `Success`. */
  readonly reason?: Readonly<Record<string, unknown>>;
}

/** One try of a stage. */
export interface LogStage {
  readonly id?: number;
  readonly stageTry?: number;
  readonly job?: number;
  readonly tasks: number;
  readonly parents?: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly failed?: string;
}

export interface LogParts {
  /** Cores of each executor; executor n is on host `hn`. */
  readonly cores: readonly number[];
  /** When executors came that were not there at the start. */
  readonly cameAt?: ReadonlyMap<number, number>;
  readonly stages: readonly LogStage[];
  readonly tasks: readonly LogTask[];
  readonly removed?: readonly {
    readonly executor: number;
    readonly at: number;
    readonly reason: string;
  }[];
  /** The message of a failed job. */
  readonly jobs?: readonly { readonly id: number; readonly failed: string }[];
  readonly to: number;
}

/** A log of Spark as its lines, in the order of their times. */
export function sparkLines(parts: LogParts): readonly string[] {
  const { cores, cameAt, stages, tasks, removed = [], to } = parts;
  const events: (readonly [at: number, event: object])[] = [
    [0, event("LogStart", { "Spark Version": "3.5.1" })],
    [0, event("ApplicationStart", { "App ID": "app-1", "App Name": "made", Timestamp: ORIGIN })],
    ...cores.map((total, n) => {
      const at = cameAt?.get(n) ?? 1;
      return [at, added(n, total, at)] as const;
    }),
    ...jobsOf(parts),
    ...stages.flatMap((stage) => stageEvents(stage)),
    ...tasks.flatMap((task) => taskEvents(task)),
    ...removed.map(({ executor, at, reason }) => {
      const what = { "Executor ID": `${executor}`, "Removed Reason": reason };
      return [at, event("ExecutorRemoved", { Timestamp: ORIGIN + at, ...what })] as const;
    }),
    [to, event("ApplicationEnd", { Timestamp: ORIGIN + to })],
  ];
  return events.toSorted(([a], [b]) => a - b).map(([, each]) => JSON.stringify(each));
}

const event = (name: string, fields: object): object => ({
  Event: `SparkListener${name}`,
  ...fields,
});

const added = (n: number, total: number, at: number): object =>
  event("ExecutorAdded", {
    Timestamp: ORIGIN + at,
    "Executor ID": `${n}`,
    "Executor Info": { Host: `h${n}`, "Total Cores": total },
  });

function jobsOf({ stages, jobs = [] }: LogParts): readonly (readonly [number, object])[] {
  const ids = [...new Set(stages.map(({ job = 0 }) => job))];
  return ids.flatMap((id) => {
    const own = stages.filter(({ job = 0 }) => job === id);
    const from = Math.min(...own.map((stage) => stage.from));
    const to = Math.max(...own.map((stage) => stage.to));
    const message = jobs.find((job) => job.id === id)?.failed;
    const result =
      message === undefined
        ? { Result: "JobSucceeded" }
        : { Result: "JobFailed", Exception: { Message: message, "Stack Trace": [] } };
    const ends = { "Completion Time": ORIGIN + to, "Job Result": result };
    const names = [...new Set(own.map((stage) => stage.id ?? 0))];
    const starts = { "Submission Time": ORIGIN + from, "Stage IDs": names };
    return [
      [from, event("JobStart", { "Job ID": id, ...starts })],
      [to, event("JobEnd", { "Job ID": id, ...ends })],
    ] as const;
  });
}

function stageEvents(stage: LogStage): readonly (readonly [number, object])[] {
  const { id = 0, stageTry = 0, tasks, parents = [], from, to, failed } = stage;
  const info = {
    "Stage ID": id,
    "Stage Attempt ID": stageTry,
    "Stage Name": `step ${id}`,
    "Number of Tasks": tasks,
    "Parent IDs": parents,
    "Submission Time": ORIGIN + from,
  };
  const end = {
    "Completion Time": ORIGIN + to,
    ...(failed !== undefined && { "Failure Reason": failed }),
  };
  return [
    [from, event("StageSubmitted", { "Stage Info": info })],
    [to, event("StageCompleted", { "Stage Info": { ...info, ...end } })],
  ];
}

function taskEvents(task: LogTask): readonly (readonly [number, object])[] {
  const { stage = 0, stageTry = 0, id, index, executor = 0, from, to } = task;
  const { reason = { Reason: "Success" }, isSpeculative = false, partition, gcMs } = task;
  const info = {
    "Task ID": id,
    Index: index,
    ...(partition !== undefined && { "Partition ID": partition }),
    Attempt: 0,
    "Launch Time": ORIGIN + from,
    "Executor ID": `${executor}`,
    Host: `h${executor}`,
    Locality: "NODE_LOCAL",
    Speculative: isSpeculative,
  };
  const own = { "Stage ID": stage, "Stage Attempt ID": stageTry };
  const start = event("TaskStart", { ...own, "Task Info": { ...info, "Finish Time": 0 } });
  if (to === undefined) return [[from, start]];
  const killed = reason.Reason === "TaskKilled";
  const end = {
    "Finish Time": ORIGIN + to,
    Failed: reason.Reason !== "Success" && !killed,
    Killed: killed,
  };
  const metrics = { "Executor Run Time": to - from, "JVM GC Time": gcMs };
  const ended = {
    ...{ ...own, "Task Type": "ShuffleMapTask", "Task End Reason": reason },
    ...(gcMs !== undefined && { "Task Metrics": metrics }),
  };
  return [
    [from, start],
    [to, event("TaskEnd", { ...ended, "Task Info": { ...info, ...end } })],
  ];
}
