import { mayBeTriedOn, wasTriedBefore } from "../../model/tried-before.ts";
import type { TaskOrder } from "../policy.ts";

/**
 * Hadoop 1.2.1, JobInProgress.findNewMapTask and findNewReduceTask: tasks that were tried before
 * come first, so that a bug is found early; the others go by index.
 */
export const hadoopOrder: TaskOrder<object, null> = {
  name: "hadoop",
  source: "Hadoop 1.2.1, JobInProgress.findNewMapTask, findNewReduceTask",
  params: {},
  needs: [],
  remember: () => null,

  freshByIndex: true,

  key({ view }, task) {
    return wasTriedBefore(view, task) ? -1 - view.failures(task) : view.task(task).index;
  },

  // failedMaps is searched before any list that knows about places.
  ignoresLocality: ({ view }, task) => wasTriedBefore(view, task),

  eligible: ({ view }, task, slot) => mayBeTriedOn(view, task, slot),
};
