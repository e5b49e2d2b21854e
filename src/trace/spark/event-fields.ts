import { isList, isObject, type Json, type JsonObject, parseJson } from "../../base/json.ts";
import type { Measure } from "../../history/columns.ts";
import { numberOf } from "../json-values.ts";
import { JsonScanner } from "../scan/json-scanner.ts";

const paths: (readonly string[])[] = [];
const field = (...keys: readonly string[]): number => paths.push(keys) - 1;

/** The fields of jobs, stages and tasks that matter, by the keys that lead to them. */
export const FIELD = {
  jobId: field("Job ID"),
  jobSubmittedAt: field("Submission Time"),
  jobCompletedAt: field("Completion Time"),
  jobStages: field("Stage IDs"),
  jobResult: field("Job Result", "Result"),
  jobException: field("Job Result", "Exception", "Message"),
  jobStageInfos: field("Stage Infos"),
  jobQuery: field("Properties", "spark.sql.execution.id"),
  jobDescription: field("Properties", "spark.job.description"),
  queryId: field("executionId"),
  queryRoot: field("rootExecutionId"),
  queryDescription: field("description"),
  queryPlan: field("sparkPlanInfo"),
  queryError: field("errorMessage"),
  queryAt: field("time"),
  stageId: field("Stage Info", "Stage ID"),
  stageAttempt: field("Stage Info", "Stage Attempt ID"),
  stageName: field("Stage Info", "Stage Name"),
  stageTasks: field("Stage Info", "Number of Tasks"),
  stageProfile: field("Stage Info", "Resource Profile Id"),
  stageParents: field("Stage Info", "Parent IDs"),
  stageSubmittedAt: field("Stage Info", "Submission Time"),
  stageCompletedAt: field("Stage Info", "Completion Time"),
  stageFailure: field("Stage Info", "Failure Reason"),
  stageData: field("Stage Info", "RDD Info"),
  stageCounters: field("Stage Info", "Accumulables"),
  stage: field("Stage ID"),
  stageTry: field("Stage Attempt ID"),
  reason: field("Task End Reason", "Reason"),
  exception: field("Task End Reason", "Class Name"),
  description: field("Task End Reason", "Description"),
  message: field("Task End Reason", "Message"),
  killReason: field("Task End Reason", "Kill Reason"),
  lossReason: field("Task End Reason", "Loss Reason"),
  missedExecutor: field("Task End Reason", "Block Manager Address", "Executor ID"),
  taskId: field("Task Info", "Task ID"),
  index: field("Task Info", "Index"),
  partition: field("Task Info", "Partition ID"),
  launchedAt: field("Task Info", "Launch Time"),
  finishedAt: field("Task Info", "Finish Time"),
  resultAt: field("Task Info", "Getting Result Time"),
  executor: field("Task Info", "Executor ID"),
  host: field("Task Info", "Host"),
  locality: field("Task Info", "Locality"),
  speculative: field("Task Info", "Speculative"),
  failed: field("Task Info", "Failed"),
  killed: field("Task Info", "Killed"),
} as const;

const metric = (...keys: readonly string[]): number => field("Task Metrics", ...keys);

/** Nanoseconds in a column's milliseconds. */
const NS = 1e6;

/**
 * The measures of an attempt: each is the sum of some metrics, in units of which a column's unit
 * has `per`. A task whose metrics were reported has at least one above 0 of those that are counted
 * always.
 */
export const METRICS: readonly Metric[] = [
  { name: "inputBytes", of: [metric("Input Metrics", "Bytes Read")], isAlwaysCounted: true },
  { name: "inputRecords", of: [metric("Input Metrics", "Records Read")] },
  {
    name: "shuffleBytes",
    of: [
      metric("Shuffle Read Metrics", "Remote Bytes Read"),
      metric("Shuffle Read Metrics", "Local Bytes Read"),
    ],
  },
  { name: "shuffleRecords", of: [metric("Shuffle Read Metrics", "Total Records Read")] },
  {
    name: "outputBytes",
    of: [
      metric("Shuffle Write Metrics", "Shuffle Bytes Written"),
      metric("Output Metrics", "Bytes Written"),
    ],
  },
  { name: "gcMs", of: [metric("JVM GC Time")], isAlwaysCounted: true },
  { name: "fetchWaitMs", of: [metric("Shuffle Read Metrics", "Fetch Wait Time")] },
  { name: "writeWaitMs", of: [metric("Shuffle Write Metrics", "Shuffle Write Time")], per: NS },
  { name: "deserializeMs", of: [metric("Executor Deserialize Time")], isAlwaysCounted: true },
  // From Spark 2.1 on.
  { name: "cpuMs", of: [metric("Executor CPU Time")], per: NS, isAlwaysCounted: true },
  { name: "resultBytes", of: [metric("Result Size")] },
  { name: "spilledBytes", of: [metric("Memory Bytes Spilled"), metric("Disk Bytes Spilled")] },
];

/** The keys that lead to each field that is read. */
export const FIELD_PATHS: readonly (readonly string[])[] = paths;

interface Metric {
  readonly name: Measure;
  readonly of: readonly [field: number, ...more: number[]];
  readonly per?: number;
  readonly isAlwaysCounted?: true;
}

/** The fields of one event: by the scanner, or by JSON.parse where the scanner gives up. */
export interface EventFields {
  /** NaN if the field is absent or no number. */
  number(field: number): number;
  text(field: number): string | undefined;
  isTrue(field: number): boolean;
  /** The numbers of a list; empty if it is absent. */
  numbers(field: number): readonly number[];
  /** The JSON of a list; undefined if it is absent. */
  list(field: number): string | undefined;
  /** The JSON of an object; undefined if it is absent. */
  object(field: number): string | undefined;
}

/** From the event's bytes; a number may also be in quotes. */
export class ScannedFields implements EventFields {
  readonly #scanner = new JsonScanner(paths);

  /** False if the bytes need a full parser. */
  scan(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#scanner.scan(bytes, from, to);
  }

  number(field: number): number {
    const value = this.#scanner.number(field);
    if (Number.isFinite(value)) return value;
    return numberOf(this.#scanner.text(field)) ?? Number.NaN;
  }

  text(field: number): string | undefined {
    return this.#scanner.text(field);
  }

  isTrue(field: number): boolean {
    return this.#scanner.isTrue(field);
  }

  numbers(field: number): readonly number[] {
    const list = parseJson(this.#scanner.list(field) ?? "[]");
    return numbersIn(list.ok ? list.value : undefined);
  }

  list(field: number): string | undefined {
    return this.#scanner.list(field);
  }

  object(field: number): string | undefined {
    return this.#scanner.object(field);
  }
}

/** From the parsed event. */
export class ParsedFields implements EventFields {
  readonly #event: JsonObject;

  constructor(event: JsonObject) {
    this.#event = event;
  }

  number(field: number): number {
    return numberOf(this.#value(field)) ?? Number.NaN;
  }

  text(field: number): string | undefined {
    const value = this.#value(field);
    return typeof value === "string" ? value : undefined;
  }

  isTrue(field: number): boolean {
    return this.#value(field) === true;
  }

  numbers(field: number): readonly number[] {
    return numbersIn(this.#value(field));
  }

  list(field: number): string | undefined {
    const value = this.#value(field);
    return value !== undefined && isList(value) ? JSON.stringify(value) : undefined;
  }

  object(field: number): string | undefined {
    const value = this.#value(field);
    return value !== undefined && isObject(value) ? JSON.stringify(value) : undefined;
  }

  #value(field: number): Json | undefined {
    let value: Json | undefined = this.#event;
    for (const key of paths[field] ?? []) {
      if (value === undefined || !isObject(value)) return undefined;
      value = value[key];
    }
    return value;
  }
}

const numbersIn = (list: Json | undefined): readonly number[] =>
  list !== undefined && isList(list)
    ? list.filter((one) => typeof one === "number").filter(Number.isFinite)
    : [];
