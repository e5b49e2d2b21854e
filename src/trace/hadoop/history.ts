import type { JsonObject } from "../../base/json.ts";
import type { TraceEnd } from "../../history/columns.ts";
import type { TraceJob, Workflow } from "../../history/model.ts";
import type { Locality } from "../../model/job.ts";
import { numberIn } from "../json-values.ts";
import type { Place } from "./place.ts";

/**
 * A Hadoop job as its history records it, in any format, without corrections or assumptions. Times
 * in ms since 1970.
 */
export interface HadoopJob {
  readonly id: string;
  name: string;
  user: string | undefined;
  workflow: Workflow | undefined;
  submittedAt: number | undefined;
  launchedAt: number | undefined;
  /** Of each ApplicationMaster; a JobTracker's job has none. */
  readonly masterStarts: number[];
  finishedAt: number | undefined;
  outcome: TraceJob["outcome"];
  /** The numbers of tasks that the job announced when it began. */
  maps: number | undefined;
  reduces: number | undefined;
  /** Attempts of other jobs among the events of this one; they are left out. */
  foreign: number;
  /** Attempts whose times contradict those of the job; they are left out. */
  contradicting: number;
  readonly tasks: Map<string, HadoopTask>;
  /** By Hadoop's names, such as `mapreduce.map.speculative`. */
  readonly settings: Map<string, string>;
}

/** Set-up and clean-up tasks belong to the job's own time, and are no phase. */
export type HadoopTaskKind = "map" | "reduce" | "other";

export interface HadoopTask {
  readonly id: string;
  readonly kind: HadoopTaskKind;
  /** A JobTracker's task begins when it is assigned for the first time; YARN's, with its job. */
  startedAt: number | undefined;
  finishedAt: number | undefined;
  /** As its job saw it. */
  ended: TraceEnd | undefined;
  /** Where the task's input is. */
  splits: readonly Place[];
  readonly attempts: Map<string, HadoopAttempt>;
}

export interface HadoopAttempt {
  readonly id: string;
  startedAt: number | undefined;
  finishedAt: number | undefined;
  ended: TraceEnd | undefined;
  /** Why it ended without a result, in Hadoop's words; empty if the log does not say. */
  reason: string;
  /** The attempt succeeded, and its output was lost later. */
  isOutputLost: boolean;
  host: string | undefined;
  rack: string | undefined;
  locality: Locality | undefined;
  /** undefined if the format does not say. */
  isSpeculative: boolean | undefined;
  shuffleEndAt: number | undefined;
  sortEndAt: number | undefined;
  /** Those of `isMeasured`, by Hadoop's names; absent if the log has no counters. */
  counters: ReadonlyMap<string, number> | undefined;
  /** Milliseconds in each twelfth of the progress. */
  clockSplits: readonly number[] | undefined;
}

/** A task of one attempt has four events and takes 2 kB, so that as many events take 1 GB. */
export const HADOOP_EVENTS_MAX = 2_000_000;

export const attemptsIn = (job: HadoopJob): number =>
  [...job.tasks.values()].reduce((sum, { attempts }) => sum + attempts.size, 0);

export const newJob = (id: string): HadoopJob => ({
  id,
  name: id,
  user: undefined,
  workflow: undefined,
  submittedAt: undefined,
  launchedAt: undefined,
  masterStarts: [],
  finishedAt: undefined,
  outcome: "cut-off",
  maps: undefined,
  reduces: undefined,
  foreign: 0,
  contradicting: 0,
  tasks: new Map(),
  settings: new Map(),
});

export function taskIn(job: HadoopJob, id: string, kind: HadoopTaskKind): HadoopTask {
  const known = job.tasks.get(id);
  if (known !== undefined) return known;
  const made: HadoopTask = {
    id,
    kind,
    startedAt: undefined,
    finishedAt: undefined,
    ended: undefined,
    splits: [],
    attempts: new Map(),
  };
  job.tasks.set(id, made);
  return made;
}

export function attemptIn(task: HadoopTask, id: string): HadoopAttempt {
  const known = task.attempts.get(id);
  if (known !== undefined) return known;
  const made: HadoopAttempt = {
    id,
    startedAt: undefined,
    finishedAt: undefined,
    ended: undefined,
    reason: "",
    isOutputLost: false,
    host: undefined,
    rack: undefined,
    locality: undefined,
    isSpeculative: undefined,
    shuffleEndAt: undefined,
    sortEndAt: undefined,
    counters: undefined,
    clockSplits: undefined,
  };
  task.attempts.set(id, made);
  return made;
}

/**
 * The end of an attempt. A second end means that the output of an attempt that had succeeded was
 * lost: the attempt's own end stays the first.
 */
export function endAttempt(
  attempt: HadoopAttempt,
  ended: TraceEnd,
  finishedAt: number | undefined,
  reason = "",
): void {
  if (attempt.ended === "succeeded") {
    if (ended !== "succeeded") attempt.isOutputLost = true;
    return;
  }
  attempt.ended = ended;
  attempt.finishedAt = finishedAt;
  attempt.reason = ended === "succeeded" ? "" : reason;
}

export function putAt(attempt: HadoopAttempt, place: Place | undefined): void {
  if (place === undefined) return;
  attempt.host = place.host;
  attempt.rack = place.rack ?? attempt.rack;
}

/** `attempt_1_0002_m_000003_0` is one of `task_1_0002_m_000003`: a torn record may join two. */
export const isAttemptOf = (attempt: string, task: string): boolean =>
  taskOfAttempt(attempt) === task;

export const taskOfAttempt = (attempt: string): string =>
  attempt.replace(/^attempt/, "task").replace(/_\d+$/, "");

/** Hadoop's kinds of tasks: MAP, REDUCE, SETUP, JOB_SETUP, ... */
export const kindNamed = (name: string): HadoopTaskKind =>
  name === "MAP" ? "map" : name === "REDUCE" ? "reduce" : "other";

/** Times of 0 or less stand for times that Hadoop does not know. */
export const knownTime = (ms: number | undefined): number | undefined =>
  ms !== undefined && ms > 0 ? ms : undefined;

export const timeIn = (from: JsonObject, key: string): number | undefined =>
  knownTime(numberIn(from, key));

/** The word for how an attempt ended, as Hadoop's logs and Rumen write it. */
export function endNamed(status: string, error: string): TraceEnd | undefined {
  switch (status) {
    case "SUCCESS":
    case "SUCCEEDED":
      return "succeeded";
    case "FAILED":
      return "failed";
    case "KILLED":
      return /lost (node|task ?tracker)/i.test(error) ? "lost" : "killed";
    default:
      return undefined;
  }
}
