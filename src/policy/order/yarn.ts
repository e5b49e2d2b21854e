import type { PhaseId } from "../../model/ids.ts";
import { wasTriedBefore } from "../../model/tried-before.ts";
import type { View } from "../../model/view.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Context, TaskOrder } from "../policy.ts";

const PARAMS = params({
  /** yarn.app.mapreduce.am.job.reduce.rampup.limit, 0.5. */
  rampUpLimit: {
    default: 0.5,
    max: 1,
    about:
      "share of a job's containers that its reduces may hold while maps wait " +
      "(yarn.app.mapreduce.am.job.reduce.rampup.limit 0.5)",
  },
});

export type YarnOrderParams = ParamsOf<typeof PARAMS>;

/**
 * RMContainerAllocator: within a job, failed maps come first (priority 5), then reduces (10), then
 * maps (20). Reduces are requested step by step while maps still wait, and all at once when none
 * does.
 */
export const yarnOrder: TaskOrder<YarnOrderParams, null> = {
  name: "yarn",
  source: "Hadoop 2.7, org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator",
  params: PARAMS,
  needs: [],
  remember: () => null,

  freshByIndex: true,

  key({ view }, task) {
    return wasTriedBefore(view, task) ? -1 - view.failures(task) : view.task(task).index;
  },

  // PRIORITY_FAST_FAIL_MAP: requested without hosts.
  ignoresLocality: ({ view }, task) => wasTriedBefore(view, task),

  readersBeside,

  // isReduceStarted: the threshold is checked only until it has been reached once.
  readersStayReady: true,
};

/**
 * scheduleReduces: of the slots that the job holds or could take, reduces get as large a share as
 * the share of maps that are done, up to the limit, plus the slots that the maps cannot use. Jobs
 * here may have more phases: "maps" are all phases that this one reads, directly or indirectly, and
 * "reduces" the others.
 */
function readersBeside({ params, view }: Context<YarnOrderParams, null>, phase: PhaseId): number {
  const maps = ancestorsOf(view, phase);
  const { slots, job } = view.phase(phase);
  let [tasks, done, unfinished, containers, others] = [0, 0, 0, 0, 0];
  for (const id of maps) {
    const counts = view.counts(id);
    tasks += counts.tasks;
    done += counts.done;
    unfinished += Math.max(counts.tasks - counts.done, counts.waiting + counts.running);
    containers += counts.running;
  }
  for (const { id } of view.phases(job)) {
    if (maps.has(id)) continue;
    const { running } = view.counts(id);
    containers += running;
    if (id !== phase) others += running;
  }
  for (const rack of view.racks) {
    for (const kind of slots) containers += view.freeSlots(rack, kind);
  }
  const forReduces = containers * Math.min(tasks === 0 ? 1 : done / tasks, params.rampUpLimit);
  const forMaps = Math.floor(containers - forReduces);
  const most = Math.floor(forMaps >= unfinished ? containers - unfinished : forReduces);
  return most - others;
}

function ancestorsOf(view: View, phase: PhaseId): ReadonlySet<PhaseId> {
  const found = new Set(view.upstream(phase).map(({ id }) => id));
  for (const id of found) for (const { id: earlier } of view.upstream(id)) found.add(earlier);
  return found;
}
