import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Workflow } from "../../history/model.ts";
import type { Locality } from "../../model/job.ts";
import { knownCount } from "../counts.ts";
import { isMeasured } from "../hadoop/counters.ts";
import {
  attemptIn,
  endAttempt,
  endNamed,
  type HadoopAttempt,
  type HadoopJob,
  isAttemptOf,
  kindNamed,
  newJob,
  putAt,
  taskIn,
  timeIn,
} from "../hadoop/history.ts";
import { placeNamed, placesNamed, rackNamed } from "../hadoop/place.ts";
import { Unlisted } from "../inventory.ts";
import { listIn, numberIn, objectIn, objectsIn, textIn } from "../json-values.ts";
import { JHIST_INVENTORY } from "./inventory.ts";

/** Events of a job history file, Hadoop 0.23 to 3.5, folded into a job. */
export class HistoryEvents {
  readonly #jobs = new Map<string, HadoopJob>();
  /** The jobs whose own events the history holds. */
  readonly #own = new Set<HadoopJob>();
  #latest: HadoopJob | undefined;
  readonly unlisted = new Unlisted(JHIST_INVENTORY);

  /**
   * Whether the event is one: a torn record joins the beginning of one and the end of another.
   * `fields`: the event's record, with Avro's unions unwrapped.
   */
  apply(type: string, fields: JsonObject): boolean {
    if (!isWholeEvent(fields)) return false;
    this.unlisted.count(type);
    this.unlisted.look(type, fields);
    const job = this.#jobOf(fields);
    if (job !== undefined) this.#applyTo(job, type, fields);
    return true;
  }

  #applyTo(job: HadoopJob, type: string, fields: JsonObject): void {
    if (type.startsWith("JOB_") || type === "AM_STARTED") this.#own.add(job);
    switch (type) {
      case "AM_STARTED":
        job.masterStarts.push(...[timeIn(fields, "startTime")].filter((at) => at !== undefined));
        return;
      case "JOB_SUBMITTED":
        job.name = textIn(fields, "jobName") ?? job.name;
        job.user = textIn(fields, "userName");
        job.submittedAt = timeIn(fields, "submitTime");
        job.workflow = workflowIn(fields);
        return;
      case "JOB_INITED":
      case "JOB_INFO_CHANGED":
        job.launchedAt = timeIn(fields, "launchTime") ?? job.launchedAt;
        job.submittedAt ??= timeIn(fields, "submitTime");
        job.maps ??= knownCount(numberIn(fields, "totalMaps"));
        job.reduces ??= knownCount(numberIn(fields, "totalReduces"));
        return;
      case "JOB_FINISHED":
        job.finishedAt = timeIn(fields, "finishTime");
        job.outcome = "succeeded";
        return;
      case "JOB_FAILED":
      case "JOB_ERROR":
      case "JOB_KILLED":
        job.finishedAt = timeIn(fields, "finishTime");
        job.outcome = type === "JOB_KILLED" ? "killed" : "failed";
        return;
      case "TASK_STARTED":
      case "TASK_FINISHED":
      case "TASK_FAILED":
        applyToTask(job, type, fields);
        return;
      default:
        applyToAttempt(job, type, fields);
    }
  }

  /**
   * The jobs of the history. Attempts of a job without an event of its own are strays among those
   * of another: they are counted there, and left out.
   */
  get jobs(): readonly HadoopJob[] {
    const all = [...this.#jobs.values()];
    const [first = all[0], ...others] = all.filter((job) => this.#own.has(job));
    if (first === undefined) return [];
    const strays = all.filter((job) => job !== first && !this.#own.has(job));
    for (const { tasks } of strays) {
      for (const { attempts } of tasks.values()) first.foreign += attempts.size;
    }
    return [first, ...others];
  }

  /** An event that names no job belongs to the one before it. */
  #jobOf(fields: JsonObject): HadoopJob | undefined {
    const [, numbers] = /^(?:job|task|attempt|appattempt)_(\w+?_\d+)/.exec(named(fields)) ?? [];
    if (numbers === undefined) return this.#latest;
    const id = `job_${numbers}`;
    this.#latest = this.#jobs.get(id) ?? newJob(id);
    this.#jobs.set(id, this.#latest);
    return this.#latest;
  }
}

/** Whether the ids of an event agree. */
function isWholeEvent(fields: JsonObject): boolean {
  const task = textIn(fields, "taskid");
  const attempts = ["attemptId", "successfulAttemptId", "failedDueToAttempt"].flatMap(
    (key) => textIn(fields, key) || [],
  );
  return task === undefined || attempts.every((attempt) => isAttemptOf(attempt, task));
}

/** undefined if the job stands alone. */
function workflowIn(fields: JsonObject): Workflow | undefined {
  const id = textIn(fields, "workflowId") ?? "";
  if (id === "") return undefined;
  const [name = "", step = ""] = ["workflowName", "workflowNodeName"].map((key) =>
    textIn(fields, key),
  );
  return { id, name, step };
}

const named = (fields: JsonObject): string =>
  textIn(fields, "jobid") ??
  textIn(fields, "taskid") ??
  textIn(fields, "applicationAttemptId") ??
  "";

function applyToTask(job: HadoopJob, type: string, fields: JsonObject): void {
  const id = textIn(fields, "taskid");
  if (id === undefined) return;
  const task = taskIn(job, id, kindNamed(textIn(fields, "taskType") ?? ""));
  task.startedAt ??= timeIn(fields, "startTime");
  task.finishedAt = timeIn(fields, "finishTime") ?? task.finishedAt;
  if (type !== "TASK_STARTED") task.ended = type === "TASK_FINISHED" ? "succeeded" : "failed";
  const splits = textIn(fields, "splitLocations") ?? "";
  if (splits !== "") task.splits = placesNamed(splits);
}

/** Takes an event of an attempt; any other says nothing about when attempts ran. */
function applyToAttempt(job: HadoopJob, type: string, fields: JsonObject): void {
  const [, what] = /_ATTEMPT_(STARTED|FINISHED|FAILED|KILLED)$/.exec(type) ?? [];
  const id = textIn(fields, "attemptId");
  const taskId = textIn(fields, "taskid");
  if (what === undefined || id === undefined || taskId === undefined) return;
  const task = taskIn(job, taskId, kindNamed(textIn(fields, "taskType") ?? ""));
  const attempt = attemptIn(task, id);
  if (what === "STARTED") start(attempt, fields);
  else finish(attempt, what, fields);
}

function start(attempt: HadoopAttempt, fields: JsonObject): void {
  attempt.startedAt = timeIn(fields, "startTime");
  putAt(attempt, placeNamed(textIn(fields, "trackerName") ?? ""));
  attempt.locality = LOCALITIES.get(textIn(fields, "locality") ?? "");
  attempt.isSpeculative = AVATARS.get(textIn(fields, "avataar") ?? "");
}

const LOCALITIES: ReadonlyMap<string, Locality> = new Map([
  ["NODE_LOCAL", "node"],
  ["RACK_LOCAL", "rack"],
  ["OFF_SWITCH", "any"],
]);

const AVATARS: ReadonlyMap<string, boolean> = new Map([
  ["SPECULATIVE", true],
  ["VIRGIN", false],
]);

function finish(attempt: HadoopAttempt, what: string, fields: JsonObject): void {
  const status = what === "FINISHED" ? "SUCCEEDED" : (textIn(fields, "status") ?? what);
  const error = textIn(fields, "error") ?? "";
  const ended = endNamed(status, error) ?? "killed";
  // A loss of the output later says nothing more about the run itself.
  const isRun = attempt.ended !== "succeeded";
  endAttempt(attempt, ended, timeIn(fields, "finishTime"), error);
  if (!isRun) return;
  putAt(attempt, placeNamed(textIn(fields, "hostname") ?? ""));
  attempt.rack = rackNamed(textIn(fields, "rackname") ?? "") ?? attempt.rack;
  attempt.shuffleEndAt = timeIn(fields, "shuffleFinishTime");
  attempt.sortEndAt = timeIn(fields, "sortFinishTime");
  attempt.counters = countersIn(objectIn(fields, "counters"));
  attempt.clockSplits = listIn(fields, "clockSplits").filter((ms) => typeof ms === "number");
}

function countersIn(counters: JsonObject | undefined): ReadonlyMap<string, number> | undefined {
  if (counters === undefined) return undefined;
  const found = new Map<string, number>();
  for (const group of objectsIn(counters, "groups")) {
    for (const counter of objectsIn(group, "counts")) {
      const name = textIn(counter, "name");
      const value = numberIn(counter, "value");
      if (name === undefined || value === undefined) continue;
      if (isMeasured(name)) found.set(name, value);
    }
  }
  return found.size > 0 ? found : undefined;
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
