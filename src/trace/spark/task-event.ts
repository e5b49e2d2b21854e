import type { AttemptColumns, Measure, TraceEnd } from "../../history/columns.ts";
import { FETCH_FAILED } from "../../history/evidence.ts";
import { shortReason } from "../../history/reasons.ts";
import type { Locality } from "../../model/job.ts";
import { knownCount } from "../counts.ts";
import { type EventFields, FIELD, METRICS } from "./event-fields.ts";

/** What the start and the end of a task both say of the attempt. Times in ms since 1970. */
export interface SparkTask {
  readonly stage: number;
  readonly stageTry: number;
  readonly taskId: number;
  /** The place in its try of the stage. */
  readonly index: number;
  /** The partition that it makes, from Spark 3.3 on. */
  readonly partition: number | undefined;
  readonly isSpeculative: boolean;
  readonly host: string;
  readonly executor: string;
  readonly startedAt: number;
  readonly locality: Locality | undefined;
}

/** undefined if the event lacks what identifies the attempt. */
export function taskOf(fields: EventFields): SparkTask | undefined {
  const startedAt = fields.number(FIELD.launchedAt);
  const stage = fields.number(FIELD.stage);
  const taskId = fields.number(FIELD.taskId);
  const partition = knownCount(fields.number(FIELD.partition));
  // Other programs that write or thin out event logs keep the partition alone.
  const index = isPlaced(fields) ? knownCount(fields.number(FIELD.index)) : partition;
  if (index === undefined || Number.isNaN(startedAt + stage + taskId)) return undefined;
  return {
    stage,
    stageTry: fields.number(FIELD.stageTry) || 0,
    taskId,
    index,
    partition,
    isSpeculative: fields.isTrue(FIELD.speculative),
    host: fields.text(FIELD.host) ?? "",
    executor: fields.text(FIELD.executor) ?? "",
    startedAt,
    locality: LOCALITIES.get(fields.text(FIELD.locality) ?? ""),
  };
}

/** Whether the event has the task's place in its try of the stage. */
export const isPlaced = (fields: EventFields): boolean => !Number.isNaN(fields.number(FIELD.index));

const LOCALITIES: ReadonlyMap<string, Locality> = new Map([
  ["PROCESS_LOCAL", "node"],
  ["NODE_LOCAL", "node"],
  ["RACK_LOCAL", "rack"],
  ["ANY", "any"],
]);

/**
 * Spark repeats the end of a task that had succeeded when the executor with its output is lost: the
 * attempt keeps its success.
 */
export const isResubmitted = (fields: EventFields): boolean =>
  fields.text(FIELD.reason) === "Resubmitted";

/** How the task of a task's end has ended. */
export function endOf(fields: EventFields): TraceEnd {
  switch (fields.text(FIELD.reason)) {
    case "Success":
    case "Resubmitted":
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

/** Why the task of a task's end has ended without a result; empty if the log does not say. */
export function reasonOf(fields: EventFields): string {
  const text = (field: number): string => fields.text(field) ?? "";
  const kind = text(FIELD.reason);
  switch (kind) {
    case "ExceptionFailure": {
      const exception = text(FIELD.exception);
      const description = shortReason(text(FIELD.description));
      if (description === "") return exception;
      // What Python raised has a name of its own.
      const isNamed = exception === "" || exception.endsWith(".PythonException");
      return isNamed ? description : `${description} (${exception})`;
    }
    case "ExecutorLostFailure":
      return text(FIELD.lossReason) || "its executor was lost";
    case "FetchFailed":
      return `${FETCH_FAILED}${told(shortReason(text(FIELD.message)))}`;
    case "TaskKilled":
      return text(FIELD.killReason);
    case "TaskCommitDenied":
      return "another attempt had committed its output";
    default:
      return kind;
  }
}

const told = (message: string): string => (message === "" ? "" : `: ${message}`);

/**
 * Writes what the metrics of a task's end say. Killed tasks report metrics that are 0 throughout,
 * apart from their run time: theirs stay unknown.
 */
export function measure(
  fields: EventFields,
  ended: TraceEnd,
  columns: Pick<AttemptColumns, Measure>,
  row: number,
): void {
  const isCounted = METRICS.some(
    ({ isAlwaysCounted, of: [first] }) => isAlwaysCounted === true && fields.number(first) > 0,
  );
  if (ended !== "succeeded" && !isCounted) return;
  for (const { name, of, per = 1 } of METRICS) {
    columns[name][row] = sumOf(of, fields) / per;
  }
}

/** The sum of what is known; NaN if nothing is. */
function sumOf(of: readonly number[], fields: EventFields): number {
  let sum = Number.NaN;
  for (const field of of) {
    const value = fields.number(field);
    if (!Number.isNaN(value)) sum = Number.isNaN(sum) ? value : sum + value;
  }
  return sum;
}
