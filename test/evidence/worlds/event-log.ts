import type { Attempt } from "./attempt.ts";
import type { Run, StageRun } from "./dispatch.ts";
import type { Executor, Plan } from "./plan.ts";

/** Epoch time of a world's beginning. */
const ORIGIN = 1_790_000_000_000;

/** What an event log has beside stages and attempts. */
export interface Beside {
  readonly executors: readonly Executor[];
  readonly removed: readonly { readonly id: string; readonly at: number; readonly why: string }[];
  /** Finished attempts whose output was lost with their executor, and when that was noticed. */
  readonly resubmitted: readonly { readonly attempt: Attempt; readonly at: number }[];
  /** The stages of each job. */
  readonly jobs: readonly (readonly number[])[];
}

type Event = Readonly<Record<string, unknown>>;

/** The lines that Spark 3.5 writes, in the order of their times. */
export function eventLog(
  { coresEach, stages: works }: Plan,
  { attempts, stages }: Run,
  { executors, removed, resubmitted, jobs }: Beside,
): readonly string[] {
  const ids = new Map(attempts.map((attempt, id) => [attempt, id]));
  const timed: { readonly at: number; readonly event: Event }[] = [];
  const put = (at: number, event: Event): unknown => timed.push({ at, event });
  for (const { id, node, from } of executors) {
    put(from - 1, {
      Event: "SparkListenerExecutorAdded",
      Timestamp: ORIGIN + from - 1,
      "Executor ID": id,
      "Executor Info": { Host: node, "Total Cores": coresEach, "Log Urls": {} },
    });
  }
  for (const { id, at, why } of removed) {
    put(at, {
      Event: "SparkListenerExecutorRemoved",
      Timestamp: ORIGIN + at,
      "Executor ID": id,
      "Removed Reason": why,
    });
  }
  const tasksOf = (stage: number): number => works[stage]?.length ?? 0;
  for (const [job, own] of jobs.entries()) {
    const runs = stages.filter(({ stage }) => own.includes(stage));
    put(runs[0]?.submittedAt ?? 0, {
      Event: "SparkListenerJobStart",
      "Job ID": job,
      "Submission Time": ORIGIN + (runs[0]?.submittedAt ?? 0),
      "Stage Infos": own.map((stage) => stageInfo(stage, 0, tasksOf(stage), own)),
      "Stage IDs": own,
      Properties: {},
    });
    const end = (runs.at(-1)?.completedAt ?? 0) + 5;
    put(end, {
      Event: "SparkListenerJobEnd",
      "Job ID": job,
      "Completion Time": ORIGIN + end,
      "Job Result": { Result: "JobSucceeded" },
    });
  }
  for (const run of stages) putStage(run, jobs, put);
  for (const attempt of attempts) putAttempt(attempt, ids.get(attempt) ?? -1, put);
  for (const { attempt, at } of resubmitted) {
    put(at, endEvent(attempt, ids.get(attempt) ?? -1, { Reason: "Resubmitted" }));
  }
  // A stable sort: an end stands before the launch that it makes room for.
  const ordered = timed.toSorted((a, b) => Math.sign(a.at - b.at)).map(({ event }) => event);
  const end = stages.reduce((latest, { completedAt }) => Math.max(latest, completedAt), 0) + 40;
  const start = { Event: "SparkListenerLogStart", "Spark Version": "3.5.1" };
  const application = {
    ...{ Event: "SparkListenerApplicationStart", "App Name": "world", "App ID": "app-1" },
    ...{ Timestamp: ORIGIN - 2_000, User: "somebody" },
  };
  const over = { Event: "SparkListenerApplicationEnd", Timestamp: ORIGIN + end };
  return [start, application, ...ordered, over].map((event) => JSON.stringify(event));
}

function stageInfo(stage: number, nth: number, tasks: number, job: readonly number[]): Event {
  return {
    "Stage ID": stage,
    "Stage Attempt ID": nth,
    "Stage Name": `map at world.py:${stage}`,
    "Number of Tasks": tasks,
    "RDD Info": [],
    "Parent IDs": job.includes(stage - 1) ? [stage - 1] : [],
    Details: "",
    Accumulables: [],
  };
}

type Put = (at: number, event: Event) => unknown;

function putStage(run: StageRun, jobs: Beside["jobs"], put: Put): void {
  const { stage, try: nth, tasks, submittedAt, completedAt, failed } = run;
  const job = jobs.find((own) => own.includes(stage)) ?? [];
  const info = { ...stageInfo(stage, nth, tasks, job), "Submission Time": ORIGIN + submittedAt };
  put(submittedAt, {
    Event: "SparkListenerStageSubmitted",
    "Stage Info": info,
    Properties: {},
  });
  put(completedAt, {
    Event: "SparkListenerStageCompleted",
    "Stage Info": {
      ...info,
      "Completion Time": ORIGIN + completedAt,
      ...(failed !== undefined && { "Failure Reason": failed }),
    },
  });
}

function putAttempt(attempt: Attempt, id: number, put: Put): void {
  const { stage, try: nth, launch, finish, end } = attempt;
  put(launch, {
    Event: "SparkListenerTaskStart",
    "Stage ID": stage,
    "Stage Attempt ID": nth,
    "Task Info": { ...taskInfo(attempt, id), "Finish Time": 0, Failed: false, Killed: false },
  });
  put(finish, endEvent(attempt, id, reasonOf(end)));
}

function reasonOf(end: Attempt["end"]): Event {
  switch (end.reason) {
    case "Success":
      return { Reason: "Success" };
    case "ExceptionFailure": {
      const [name, says] = end.says.split(": ");
      return { Reason: end.reason, "Class Name": name, Description: says, "Stack Trace": [] };
    }
    case "ExecutorLostFailure":
      return { Reason: end.reason, "Exit Caused By App": false, "Loss Reason": end.says };
    case "TaskKilled":
      return { Reason: end.reason, "Kill Reason": end.says };
    case "FetchFailed":
      return {
        Reason: end.reason,
        "Block Manager Address": { "Executor ID": end.executor, Host: end.node, Port: 7337 },
        ...{ "Shuffle ID": 0, "Map ID": 0, "Reduce ID": 0, Message: "connection closed" },
      };
  }
}

function endEvent(attempt: Attempt, id: number, reason: Event): Event {
  const { stage, try: nth, launch, finish, work, end, moreGcMs = 0 } = attempt;
  const factor = end.reason === "Success" ? factorOf(attempt) : 1;
  // The rest of a cold start shows in the run time.
  const cold = LOADING * attempt.parts["cold-start"];
  const deserializeMs = Math.round(factor * (work.deserializeMs + cold));
  return {
    Event: "SparkListenerTaskEnd",
    "Stage ID": stage,
    "Stage Attempt ID": nth,
    "Task Type": stage === 0 ? "ShuffleMapTask" : "ResultTask",
    "Task End Reason": reason,
    "Task Info": {
      ...taskInfo(attempt, id),
      "Finish Time": ORIGIN + finish,
      Failed: end.reason !== "Success" && end.reason !== "TaskKilled",
      Killed: end.reason === "TaskKilled",
    },
    "Task Metrics": {
      "Executor Deserialize Time": deserializeMs,
      "Executor Run Time": Math.max(0, finish - launch - deserializeMs),
      "JVM GC Time": Math.round(factor * (work.gcMs + moreGcMs)),
      "Result Size": 2_000,
      "Shuffle Read Metrics": {
        "Fetch Wait Time": Math.round(factor * work.fetchMs),
        "Remote Bytes Read": stage > 0 ? work.bytes : 0,
        "Local Bytes Read": 0,
        "Total Records Read": stage > 0 ? 1_000 : 0,
      },
      "Input Metrics": {
        "Bytes Read": stage > 0 ? 0 : work.bytes,
        "Records Read": stage > 0 ? 0 : 1_000,
      },
    },
  };
}

/** The part of a cold start that is spent on loading classes. */
const LOADING = 0.7;

const factorOf = ({ parts, launch, finish }: Attempt): number =>
  (finish - launch) / Math.max(1, finish - launch - parts.node);

function taskInfo(
  { index, number, executor, node, launch, isCopy = false }: Attempt,
  id: number,
): Event {
  return {
    "Task ID": id,
    Index: index,
    Attempt: number,
    "Partition ID": index,
    "Launch Time": ORIGIN + launch,
    "Executor ID": executor,
    Host: node,
    Locality: "PROCESS_LOCAL",
    Speculative: isCopy,
    "Getting Result Time": 0,
  };
}
