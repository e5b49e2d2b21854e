import type { Trace } from "../../../src/history/model.ts";
import { SparkReader } from "../../../src/trace/spark/read-spark.ts";

/** An executor of a made-up application; times in ms since its start. */
export interface MadeExecutor {
  readonly host: string;
  readonly cores: number;
  readonly from?: number;
  /** When it is removed, since it is idle. */
  readonly until?: number;
  readonly resources?: Readonly<Record<string, number>>;
}

export interface MadeTask {
  readonly ms: number;
  readonly bytes?: number;
  readonly records?: number;
  /** How long the driver fetches the result. */
  readonly resultMs?: number;
  /** The only host where it may run: its data are there. */
  readonly host?: string;
}

export interface MadeJob {
  /** How long the driver works before it submits the job. */
  readonly afterMs: number;
  readonly stages: readonly (readonly MadeTask[])[];
}

export interface MadeApplication {
  readonly executors: readonly MadeExecutor[];
  readonly jobs: readonly MadeJob[];
  /** Of a slot that is free to the next launch on it. */
  readonly launchMs?: number;
  /** Tasks that run at once on an executor, if not one for each core. */
  readonly slotsOf?: (executor: MadeExecutor) => number;
  readonly properties?: Readonly<Record<string, string>>;
  /** What the driver does after the last job. */
  readonly endMs?: number;
}

const ORIGIN = 1_790_000_000_000;

/** The event log of an application whose tasks run in their order, each on the first free slot. */
export function sparkLog(made: MadeApplication): string {
  const { executors, jobs, slotsOf = ({ cores }) => cores, properties = {}, endMs = 0 } = made;
  const lines: unknown[] = head(executors, properties);
  const run: Running = {
    ...{ lines, launchMs: made.launchMs ?? 0, stage: 0, taskId: 0, now: 0 },
    slots: executors.flatMap((executor, id) =>
      Array.from({ length: slotsOf(executor) }, () => ({
        executor: String(id + 1),
        host: executor.host,
        freeAt: executor.from ?? 0,
        until: executor.until ?? Number.POSITIVE_INFINITY,
      })),
    ),
  };
  for (const [job, { afterMs, stages }] of jobs.entries()) {
    run.now += afterMs;
    const ids = stages.map((_, n) => run.stage + n);
    const started = { "Job ID": job, "Submission Time": ORIGIN + run.now, "Stage IDs": ids };
    lines.push({ Event: "SparkListenerJobStart", ...started });
    for (const [n, tasks] of stages.entries()) runStage(run, tasks, n > 0);
    lines.push({
      Event: "SparkListenerJobEnd",
      "Job ID": job,
      "Completion Time": ORIGIN + run.now,
      "Job Result": { Result: "JobSucceeded" },
    });
  }
  lines.push({ Event: "SparkListenerApplicationEnd", Timestamp: ORIGIN + run.now + endMs });
  return lines.map((one) => JSON.stringify(one)).join("\n");
}

interface Running {
  readonly lines: unknown[];
  readonly launchMs: number;
  readonly slots: Slot[];
  stage: number;
  taskId: number;
  now: number;
}

interface Slot {
  readonly executor: string;
  readonly host: string;
  readonly until: number;
  freeAt: number;
}

function head(
  executors: readonly MadeExecutor[],
  properties: Readonly<Record<string, string>>,
): unknown[] {
  return [
    { Event: "SparkListenerLogStart", "Spark Version": "3.5.1" },
    {
      ...{ Event: "SparkListenerApplicationStart", "App Name": "made up", "App ID": "app-1" },
      ...{ Timestamp: ORIGIN, User: "someone" },
    },
    { Event: "SparkListenerEnvironmentUpdate", "Spark Properties": properties },
    ...executors.map(({ host, cores, from = 0, resources = {} }, id) => ({
      Event: "SparkListenerExecutorAdded",
      Timestamp: ORIGIN + from,
      "Executor ID": String(id + 1),
      "Executor Info": {
        Host: host,
        "Total Cores": cores,
        Resources: Object.fromEntries(
          Object.entries(resources).map(([name, count]) => [
            name,
            { name, addresses: Array.from({ length: count }, (_, n) => String(n)) },
          ]),
        ),
      },
    })),
    ...executors.flatMap(({ until }, id) =>
      until === undefined
        ? []
        : [
            {
              ...{ Event: "SparkListenerExecutorRemoved", Timestamp: ORIGIN + until },
              ...{ "Executor ID": String(id + 1), "Removed Reason": "idle for too long" },
            },
          ],
    ),
  ];
}

function runStage(run: Running, tasks: readonly MadeTask[], hasParent: boolean): void {
  const { lines, slots, stage, now } = run;
  const info = {
    "Stage ID": stage,
    "Stage Attempt ID": 0,
    "Stage Name": `stage ${stage} of the test`,
    "Number of Tasks": tasks.length,
    "Parent IDs": hasParent ? [stage - 1] : [],
    "Submission Time": ORIGIN + now,
  };
  lines.push({ Event: "SparkListenerStageSubmitted", "Stage Info": info });
  for (const [index, task] of tasks.entries()) {
    const own = slots.filter(
      ({ host, freeAt, until }) =>
        (task.host === undefined || task.host === host) && Math.max(now, freeAt) < until,
    );
    const slot = own.reduce((a, b) => (b.freeAt < a.freeAt ? b : a));
    const launched = Math.max(now, slot.freeAt) + run.launchMs;
    slot.freeAt = launched + task.ms;
    run.now = Math.max(run.now, slot.freeAt + (task.resultMs ?? 0));
    const ids = { "Task ID": run.taskId++, Index: index, Attempt: 0 };
    lines.push(taskEnd(stage, task, { ids, launched, slot }));
  }
  const completed = { ...info, "Completion Time": ORIGIN + run.now };
  lines.push({ Event: "SparkListenerStageCompleted", "Stage Info": completed });
  run.stage += 1;
}

interface Ran {
  readonly ids: Readonly<Record<string, number>>;
  readonly launched: number;
  readonly slot: Running["slots"][number];
}

function taskEnd(
  stage: number,
  { ms, bytes = 0, records = 0, resultMs = 0 }: MadeTask,
  { ids, launched, slot: { executor, host, freeAt } }: Ran,
): unknown {
  return {
    ...{ Event: "SparkListenerTaskEnd", "Stage ID": stage, "Stage Attempt ID": 0 },
    "Task Type": "ResultTask",
    "Task End Reason": { Reason: "Success" },
    "Task Info": {
      ...ids,
      "Launch Time": ORIGIN + launched,
      ...{ "Executor ID": executor, Host: host, Locality: "PROCESS_LOCAL", Speculative: false },
      "Getting Result Time": resultMs > 0 ? ORIGIN + freeAt : 0,
      "Finish Time": ORIGIN + freeAt + resultMs,
    },
    "Task Metrics": {
      "Executor CPU Time": ms * 1e6,
      "JVM GC Time": 0,
      "Input Metrics": { "Bytes Read": bytes, "Records Read": records },
    },
  };
}

export function sparkTrace(made: MadeApplication): Trace {
  const reader = new SparkReader("made up");
  reader.push(new TextEncoder().encode(`${sparkLog(made)}\n`));
  return reader.end();
}
