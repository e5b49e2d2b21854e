import { ascending } from "../../base/order.ts";
import type { SlotKind } from "../../model/ids.ts";
import type { SharingPolicy } from "../policy.ts";
import { isMap } from "../shared/slots.ts";
import {
  fullness,
  initialisable,
  noteActiveUsers,
  type QueueUse,
  useOf,
} from "./capacity/limits.ts";
import { maySwitchRack, recordDecline, recordLaunch } from "./capacity/locality.ts";
import {
  type CapacityMemory,
  emptyMemory,
  enter,
  leave,
  queuesOf,
  recordWaits,
  rehome,
} from "./capacity/memory.ts";
import { type CapacityParams, PARAMS } from "./capacity/params.ts";

// Queues that are equally full keep the order of the text.
const EMPTIEST_FIRST = ascending<QueueUse>(fullness);

/**
 * Hadoop 1.2.1, CapacityTaskScheduler (Elephant §2.3): each queue has a share of the slots, and its
 * unused slots go to the others. Within a queue the first job comes first, within limits for each
 * user. The cluster's first slot kind stands for map slots. Nothing is pre-empted.
 */
export const capacity: SharingPolicy<CapacityParams, CapacityMemory> = {
  name: "capacity",
  source: "Hadoop 1.2.1, CapacityTaskScheduler, CapacitySchedulerQueue, JobInitializationPoller",
  params: PARAMS,
  needs: [],
  remember: emptyMemory,

  hears: {
    "job-submitted": (ctx, { job }) => enter(ctx, job),
    "job-ended": ({ memory }, { job }) => leave(memory, job),
    "job-waits": recordWaits,
    "sharing-tuned": rehome,
    "node-joined"({ memory }, { node }) {
      memory.nodes.add(node.id);
    },
    "node-lost"({ memory }, { node }) {
      memory.nodes.delete(node);
    },
    "slot-declined": recordDecline,
    "attempt-assumed": recordLaunch,
  },

  admit(ctx, id) {
    const job = ctx.memory.jobs.get(id);
    return job !== undefined && initialisable(ctx, job.queue).has(id);
  },

  // addMapTasks: all map slots, up to the first far launch; addReduceTask: one reduce.
  plan(ctx, _, free) {
    const { params, view } = ctx;
    noteActiveUsers(ctx);
    const slots: SlotKind[] = [];
    for (const { kind, count } of free) {
      const most = isMap(view, kind) ? params.mapsMax : params.reducesMax;
      for (let left = Math.min(count, most); left > 0; left--) slots.push(kind);
    }
    return { slots, farMax: params.farMax };
  },

  // COST: O(live jobs) per slot, as in the source.
  *jobs(ctx, { kind }, among) {
    const { memory, view } = ctx;
    const uses = [...queuesOf(ctx).keys()].map((queue) => useOf(ctx, queue, kind));
    for (const use of uses.sort(EMPTIEST_FIRST)) {
      if (use.occupied + 1 > use.maximum) continue;
      for (const id of memory.jobsOf.get(use.queue) ?? []) {
        const occupied = use.occupiedBy.get(view.job(id).user) ?? 0;
        if (occupied + 1 > use.userLimit) continue;
        if (among === "all" || memory.jobs.get(id)?.waits[kind] === true) yield id;
      }
    }
  },

  // obtainNewTask: on the node and its rack at any time, elsewhere once the job has waited long
  // enough.
  allowedLocality: (ctx, job, { kind }) =>
    !isMap(ctx.view, kind) || maySwitchRack(ctx, job) ? "any" : "rack",
};
