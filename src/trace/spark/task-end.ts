import type { JsonObject } from "../../base/json.ts";
import type { Locality } from "../../model/job.ts";
import type { TraceEnd } from "../columns.ts";
import { flagIn, numberIn, objectIn, textIn } from "../json-values.ts";

/** A `SparkListenerTaskEnd`. Times in ms since 1970; NaN where the log says nothing. */
export interface TaskEnd {
  readonly stage: number;
  readonly stageTry: number;
  readonly taskId: number;
  readonly index: number;
  readonly attempt: number;
  readonly launchedAt: number;
  readonly finishedAt: number;
  readonly executor: string;
  readonly host: string;
  readonly locality: Locality | undefined;
  readonly isSpeculative: boolean;
  readonly ended: TraceEnd;
  readonly metrics: TaskMetrics | undefined;
}

export interface TaskMetrics {
  readonly inputBytes: number;
  readonly inputRecords: number;
  readonly shuffleBytes: number;
  readonly shuffleRecords: number;
  readonly outputBytes: number;
  readonly gcMs: number;
  readonly fetchWaitMs: number;
  readonly deserializeMs: number;
  readonly cpuMs: number;
  readonly spilledBytes: number;
}

/** undefined if the event lacks what identifies the attempt. */
export function readTaskEnd(event: JsonObject): TaskEnd | undefined {
  const info = objectIn(event, "Task Info");
  const stage = numberIn(event, "Stage ID");
  if (info === undefined || stage === undefined) return undefined;
  const taskId = numberIn(info, "Task ID");
  const index = numberIn(info, "Index");
  const launchedAt = numberIn(info, "Launch Time");
  const finishedAt = numberIn(info, "Finish Time");
  if (taskId === undefined || index === undefined || launchedAt === undefined) return undefined;
  if (finishedAt === undefined || finishedAt < launchedAt) return undefined;
  const metrics = objectIn(event, "Task Metrics");
  const ended = endOf(event, info);
  return {
    stage,
    stageTry: numberIn(event, "Stage Attempt ID") ?? 0,
    taskId,
    index,
    attempt: numberIn(info, "Attempt") ?? 0,
    launchedAt,
    finishedAt,
    executor: textIn(info, "Executor ID") ?? "",
    host: textIn(info, "Host") ?? "",
    locality: LOCALITIES.get(textIn(info, "Locality") ?? ""),
    isSpeculative: flagIn(info, "Speculative"),
    ended,
    metrics: metrics === undefined ? undefined : readMetrics(metrics, ended),
  };
}

const LOCALITIES: ReadonlyMap<string, Locality> = new Map([
  ["PROCESS_LOCAL", "node"],
  ["NODE_LOCAL", "node"],
  ["RACK_LOCAL", "rack"],
  ["ANY", "any"],
]);

function endOf(event: JsonObject, info: JsonObject): TraceEnd {
  const reason = textIn(objectIn(event, "Task End Reason") ?? {}, "Reason");
  switch (reason) {
    case "Success":
      return "succeeded";
    case "TaskKilled":
    // Another attempt's output was committed: the loser of a race.
    case "TaskCommitDenied":
      return "killed";
    case "ExecutorLostFailure":
      return "lost";
    case undefined:
      if (flagIn(info, "Killed")) return "killed";
      return flagIn(info, "Failed") ? "failed" : "succeeded";
    default:
      return "failed";
  }
}

function readMetrics(metrics: JsonObject, ended: TraceEnd): TaskMetrics | undefined {
  const value = (from: JsonObject | undefined, key: string): number =>
    (from === undefined ? undefined : numberIn(from, key)) ?? Number.NaN;
  // Killed tasks report metrics that are 0 throughout.
  if (ended !== "succeeded" && !(value(metrics, "Executor Run Time") > 0)) return undefined;
  const input = objectIn(metrics, "Input Metrics");
  const read = objectIn(metrics, "Shuffle Read Metrics");
  const written = objectIn(metrics, "Shuffle Write Metrics");
  const output = objectIn(metrics, "Output Metrics");
  return {
    inputBytes: value(input, "Bytes Read"),
    inputRecords: value(input, "Records Read"),
    shuffleBytes: add(value(read, "Remote Bytes Read"), value(read, "Local Bytes Read")),
    shuffleRecords: value(read, "Total Records Read"),
    outputBytes: add(value(written, "Shuffle Bytes Written"), value(output, "Bytes Written")),
    gcMs: value(metrics, "JVM GC Time"),
    fetchWaitMs: value(read, "Fetch Wait Time"),
    deserializeMs: value(metrics, "Executor Deserialize Time"),
    // Nanoseconds; from Spark 2.1 on.
    cpuMs: value(metrics, "Executor CPU Time") / 1e6,
    spilledBytes: add(value(metrics, "Memory Bytes Spilled"), value(metrics, "Disk Bytes Spilled")),
  };
}

/** The sum of what is known. */
const add = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b);
