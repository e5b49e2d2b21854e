import type { TraceEnd } from "../../history/columns.ts";
import type { AppendedAttempt } from "../../history/columns-builder.ts";
import type { Locality } from "../../model/job.ts";
import { type EventFields, FIELD } from "./event-fields.ts";

/** What the metrics of a task say; NaN where they say nothing. */
export type TaskMetrics = Readonly<
  Record<
    | ("inputBytes" | "inputRecords" | "shuffleBytes" | "shuffleRecords" | "outputBytes")
    | ("gcMs" | "fetchWaitMs" | "deserializeMs" | "cpuMs" | "spilledBytes"),
    number
  >
>;

/**
 * An attempt as a task event describes it. Its times are in ms since 1970; `node` and `executor`
 * are -1 until the application has numbered their names, and `ordinal` is 0 until all attempts are
 * known.
 */
export interface SparkTask extends AppendedAttempt {
  readonly stage: number;
  readonly stageTry: number;
  readonly taskId: number;
  readonly host: string;
  readonly executorId: string;
  /** Absent of a task that still runs when the log ends. */
  readonly metrics?: TaskMetrics;
  node: number;
  executor: number;
}

/** From a task's end; undefined if the event lacks what identifies the attempt. */
export function readTaskEnd(fields: EventFields): SparkTask | undefined {
  const startedAt = fields.number(FIELD.launchedAt);
  const endedAt = fields.number(FIELD.finishedAt);
  const stage = fields.number(FIELD.stage);
  const taskId = fields.number(FIELD.taskId);
  const task = fields.number(FIELD.index);
  if (!(endedAt >= startedAt) || Number.isNaN(stage + taskId + task)) return undefined;
  const ended = endOf(fields);
  // Killed tasks report metrics that are 0 throughout, apart from their run time.
  const isMeasured = ended === "succeeded" || COUNTED.some((field) => fields.number(field) > 0);
  const measure = (field: number): number => (isMeasured ? fields.number(field) : Number.NaN);
  return {
    stage,
    stageTry: fields.number(FIELD.stageTry) || 0,
    taskId,
    task,
    ordinal: 0,
    as: fields.isTrue(FIELD.speculative) ? "speculative" : "original",
    host: fields.text(FIELD.host) ?? "",
    executorId: fields.text(FIELD.executor) ?? "",
    node: -1,
    executor: -1,
    startedAt,
    endedAt,
    ended,
    locality: LOCALITIES.get(fields.text(FIELD.locality) ?? ""),
    metrics: {
      inputBytes: measure(FIELD.bytesRead),
      inputRecords: measure(FIELD.recordsRead),
      shuffleBytes: add(measure(FIELD.remoteBytes), measure(FIELD.localBytes)),
      shuffleRecords: measure(FIELD.shuffleRecords),
      outputBytes: add(measure(FIELD.shuffleWritten), measure(FIELD.bytesWritten)),
      gcMs: measure(FIELD.gcMs),
      fetchWaitMs: measure(FIELD.fetchWaitMs),
      deserializeMs: measure(FIELD.deserializeMs),
      // Nanoseconds; from Spark 2.1 on.
      cpuMs: measure(FIELD.cpuNs) / 1e6,
      spilledBytes: add(measure(FIELD.memorySpilled), measure(FIELD.diskSpilled)),
    },
  };
}

/** From a task's start: the attempt ends with the log, unless its end follows. */
export function readTaskStart(fields: EventFields): SparkTask | undefined {
  const startedAt = fields.number(FIELD.launchedAt);
  const stage = fields.number(FIELD.stage);
  const taskId = fields.number(FIELD.taskId);
  const task = fields.number(FIELD.index);
  if (Number.isNaN(startedAt + stage + taskId + task)) return undefined;
  return {
    stage,
    stageTry: fields.number(FIELD.stageTry) || 0,
    taskId,
    task,
    ordinal: 0,
    as: fields.isTrue(FIELD.speculative) ? "speculative" : "original",
    host: fields.text(FIELD.host) ?? "",
    executorId: fields.text(FIELD.executor) ?? "",
    node: -1,
    executor: -1,
    startedAt,
    endedAt: startedAt,
    ended: "cut-off",
    locality: LOCALITIES.get(fields.text(FIELD.locality) ?? ""),
  };
}

/** Each task whose metrics were reported has at least one of these. */
const COUNTED = [FIELD.cpuNs, FIELD.deserializeMs, FIELD.bytesRead, FIELD.gcMs] as const;

const LOCALITIES: ReadonlyMap<string, Locality> = new Map([
  ["PROCESS_LOCAL", "node"],
  ["NODE_LOCAL", "node"],
  ["RACK_LOCAL", "rack"],
  ["ANY", "any"],
]);

function endOf(fields: EventFields): TraceEnd {
  switch (fields.text(FIELD.reason)) {
    case "Success":
      return "succeeded";
    case "TaskKilled":
    // Another attempt's output was committed: the loser of a race.
    case "TaskCommitDenied":
      return "killed";
    case "ExecutorLostFailure":
      return "lost";
    case undefined:
      if (fields.isTrue(FIELD.killed)) return "killed";
      return fields.isTrue(FIELD.failed) ? "failed" : "succeeded";
    default:
      return "failed";
  }
}

/** The sum of what is known. */
const add = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b);
