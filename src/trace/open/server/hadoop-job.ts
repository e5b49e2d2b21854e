import { isList, isObject, type JsonObject } from "../../../base/json.ts";
import { addSetting } from "../../hadoop/conf.ts";
import {
  attemptIn,
  endAttempt,
  endNamed,
  type HadoopAttempt,
  type HadoopJob,
  type HadoopTask,
  kindNamed,
  knownCount,
  knownTime,
  newJob,
  putAt,
  taskIn,
} from "../../hadoop/history.ts";
import { placeNamed, rackNamed } from "../../hadoop/place.ts";
import { numberIn, numberOf, objectIn, objectsIn, textIn } from "../../json-values.ts";

/** The answer to `/jobs/ID`; undefined if it describes no job. */
export function jobIn(answer: JsonObject): HadoopJob | undefined {
  const from = objectIn(answer, "job");
  const id = from === undefined ? undefined : textIn(from, "id");
  if (from === undefined || id === undefined) return undefined;
  const job = newJob(id);
  job.name = textIn(from, "name") ?? id;
  job.user = textIn(from, "user");
  job.submittedAt = time(from, "submitTime");
  job.launchedAt = time(from, "startTime");
  job.finishedAt = time(from, "finishTime");
  job.maps = knownCount(numberIn(from, "mapsTotal"));
  job.reduces = knownCount(numberIn(from, "reducesTotal"));
  const ended = endNamed(textIn(from, "state") ?? "", "");
  job.outcome = ended === undefined || ended === "lost" ? "failed" : ended;
  return job;
}

/** The answer to `/jobs/ID/tasks`. */
export function addTasks(answer: JsonObject, job: HadoopJob): readonly HadoopTask[] {
  return eachIn(objectIn(answer, "tasks"), "task").flatMap((from): HadoopTask[] => {
    const id = textIn(from, "id");
    if (id === undefined) return [];
    const task = taskIn(job, id, kindNamed(textIn(from, "type") ?? ""));
    task.startedAt = time(from, "startTime");
    task.finishedAt = time(from, "finishTime");
    return [task];
  });
}

/** The answer to `/jobs/ID/tasks/ID/attempts`. */
export function addAttempts(answer: JsonObject, task: HadoopTask): readonly HadoopAttempt[] {
  return eachIn(objectIn(answer, "taskAttempts"), "taskAttempt").flatMap((from) => {
    const id = textIn(from, "id");
    if (id === undefined) return [];
    const attempt = attemptIn(task, id);
    attempt.startedAt = time(from, "startTime");
    const ended = endNamed(textIn(from, "state") ?? "", textIn(from, "diagnostics") ?? "");
    if (ended !== undefined) endAttempt(attempt, ended, time(from, "finishTime"));
    putAt(attempt, placeNamed(textIn(from, "nodeHttpAddress")?.replace(/:\d+$/, "") ?? ""));
    attempt.rack = rackNamed(textIn(from, "rack") ?? "");
    attempt.shuffleEndAt = time(from, "shuffleFinishTime");
    attempt.sortEndAt = time(from, "mergeFinishTime");
    return [attempt];
  });
}

/** The answer to `/jobs/ID/tasks/ID/attempts/ID/counters`. */
export function addCounters(answer: JsonObject, attempt: HadoopAttempt): void {
  const found = new Map<string, number>();
  const groups = eachIn(objectIn(answer, "jobTaskAttemptCounters"), "taskAttemptCounterGroup");
  for (const one of groups.flatMap((group) => eachIn(group, "counter"))) {
    const [name, value] = [textIn(one, "name"), numberIn(one, "value")];
    if (name !== undefined && value !== undefined) found.set(name, value);
  }
  if (found.size > 0) attempt.counters = found;
}

/** The answer to `/jobs/ID/conf`. */
export function addConf(answer: JsonObject, job: HadoopJob): void {
  for (const property of eachIn(objectIn(answer, "conf"), "property")) {
    const name = textIn(property, "name");
    const value = property.value;
    if (name === undefined || value === undefined) continue;
    if (!isList(value) && !isObject(value)) addSetting(name, String(value), job.settings);
  }
}

/** Hadoop writes a list of one element as the element itself. */
function eachIn(from: JsonObject | undefined, key: string): readonly JsonObject[] {
  const only = from === undefined ? undefined : objectIn(from, key);
  return from === undefined ? [] : only === undefined ? objectsIn(from, key) : [only];
}

const time = (from: JsonObject, key: string): number | undefined => knownTime(numberOf(from[key]));
