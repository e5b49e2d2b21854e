import type { Locality } from "../../model/job.ts";
import type { TraceEnd } from "../columns.ts";
import type { TraceJob } from "../model.ts";

/** A job of Hadoop as its history has it, in any format. Times in ms since 1970. */
export interface HadoopJob {
  id: string;
  name: string;
  user: string | undefined;
  submittedAt: number | undefined;
  launchedAt: number | undefined;
  finishedAt: number | undefined;
  outcome: TraceJob["outcome"];
  readonly tasks: Map<string, HadoopTask>;
  readonly settings: Map<string, string>;
}

/** Set-up and clean-up tasks belong to the job's own time, and are no phase. */
export type HadoopTaskKind = "map" | "reduce" | "other";

export interface HadoopTask {
  readonly id: string;
  readonly kind: HadoopTaskKind;
  startedAt: number | undefined;
  finishedAt: number | undefined;
  readonly attempts: Map<string, HadoopAttempt>;
}

export interface HadoopAttempt {
  readonly id: string;
  startedAt: number | undefined;
  finishedAt: number | undefined;
  ended: TraceEnd | undefined;
  /** The host's name, without its rack. */
  host: string | undefined;
  rack: string | undefined;
  locality: Locality | undefined;
  /** undefined if the format does not say. */
  isSpeculative: boolean | undefined;
  shuffleEndAt: number | undefined;
  sortEndAt: number | undefined;
  /** By Hadoop's names, such as `HDFS_BYTES_READ`; absent if the log has none. */
  counters: ReadonlyMap<string, number> | undefined;
  curve: readonly number[] | undefined;
}

export const newJob = (id: string): HadoopJob => ({
  id,
  name: id,
  user: undefined,
  submittedAt: undefined,
  launchedAt: undefined,
  finishedAt: undefined,
  outcome: "cut-off",
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
    host: undefined,
    rack: undefined,
    locality: undefined,
    isSpeculative: undefined,
    shuffleEndAt: undefined,
    sortEndAt: undefined,
    counters: undefined,
    curve: undefined,
  };
  task.attempts.set(id, made);
  return made;
}

/** Hadoop's kinds of tasks: MAP, REDUCE, JOB_SETUP, ... */
export const kindNamed = (name: string): HadoopTaskKind =>
  name === "MAP" ? "map" : name === "REDUCE" ? "reduce" : "other";

/** `/rack1/n3` and `n3` name the same host. */
export const hostNamed = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
