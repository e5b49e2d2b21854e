import { InputError } from "../../../base/input-error.ts";
import { isList, isObject, type JsonObject } from "../../../base/json.ts";
import type { Trace } from "../../../history/model.ts";
import { knownCount } from "../../counts.ts";
import { addSetting } from "../../hadoop/conf.ts";
import { isMeasured } from "../../hadoop/counters.ts";
import {
  attemptIn,
  endAttempt,
  endNamed,
  type HadoopAttempt,
  type HadoopJob,
  type HadoopTask,
  kindNamed,
  newJob,
  putAt,
  taskIn,
  timeIn,
} from "../../hadoop/history.ts";
import { placeNamed, rackNamed } from "../../hadoop/place.ts";
import { hadoopTrace } from "../../hadoop/to-trace.ts";
import { numberIn, objectIn, objectsIn, textIn } from "../../json-values.ts";
import type { Address } from "./address.ts";
import { type AskOptions, askForJson } from "./ask.ts";

/** The most concurrent requests: a history server answers each in a few milliseconds. */
const AT_ONCE = 8;

/**
 * A job from the REST interface of Hadoop's JobHistoryServer, which does not serve the history
 * file. Takes one request per task and one per attempt. The answers give neither the places of the
 * input nor the attempts that are copies.
 */
export async function traceOfHadoopServer(
  { base, job: id }: Extract<Address, { kind: "hadoop" }>,
  options: AskOptions,
): Promise<Trace> {
  const url = `${base}/ws/v1/history/mapreduce/jobs/${id}`;
  const job = jobIn(await askForJson(url, options));
  if (job === undefined) throw new InputError("bad-input", url, "expected a job of Hadoop");
  addConf(await askForJson(`${url}/conf`, options), job);
  const tasks = addTasks(await askForJson(`${url}/tasks`, options), job);
  const attempts: [task: HadoopTask, attempt: HadoopAttempt][] = [];
  await eachOf(tasks, async (task) => {
    const answer = await askForJson(`${url}/tasks/${task.id}/attempts`, options);
    for (const attempt of addAttempts(answer, task)) attempts.push([task, attempt]);
  });
  await eachOf(attempts, async ([task, attempt]) => {
    const place = `${url}/tasks/${task.id}/attempts/${attempt.id}/counters`;
    addCounters(await askForJson(place, options), attempt);
  });
  return hadoopTrace([job], { format: "rest", file: url, notes: [], unread: 0 });
}

/** Rejects with the first failure, and begins nothing more after it. */
async function eachOf<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  let next = 0;
  let isFailed = false;
  const one = async (): Promise<void> => {
    for (let nth = next++; nth < values.length && !isFailed; nth = next++) {
      const value = values[nth];
      if (value !== undefined) await work(value);
    }
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    one().catch((error: unknown) => {
      isFailed = true;
      throw error;
    }),
  );
  await Promise.all(workers);
}

/** The answer to `/jobs/ID`; undefined if it describes no job. */
function jobIn(answer: JsonObject): HadoopJob | undefined {
  const from = objectIn(answer, "job");
  const id = from === undefined ? undefined : textIn(from, "id");
  if (from === undefined || id === undefined) return undefined;
  const job = newJob(id);
  job.name = textIn(from, "name") ?? id;
  job.user = textIn(from, "user");
  job.submittedAt = timeIn(from, "submitTime");
  job.launchedAt = timeIn(from, "startTime");
  job.finishedAt = timeIn(from, "finishTime");
  job.maps = knownCount(numberIn(from, "mapsTotal"));
  job.reduces = knownCount(numberIn(from, "reducesTotal"));
  const ended = endNamed(textIn(from, "state") ?? "", "");
  job.outcome = ended === undefined || ended === "lost" ? "failed" : ended;
  return job;
}

/** The answer to `/jobs/ID/tasks`. */
function addTasks(answer: JsonObject, job: HadoopJob): readonly HadoopTask[] {
  return eachIn(objectIn(answer, "tasks"), "task").flatMap((from): HadoopTask[] => {
    const id = textIn(from, "id");
    if (id === undefined) return [];
    const task = taskIn(job, id, kindNamed(textIn(from, "type") ?? ""));
    task.startedAt = timeIn(from, "startTime");
    task.finishedAt = timeIn(from, "finishTime");
    return [task];
  });
}

/** The answer to `/jobs/ID/tasks/ID/attempts`. */
function addAttempts(answer: JsonObject, task: HadoopTask): readonly HadoopAttempt[] {
  return eachIn(objectIn(answer, "taskAttempts"), "taskAttempt").flatMap((from) => {
    const id = textIn(from, "id");
    if (id === undefined) return [];
    const attempt = attemptIn(task, id);
    attempt.startedAt = timeIn(from, "startTime");
    const ended = endNamed(textIn(from, "state") ?? "", textIn(from, "diagnostics") ?? "");
    if (ended !== undefined) endAttempt(attempt, ended, timeIn(from, "finishTime"));
    putAt(attempt, placeNamed(textIn(from, "nodeHttpAddress")?.replace(/:\d+$/, "") ?? ""));
    attempt.rack = rackNamed(textIn(from, "rack") ?? "");
    attempt.shuffleEndAt = timeIn(from, "shuffleFinishTime");
    attempt.sortEndAt = timeIn(from, "mergeFinishTime");
    return [attempt];
  });
}

/** The answer to `/jobs/ID/tasks/ID/attempts/ID/counters`. */
function addCounters(answer: JsonObject, attempt: HadoopAttempt): void {
  const found = new Map<string, number>();
  const groups = eachIn(objectIn(answer, "jobTaskAttemptCounters"), "taskAttemptCounterGroup");
  for (const one of groups.flatMap((group) => eachIn(group, "counter"))) {
    const [name, value] = [textIn(one, "name"), numberIn(one, "value")];
    if (name === undefined || value === undefined) continue;
    if (isMeasured(name)) found.set(name, value);
  }
  if (found.size > 0) attempt.counters = found;
}

/** The answer to `/jobs/ID/conf`. */
function addConf(answer: JsonObject, job: HadoopJob): void {
  for (const property of eachIn(objectIn(answer, "conf"), "property")) {
    const name = textIn(property, "name");
    const value = property.value;
    if (name === undefined || value === undefined) continue;
    if (!isList(value) && !isObject(value)) addSetting(name, String(value), job.settings);
  }
}

/** Hadoop writes a list of one element as the element itself. */
export function eachIn(from: JsonObject | undefined, key: string): readonly JsonObject[] {
  const only = from === undefined ? undefined : objectIn(from, key);
  return from === undefined ? [] : only === undefined ? objectsIn(from, key) : [only];
}
