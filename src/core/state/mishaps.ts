import type { NodeId } from "../../model/ids.ts";
import type { NodeRecord } from "./node-record.ts";

const NO_NODES: readonly NodeId[] = [];

/** Fields that few tasks need: all other tasks share one empty object, to save memory. */
export class Mishaps {
  /** The task is done, its output is lost, and it is to be recomputed. */
  recomputing = false;
  /** `recomputing`, and no new attempt has been reported yet. */
  unheard = false;
  /** The task is to be recomputed once the attempts that were killed at its success have ended. */
  recomputeDue = false;
  failures = 0;
  /** The nodes where an attempt failed, or from which the task's output could not be read. */
  failedOn: readonly NodeId[] = NO_NODES;
  restarts = 0;
  /** Attempts of the task that were killed and still hold their slots. */
  dying = 0;
  /** Readers' reports of failed fetches, for each copy of the output. */
  fetchReports: Map<NodeRecord, number> | undefined;
}

export const NO_MISHAPS: Readonly<Mishaps> = new Mishaps();
