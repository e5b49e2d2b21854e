import { hostname } from "node:os";
import { defined } from "../../../base/assert.ts";

/** What streaming and the node say about the attempt, by variables of the environment. */
export interface Container {
  /** As YARN calls the node. */
  readonly host: string;
  /** `attempt_…` */
  readonly attemptName: string;
  /** 0 for the task's first attempt; they jump when the ApplicationMaster has been restarted. */
  readonly attempt: number;
  /** Of a reduce, which it is. */
  readonly partition: number;
}

export function containerOf(environment: NodeJS.ProcessEnv): Container {
  // Streaming sets the whole configuration of the job, with _ for all that is no letter or digit.
  const attemptName = defined(environment.mapreduce_task_attempt_id, "the attempt's name");
  return {
    host: environment.NM_HOST ?? hostname(),
    attemptName,
    attempt: Number(attemptName.slice(attemptName.lastIndexOf("_") + 1)),
    partition: Number(environment.mapreduce_task_partition ?? "0"),
  };
}
