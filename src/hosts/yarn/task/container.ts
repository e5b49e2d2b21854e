import { hostname } from "node:os";
import { defined } from "../../../base/assert.ts";

/** What streaming and the node say about the attempt, in environment variables. */
export interface Container {
  /** YARN's name of the node. */
  readonly host: string;
  /** `attempt_…` */
  readonly attemptName: string;
  /** 0 for the task's first attempt; the numbers jump after a restart of the ApplicationMaster. */
  readonly attempt: number;
  /** The number of a reduce. */
  readonly partition: number;
}

export function containerOf(environment: NodeJS.ProcessEnv): Container {
  // Streaming exports the whole job configuration, with _ for every character that is no letter or
  // digit.
  const attemptName = defined(environment.mapreduce_task_attempt_id, "the attempt's name");
  return {
    host: environment.NM_HOST ?? hostname(),
    attemptName,
    attempt: Number(attemptName.slice(attemptName.lastIndexOf("_") + 1)),
    partition: Number(environment.mapreduce_task_partition ?? "0"),
  };
}
