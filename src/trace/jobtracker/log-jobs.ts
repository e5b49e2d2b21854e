import { knownCount } from "../counts.ts";
import {
  attemptIn,
  endAttempt,
  endNamed,
  type HadoopJob,
  type HadoopTask,
  isAttemptOf,
  kindNamed,
  knownTime,
  newJob,
  putAt,
  taskIn,
} from "../hadoop/history.ts";
import { hostOfTracker, placeNamed, placesNamed } from "../hadoop/place.ts";
import { countersIn, type LogRecord } from "./record.ts";

type Fields = LogRecord["fields"];

/** The jobs of a JobTracker's log, gathered record by record. */
export class LogJobs {
  readonly jobs = new Map<string, HadoopJob>();
  /** The number of records of each unknown kind. */
  readonly unknown = new Map<string, number>();

  /** Whether the record is one: a torn one joins the beginning of one and the end of another. */
  apply({ tag, fields }: LogRecord): boolean {
    switch (tag) {
      case "Meta":
        return true;
      case "Job":
        this.#applyToJob(fields);
        return true;
      case "Task":
        this.#applyToTask(fields);
        return true;
      case "MapAttempt":
      case "ReduceAttempt":
        return this.#applyToAttempt(fields);
      default:
        this.unknown.set(tag, (this.unknown.get(tag) ?? 0) + 1);
        return true;
    }
  }

  job(id: string): HadoopJob {
    const known = this.jobs.get(id);
    if (known !== undefined) return known;
    const made = newJob(id);
    this.jobs.set(id, made);
    return made;
  }

  #applyToJob(fields: Fields): void {
    const id = fields.get("JOBID");
    if (id === undefined) return;
    const job = this.job(id);
    job.name = fields.get("JOBNAME") ?? job.name;
    job.user = fields.get("USER") ?? job.user;
    job.submittedAt = time(fields, "SUBMIT_TIME") ?? job.submittedAt;
    job.launchedAt = time(fields, "LAUNCH_TIME") ?? job.launchedAt;
    job.maps = knownCount(number(fields, "TOTAL_MAPS")) ?? job.maps;
    job.reduces = knownCount(number(fields, "TOTAL_REDUCES")) ?? job.reduces;
    // Other states, such as PREP and RUNNING, come without an end.
    const outcome = endNamed(fields.get("JOB_STATUS") ?? "", "");
    if (outcome === undefined || outcome === "lost") return;
    job.outcome = outcome;
    job.finishedAt = time(fields, "FINISH_TIME");
  }

  #taskIn(fields: Fields): HadoopTask | undefined {
    const id = fields.get("TASKID");
    const [, numbers] = /^task_(\d+_\d+)_[mr]_/.exec(id ?? "") ?? [];
    if (id === undefined || numbers === undefined) return undefined;
    return taskIn(this.job(`job_${numbers}`), id, kindNamed(fields.get("TASK_TYPE") ?? ""));
  }

  #applyToTask(fields: Fields): void {
    const task = this.#taskIn(fields);
    if (task === undefined) return;
    task.startedAt ??= time(fields, "START_TIME");
    task.finishedAt = time(fields, "FINISH_TIME") ?? task.finishedAt;
    task.ended = endNamed(fields.get("TASK_STATUS") ?? "", "") ?? task.ended;
    const splits = fields.get("SPLITS") ?? "";
    if (splits !== "") task.splits = placesNamed(splits);
  }

  #applyToAttempt(fields: Fields): boolean {
    const task = this.#taskIn(fields);
    const id = fields.get("TASK_ATTEMPT_ID");
    if (task === undefined || id === undefined) return true;
    if (!isAttemptOf(id, task.id)) return false;
    const attempt = attemptIn(task, id);
    attempt.startedAt = time(fields, "START_TIME") ?? attempt.startedAt;
    const tracker = fields.get("TRACKER_NAME");
    if (tracker !== undefined) attempt.host ??= hostOfTracker(tracker);
    const error = fields.get("ERROR") ?? "";
    const ended = endNamed(fields.get("TASK_STATUS") ?? "", error);
    if (ended === undefined) return true;
    const isRun = attempt.ended !== "succeeded";
    endAttempt(attempt, ended, time(fields, "FINISH_TIME"), error);
    if (!isRun) return true;
    putAt(attempt, placeNamed(fields.get("HOSTNAME") ?? ""));
    attempt.shuffleEndAt = time(fields, "SHUFFLE_FINISHED");
    attempt.sortEndAt = time(fields, "SORT_FINISHED");
    attempt.counters = countersIn(fields.get("COUNTERS"));
    return true;
  }
}

const number = (fields: Fields, key: string): number | undefined => {
  const value = fields.get(key);
  return value !== undefined && /^-?\d+$/.test(value) ? Number(value) : undefined;
};

const time = (fields: Fields, key: string): number | undefined => knownTime(number(fields, key));
