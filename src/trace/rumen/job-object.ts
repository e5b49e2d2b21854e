import type { JsonObject } from "../../base/json.ts";
import { knownCount } from "../counts.ts";
import { addSetting } from "../hadoop/conf.ts";
import {
  attemptIn,
  endAttempt,
  endNamed,
  type HadoopJob,
  type HadoopTask,
  isAttemptOf,
  kindNamed,
  newJob,
  putAt,
  taskIn,
  taskOfAttempt,
  timeIn,
} from "../hadoop/history.ts";
import { type Place, placeNamed } from "../hadoop/place.ts";
import { listIn, numberIn, objectIn, objectsIn, textIn } from "../json-values.ts";

/**
 * A job as Rumen wrote it; undefined if the object is none. `onStray`: an attempt stands under
 * another task, as where lines are torn, and is left out.
 */
export function jobIn(from: JsonObject, onStray: () => void): HadoopJob | undefined {
  const id = textIn(from, "jobID");
  if (id === undefined) return undefined;
  const job = newJob(id);
  job.name = textIn(from, "jobName") ?? id;
  job.user = textIn(from, "user");
  job.submittedAt = timeIn(from, "submitTime");
  job.launchedAt = timeIn(from, "launchTime");
  job.finishedAt = timeIn(from, "finishTime");
  job.maps = knownCount(numberIn(from, "totalMaps"));
  job.reduces = knownCount(numberIn(from, "totalReduces"));
  for (const key of ["mapTasks", "reduceTasks", "otherTasks"]) {
    for (const task of objectsIn(from, key)) addTask(task, job, onStray);
  }
  job.outcome = outcomeOf(from, job);
  for (const [name, value] of Object.entries(objectIn(from, "jobProperties") ?? {})) {
    if (typeof value === "string") addSetting(name, value, job.settings);
  }
  return job;
}

/** Jobs in early traces of YARN have an end but no outcome, which then follows from their tasks. */
function outcomeOf(from: JsonObject, job: HadoopJob): HadoopJob["outcome"] {
  const named = endNamed(textIn(from, "outcome") ?? "", "");
  if (named !== undefined && named !== "lost") return named;
  if (job.finishedAt === undefined) return "cut-off";
  const isWhole = [...job.tasks.values()].every(({ attempts }) =>
    [...attempts.values()].some(({ ended }) => ended === "succeeded"),
  );
  return isWhole ? "succeeded" : "failed";
}

function addTask(from: JsonObject, job: HadoopJob, onStray: () => void): void {
  const [first] = objectsIn(from, "attempts").map((attempt) => textIn(attempt, "attemptID"));
  const id = textIn(from, "taskID") ?? (first === undefined ? undefined : taskOfAttempt(first));
  if (id === undefined) return;
  const type = textIn(from, "taskType") ?? (id.includes("_r_") ? "REDUCE" : "MAP");
  const task = taskIn(job, id, kindNamed(type));
  task.startedAt = timeIn(from, "startTime");
  task.finishedAt = timeIn(from, "finishTime");
  task.ended = endNamed(textIn(from, "taskStatus") ?? "", "");
  task.splits = objectsIn(from, "preferredLocations").flatMap((one): Place[] => {
    const place = placeNamed(layersOf(one));
    return place === undefined ? [] : [place];
  });
  for (const attempt of objectsIn(from, "attempts")) {
    const own = textIn(attempt, "attemptID");
    if (own !== undefined && isAttemptOf(own, id)) addAttempt(own, attempt, task);
    else if (own !== undefined) onStray();
  }
}

const layersOf = (location: JsonObject): string =>
  listIn(location, "layers")
    .filter((layer) => typeof layer === "string")
    .map((layer) => `/${layer}`)
    .join("");

function addAttempt(id: string, from: JsonObject, task: HadoopTask): void {
  const attempt = attemptIn(task, id);
  attempt.startedAt = timeIn(from, "startTime");
  const ended = endNamed(textIn(from, "result") ?? "", "");
  if (ended !== undefined) endAttempt(attempt, ended, timeIn(from, "finishTime"));
  const location = objectIn(from, "location");
  if (location !== undefined) putAt(attempt, placeNamed(layersOf(location)));
  putAt(attempt, placeNamed(textIn(from, "hostName") ?? ""));
  attempt.shuffleEndAt = timeIn(from, "shuffleFinished");
  attempt.sortEndAt = timeIn(from, "sortFinished");
  attempt.counters = countersOf(from);
  attempt.clockSplits = listIn(from, "clockSplits").filter((ms) => typeof ms === "number");
}

/** Rumen's names of counters, and Hadoop's. */
const COUNTERS = [
  ["hdfsBytesRead", "HDFS_BYTES_READ"],
  ["hdfsBytesWritten", "HDFS_BYTES_WRITTEN"],
  ["mapInputRecords", "MAP_INPUT_RECORDS"],
  ["mapOutputBytes", "MAP_OUTPUT_BYTES"],
  ["reduceInputRecords", "REDUCE_INPUT_RECORDS"],
  ["reduceShuffleBytes", "REDUCE_SHUFFLE_BYTES"],
] as const;

/** -1 stands for a counter that the log does not hold. */
function countersOf(from: JsonObject): ReadonlyMap<string, number> | undefined {
  const found = new Map<string, number>();
  for (const [rumen, hadoop] of COUNTERS) {
    const value = numberIn(from, rumen);
    if (value !== undefined && value >= 0) found.set(hadoop, value);
  }
  const cpuMs = cpuOf(from);
  if (cpuMs > 0) found.set("CPU_MILLISECONDS", cpuMs);
  return found.size > 0 ? found : undefined;
}

/** Earlier traces hold the CPU time in each twelfth of the progress, and no sum. */
function cpuOf(from: JsonObject): number {
  const usage = objectIn(from, "resourceUsageMetrics") ?? {};
  const twelfths = listIn(from, "cpuUsages").filter((ms) => typeof ms === "number");
  const sum = twelfths.reduce((total, ms) => total + Math.max(ms, 0), 0);
  return numberIn(usage, "cumulativeCpuUsage") ?? sum;
}
