import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Locality } from "../../model/job.ts";
import type { TraceEnd } from "../columns.ts";
import {
  attemptIn,
  type HadoopAttempt,
  type HadoopJob,
  hostNamed,
  kindNamed,
  newJob,
  taskIn,
} from "../hadoop/history.ts";
import { listIn, numberIn, objectIn, objectsIn, textIn } from "../json-values.ts";

/** Events of a job history file, Hadoop 0.23 to 3.5, folded into a job. */
export class HistoryEvents {
  job: HadoopJob | undefined;
  /** Kinds of events that say nothing about attempts. */
  readonly other = new Map<string, number>();

  /** `fields`: the event's record, with Avro's unions unwrapped. */
  apply(type: string, fields: JsonObject): void {
    const job = this.#jobOf(fields);
    if (job === undefined) return;
    switch (type) {
      case "JOB_SUBMITTED":
        job.name = textIn(fields, "jobName") ?? job.name;
        job.user = textIn(fields, "userName");
        job.submittedAt = time(fields, "submitTime");
        return;
      case "JOB_INITED":
      case "JOB_INFO_CHANGED":
        job.launchedAt = time(fields, "launchTime") ?? job.launchedAt;
        job.submittedAt ??= time(fields, "submitTime");
        return;
      case "JOB_FINISHED":
        job.finishedAt = time(fields, "finishTime");
        job.outcome = "succeeded";
        return;
      case "JOB_FAILED":
      case "JOB_ERROR":
      case "JOB_KILLED":
        job.finishedAt = time(fields, "finishTime");
        job.outcome = type === "JOB_KILLED" ? "killed" : "failed";
        return;
      case "TASK_STARTED":
      case "TASK_FINISHED":
      case "TASK_FAILED":
        this.#task(job, fields);
        return;
      default:
        if (!this.#attempt(job, type, fields)) {
          this.other.set(type, (this.other.get(type) ?? 0) + 1);
        }
    }
  }

  /** The first event that names a job or a task begins it. */
  #jobOf(fields: JsonObject): HadoopJob | undefined {
    if (this.job !== undefined) return this.job;
    const [, numbers] = /^(?:job|task|attempt|appattempt)_(\d+_\d+)/.exec(named(fields)) ?? [];
    if (numbers !== undefined) this.job = newJob(`job_${numbers}`);
    return this.job;
  }

  #task(job: HadoopJob, fields: JsonObject): void {
    const id = textIn(fields, "taskid");
    if (id === undefined) return;
    const task = taskIn(job, id, kindNamed(textIn(fields, "taskType") ?? ""));
    task.startedAt ??= time(fields, "startTime");
    task.finishedAt = time(fields, "finishTime") ?? task.finishedAt;
  }

  /** Whether the event is about an attempt. */
  #attempt(job: HadoopJob, type: string, fields: JsonObject): boolean {
    const [, what] = /_ATTEMPT_(STARTED|FINISHED|FAILED|KILLED)$/.exec(type) ?? [];
    const id = textIn(fields, "attemptId");
    const taskId = textIn(fields, "taskid");
    if (what === undefined || id === undefined || taskId === undefined) return false;
    const task = taskIn(job, taskId, kindNamed(textIn(fields, "taskType") ?? ""));
    const attempt = attemptIn(task, id);
    if (what === "STARTED") start(attempt, fields);
    else finish(attempt, what, fields);
    return true;
  }
}

const named = (fields: JsonObject): string =>
  textIn(fields, "jobid") ??
  textIn(fields, "taskid") ??
  textIn(fields, "applicationAttemptId") ??
  "";

/** Hadoop writes -1 and 0 for times that it does not know. */
function time(fields: JsonObject, key: string): number | undefined {
  const value = numberIn(fields, key);
  return value !== undefined && value > 0 ? value : undefined;
}

function start(attempt: HadoopAttempt, fields: JsonObject): void {
  attempt.startedAt = time(fields, "startTime");
  const tracker = textIn(fields, "trackerName");
  if (tracker !== undefined && tracker !== "") attempt.host = hostNamed(tracker);
  attempt.locality = LOCALITIES.get(textIn(fields, "locality") ?? "");
  const avatar = textIn(fields, "avataar");
  if (avatar !== undefined && avatar !== "") attempt.isSpeculative = avatar === "SPECULATIVE";
}

const LOCALITIES: ReadonlyMap<string, Locality> = new Map([
  ["NODE_LOCAL", "node"],
  ["RACK_LOCAL", "rack"],
  ["OFF_SWITCH", "any"],
]);

function finish(attempt: HadoopAttempt, what: string, fields: JsonObject): void {
  attempt.finishedAt = time(fields, "finishTime");
  attempt.ended = endOf(what, fields);
  const host = textIn(fields, "hostname");
  if (host !== undefined && host !== "") attempt.host = hostNamed(host);
  const rack = textIn(fields, "rackname");
  if (rack !== undefined && rack !== "") attempt.rack = rack;
  attempt.shuffleEndAt = time(fields, "shuffleFinishTime");
  attempt.sortEndAt = time(fields, "sortFinishTime");
  attempt.counters = countersIn(objectIn(fields, "counters"));
  attempt.curve = curveOf(listIn(fields, "clockSplits"));
}

function endOf(what: string, fields: JsonObject): TraceEnd {
  if (what === "FINISHED") return "succeeded";
  const status = textIn(fields, "status");
  if (what !== "KILLED" && status !== "KILLED") return "failed";
  return /lost node/i.test(textIn(fields, "error") ?? "") ? "lost" : "killed";
}

function countersIn(counters: JsonObject | undefined): ReadonlyMap<string, number> | undefined {
  if (counters === undefined) return undefined;
  const found = new Map<string, number>();
  for (const group of objectsIn(counters, "groups")) {
    for (const counter of objectsIn(group, "counts")) {
      const name = textIn(counter, "name");
      const value = numberIn(counter, "value");
      if (name !== undefined && value !== undefined) found.set(name, value);
    }
  }
  return found.size > 0 ? found : undefined;
}

/** Milliseconds in each twelfth of the progress; absent if all are 0 or -1. */
function curveOf(splits: readonly Json[]): readonly number[] | undefined {
  const values = splits.filter((value) => typeof value === "number");
  if (values.length === 0 || !values.some((value) => value > 0)) return undefined;
  let at = 0;
  return values.map((value) => {
    at += Math.max(value, 0);
    return at;
  });
}

/** Avro's JSON wraps the value of a union in an object with the name of its branch. */
export function unwrapped(value: Json): Json {
  if (isList(value)) return value.map(unwrapped);
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (only !== undefined && entries.length === 1 && isBranch(only[0])) return unwrapped(only[1]);
  return Object.fromEntries(entries.map(([key, inner]) => [key, unwrapped(inner)]));
}

const BRANCHES = new Set(["string", "long", "int", "boolean", "double", "float", "array", "map"]);
const isBranch = (name: string): boolean => BRANCHES.has(name) || name.startsWith("org.apache.");
