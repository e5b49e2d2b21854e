import { isObject, type JsonObject, parseJson } from "../../base/json.ts";
import { textOf } from "../byte-text.ts";
import type { TraceEnd } from "../columns.ts";
import {
  attemptIn,
  type HadoopAttempt,
  type HadoopJob,
  type HadoopTaskKind,
  hostNamed,
  newJob,
  taskIn,
} from "../hadoop/history.ts";
import { trackerTrace } from "../hadoop/traces.ts";
import { listIn, numberIn, objectIn, objectsIn, textIn } from "../json-values.ts";
import type { Note, Trace, TraceJob } from "../model.ts";
import type { TraceReader } from "../reader.ts";
import { ObjectCutter } from "./object-cutter.ts";

/** Reads Rumen's job traces: JSON objects one after another, without separators. */
export class RumenReader implements TraceReader {
  readonly #place: string;
  readonly #cutter = new ObjectCutter((bytes) => this.#object(bytes));
  readonly #jobs: HadoopJob[] = [];
  #damaged = 0;

  constructor(place: string) {
    this.#place = place;
  }

  push(bytes: Uint8Array): void {
    this.#cutter.push(bytes);
  }

  end(): Trace {
    const notes: Note[] = [];
    if (this.#cutter.isOpen) notes.push({ kind: "cut-off", text: "the last job is cut off" });
    if (this.#damaged > 0) {
      notes.push({ kind: "damaged", text: `${this.#damaged} objects are no jobs` });
    }
    return trackerTrace(this.#jobs, { format: "rumen", place: this.#place, notes });
  }

  #object(bytes: Uint8Array): void {
    const parsed = parseJson(textOf(bytes));
    const job = parsed.ok && isObject(parsed.value) ? readJob(parsed.value) : undefined;
    if (job === undefined) this.#damaged += 1;
    else this.#jobs.push(job);
  }
}

const TASKS: readonly (readonly [key: string, kind: HadoopTaskKind])[] = [
  ["mapTasks", "map"],
  ["reduceTasks", "reduce"],
  ["otherTasks", "other"],
];

function readJob(object: JsonObject): HadoopJob | undefined {
  const id = textIn(object, "jobID");
  if (id === undefined) return undefined;
  const job = newJob(id);
  job.name = textIn(object, "jobName") ?? id;
  job.user = textIn(object, "user");
  job.submittedAt = known(object, "submitTime");
  job.launchedAt = known(object, "launchTime");
  job.finishedAt = known(object, "finishTime");
  job.outcome = OUTCOMES.get(textIn(object, "outcome") ?? "") ?? "cut-off";
  for (const [key, kind] of TASKS) {
    for (const task of objectsIn(object, key)) readTask(job, task, kind);
  }
  return job;
}

const OUTCOMES: ReadonlyMap<string, TraceJob["outcome"]> = new Map([
  ["SUCCESS", "succeeded"],
  ["FAILED", "failed"],
  ["KILLED", "killed"],
]);

function readTask(job: HadoopJob, object: JsonObject, kind: HadoopTaskKind): void {
  const id = textIn(object, "taskID");
  if (id === undefined) return;
  const task = taskIn(job, id, kind);
  task.startedAt = known(object, "startTime");
  task.finishedAt = known(object, "finishTime");
  for (const attempt of objectsIn(object, "attempts")) {
    const attemptId = textIn(attempt, "attemptID");
    if (attemptId !== undefined) readAttempt(attemptIn(task, attemptId), attempt, kind);
  }
}

function readAttempt(attempt: HadoopAttempt, object: JsonObject, kind: HadoopTaskKind): void {
  attempt.startedAt = known(object, "startTime");
  attempt.finishedAt = known(object, "finishTime");
  attempt.ended = ENDS.get(textIn(object, "result") ?? "");
  attempt.shuffleEndAt = known(object, "shuffleFinished");
  attempt.sortEndAt = known(object, "sortFinished");
  const host = textIn(object, "hostName");
  const layers = listIn(objectIn(object, "location") ?? {}, "layers");
  const last = layers.at(-1);
  const name = host ?? (typeof last === "string" ? last : undefined);
  if (name !== undefined) attempt.host = hostNamed(name.replaceAll("\\.", "."));
  const rack = layers[0];
  if (typeof rack === "string" && layers.length > 1) attempt.rack = rack.replaceAll("\\.", ".");
  attempt.counters = countersOf(object, kind);
  const splits = listIn(object, "clockSplits").filter((value) => typeof value === "number");
  if (!splits.some((value) => value > 0)) return;
  let at = 0;
  attempt.curve = splits.map((value) => {
    at += Math.max(value, 0);
    return at;
  });
}

const ENDS: ReadonlyMap<string, TraceEnd> = new Map([
  ["SUCCESS", "succeeded"],
  ["SUCCEEDED", "succeeded"],
  ["FAILED", "failed"],
  ["KILLED", "killed"],
]);

/** Rumen's fields under Hadoop's names of the counters. */
const COUNTERS: readonly (readonly [field: string, name: string, of: "map" | "reduce" | "any"])[] =
  [
    ["hdfsBytesRead", "HDFS_BYTES_READ", "map"],
    ["mapInputBytes", "BYTES_READ", "map"],
    ["mapInputRecords", "MAP_INPUT_RECORDS", "map"],
    ["mapOutputBytes", "MAP_OUTPUT_BYTES", "map"],
    ["reduceShuffleBytes", "REDUCE_SHUFFLE_BYTES", "reduce"],
    ["reduceInputRecords", "REDUCE_INPUT_RECORDS", "reduce"],
    ["hdfsBytesWritten", "HDFS_BYTES_WRITTEN", "any"],
  ];

function countersOf(
  object: JsonObject,
  kind: HadoopTaskKind,
): ReadonlyMap<string, number> | undefined {
  const found = new Map<string, number>();
  for (const [field, name, of] of COUNTERS) {
    const value = numberIn(object, field);
    // -1 means that Rumen does not know.
    if (value !== undefined && value >= 0 && (of === "any" || of === kind)) found.set(name, value);
  }
  const usage = objectIn(object, "resourceUsageMetrics");
  const cpu = usage === undefined ? undefined : numberIn(usage, "cumulativeCpuUsage");
  if (cpu !== undefined && cpu > 0) found.set("CPU_MILLISECONDS", cpu);
  return found.size > 0 ? found : undefined;
}

/** Rumen writes -1 for times that it does not know. */
function known(object: JsonObject, key: string): number | undefined {
  const value = numberIn(object, key);
  return value !== undefined && value > 0 ? value : undefined;
}
