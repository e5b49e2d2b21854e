import { ByteLines } from "../byte-lines.ts";
import { textOf } from "../byte-text.ts";
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
import { trackerTrace } from "../hadoop/traces.ts";
import type { Note, Trace } from "../model.ts";
import type { TraceReader } from "../reader.ts";
import { parseCounters, parseRecord } from "./record.ts";

/** A record that goes on over more than this has lost its end. */
const RECORD_MAX = 1 << 20;

/** Reads JobTracker logs of Hadoop 0.20 and 1.x, one job or several behind `!!FILE=` lines. */
export class JobTrackerReader implements TraceReader {
  readonly #place: string;
  readonly #lines = new ByteLines((bytes, from, to) => this.#line(textOf(bytes, from, to)));
  readonly #jobs = new Map<string, HadoopJob>();
  #rest = "";
  #job: HadoopJob | undefined;

  constructor(place: string) {
    this.#place = place;
  }

  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  end(): Trace {
    this.#lines.end();
    const text = "the last record is cut off";
    const notes: readonly Note[] = this.#rest === "" ? [] : [{ kind: "cut-off", text }];
    return trackerTrace(this.#jobs.values(), { format: "jobtracker", place: this.#place, notes });
  }

  /** A record ends with ` .`; values may hold line ends. */
  #line(line: string): void {
    if (line.startsWith("!!FILE=")) {
      this.#rest = "";
      this.#job = undefined;
      return;
    }
    const text = this.#rest === "" ? line : `${this.#rest}\n${line}`;
    this.#rest = "";
    if (/\.\s*$/.test(text) && !/\\\.\s*$/.test(text)) this.#record(text);
    else if (/^[A-Za-z]+ [A-Z_]+="/.test(text) && text.length < RECORD_MAX) this.#rest = text;
  }

  #record(text: string): void {
    const record = parseRecord(text);
    if (record === undefined) return;
    const { kind, values } = record;
    if (kind === "Job") this.#applyJob(values);
    else if (kind === "Task") this.#applyTask(values);
    else if (kind === "MapAttempt" || kind === "ReduceAttempt") this.#applyAttempt(values);
  }

  #applyJob(values: ReadonlyMap<string, string>): void {
    const id = values.get("JOBID");
    if (id === undefined) return;
    const job = this.#jobs.get(id) ?? newJob(id);
    this.#jobs.set(id, job);
    this.#job = job;
    job.name = values.get("JOBNAME") ?? job.name;
    job.user = values.get("USER") ?? job.user;
    job.submittedAt = time(values, "SUBMIT_TIME") ?? job.submittedAt;
    job.launchedAt = time(values, "LAUNCH_TIME") ?? job.launchedAt;
    job.finishedAt = time(values, "FINISH_TIME") ?? job.finishedAt;
    const status = values.get("JOB_STATUS");
    if (status === "SUCCESS") job.outcome = "succeeded";
    if (status === "FAILED") job.outcome = "failed";
    if (status === "KILLED") job.outcome = "killed";
  }

  #applyTask(values: ReadonlyMap<string, string>): void {
    const id = values.get("TASKID");
    if (this.#job === undefined || id === undefined) return;
    const task = taskIn(this.#job, id, kindNamed(values.get("TASK_TYPE") ?? ""));
    task.startedAt = time(values, "START_TIME") ?? task.startedAt;
    task.finishedAt = time(values, "FINISH_TIME") ?? task.finishedAt;
  }

  #applyAttempt(values: ReadonlyMap<string, string>): void {
    const taskId = values.get("TASKID");
    const id = values.get("TASK_ATTEMPT_ID");
    if (this.#job === undefined || taskId === undefined || id === undefined) return;
    const task = taskIn(this.#job, taskId, kindNamed(values.get("TASK_TYPE") ?? ""));
    const attempt = attemptIn(task, id);
    attempt.startedAt = time(values, "START_TIME") ?? attempt.startedAt;
    const tracker = values.get("TRACKER_NAME");
    if (tracker !== undefined) attempt.host ??= hostOfTracker(tracker);
    if (values.has("TASK_STATUS")) finish(attempt, values);
  }
}

function finish(attempt: HadoopAttempt, values: ReadonlyMap<string, string>): void {
  attempt.finishedAt = time(values, "FINISH_TIME") ?? attempt.finishedAt;
  attempt.ended = ENDS.get(values.get("TASK_STATUS") ?? "");
  attempt.shuffleEndAt = time(values, "SHUFFLE_FINISHED");
  attempt.sortEndAt = time(values, "SORT_FINISHED");
  attempt.counters = parseCounters(values.get("COUNTERS") ?? "");
  const host = values.get("HOSTNAME");
  if (host === undefined || host === "") return;
  attempt.host = hostNamed(host);
  const rack = host.slice(0, host.lastIndexOf("/"));
  if (rack !== "") attempt.rack = rack;
}

const ENDS: ReadonlyMap<string, TraceEnd> = new Map([
  ["SUCCESS", "succeeded"],
  ["FAILED", "failed"],
  ["KILLED", "killed"],
]);

/** `tracker_host.domain:localhost/127.0.0.1:54153`. */
const hostOfTracker = (name: string): string => name.replace(/^tracker_/, "").replace(/:.*$/s, "");

function time(values: ReadonlyMap<string, string>, key: string): number | undefined {
  const value = Number(values.get(key) ?? Number.NaN);
  return value > 0 ? value : undefined;
}
