import type { Ask } from "../../model/action.ts";
import { after, instant } from "../../model/ids.ts";
import type { SharingPolicy } from "../policy.ts";
import { isMap } from "../shared/slots.ts";
import { jobsByNeed, poolsByNeed, runnable } from "./fair/claims.ts";
import { allowedLevel, automaticDelays, recordDecline, recordMap, undoMap } from "./fair/delay.ts";
import { planOffer } from "./fair/load.ts";
import {
  allocationsOf,
  emptyMemory,
  enterJob,
  type FairMemory,
  leaveJob,
  limitsOf,
  poolOf,
} from "./fair/memory.ts";
import { type FairParams, PARAMS } from "./fair/params.ts";
import { noteShares, poolShares, preempt, starving } from "./fair/pre-empt.ts";

/**
 * Hadoop 1.2.1, FairScheduler (Zaharia et al., EuroSys 2010; Elephant §2.3): pools share slots by
 * weight; within a pool, jobs share fairly or the first job comes first; a job waits a little for a
 * slot near its data. The cluster's first slot kind stands for map slots.
 */
export const fair: SharingPolicy<FairParams, FairMemory> = {
  name: "fair",
  source: "Hadoop 1.2.1, FairScheduler, PoolSchedulable, JobSchedulable, CapBasedLoadManager",
  params: PARAMS,
  needs: [],
  remember: emptyMemory,

  hears: {
    "job-submitted"({ memory, params, view }, { job }) {
      allocationsOf(memory, params);
      enterJob(memory, view, job, poolOf(job, params.userPools));
    },
    "job-ended": ({ memory }, { job }) => leaveJob(memory, job),
    "job-waits"({ memory }, { job: id, slotKind, waits }) {
      const job = memory.jobs.get(id);
      if (job !== undefined) job.waits[slotKind] = waits;
    },
    "sharing-tuned"({ memory, params }) {
      memory.allocations = undefined;
      allocationsOf(memory, params);
    },
    "node-joined"({ memory }, { node }) {
      memory.nodes.add(node.id);
    },
    "node-lost"({ memory }, { node }) {
      memory.nodes.delete(node);
    },
    "slot-declined": ({ memory }, what) => recordDecline(memory, what),
    "attempt-assumed": ({ memory, view }, what) => recordMap(memory, view, what),
    "assumption-undone": ({ memory, view }, { attempt }) => undoMap(memory, view, attempt),
  },

  // updateRunnability: jobs by priority and start, until the limit of their pool or user is
  // reached.
  admit: (ctx, job) => runnable(ctx).has(job),

  plan: planOffer,

  // COST: O(live jobs) per slot, as in the source.
  *jobs(ctx, { kind }, among) {
    const { memory, view } = ctx;
    const allocations = allocationsOf(memory, ctx.params);
    for (const { pool, running } of poolsByNeed(ctx, kind)) {
      if (running >= limitsOf(allocations, { view, pool, kind }).max) continue;
      for (const id of jobsByNeed(ctx, pool, kind)) {
        if (among === "all" || memory.jobs.get(id)?.waits[kind] === true) yield id;
      }
    }
  },

  allowedLocality({ memory, params, view }, id, { kind }) {
    const job = memory.jobs.get(id);
    if (job === undefined || job.unplaced > 0 || !isMap(view, kind)) return "any";
    // The jobs of a starving pool do not wait for locality.
    if (params.preemption) {
      const starves = starving({ memory, params, view }, { pool: job.pool, kind });
      if (starves.ofMinShare || starves.ofHalfShare) return "any";
    }
    const { declinesSince: since = view.now, level } = job;
    const delays = params.automaticLocalityDelay
      ? automaticDelays(memory.nodes.size)
      : { nodeMs: params.localityDelayNodeMs, rackMs: params.localityDelayRackMs };
    return allowedLevel(level, { since, now: view.now }, delays);
  },

  scan(ctx) {
    const { memory, params, view } = ctx;
    if (!params.preemption) return [];
    const checks = view.now >= after(memory.checkedAt ?? instant(0), params.preemptionIntervalMs);
    if (checks) memory.checkedAt = view.now;
    const asks: Ask[] = [];
    for (const kind of view.kinds) {
      const shares = poolShares(ctx, kind);
      noteShares(ctx, kind, shares);
      if (checks) asks.push(...preempt(ctx, kind, shares));
    }
    return [...asks, { kind: "wake", at: after(view.now, params.updateMs) }];
  },
};
