import type { Ask } from "../../model/action.ts";
import { after, type SlotKind } from "../../model/ids.ts";
import { wasTriedBefore } from "../../model/tried-before.ts";
import type { TaskOrder } from "../policy.ts";
import { HEARS_LOSSES, isNearOrLate, triedFirst } from "../shared/near-data.ts";
import { makeRoom, type Waiting } from "./local-preempt/choose.ts";
import {
  emptyMemory,
  forgetJob,
  hasFailed,
  type Memory,
  noteKill,
  type PreemptContext,
} from "./local-preempt/memory.ts";
import { type LocalPreemptParams, PARAMS } from "./local-preempt/params.ts";
import { Room, type Yields } from "./local-preempt/room.ts";

/**
 * Ibrahim, Phuong, Antoniu, "An Eye on the Elephant in the Wild: A Performance Evaluation of
 * Hadoop's Schedulers Under Failures" (ARMS-CC 2015), §6 and §7: the pre-emption that the paper
 * announces. A failed or a short task that waits although every slot beside its data is taken gets
 * the slot of an attempt there, which is killed. The paper gives no rule for which attempt, and
 * none against killing without end: these are ours (docs/papers/elephant.md).
 */
export const localPreempt: TaskOrder<LocalPreemptParams, Memory> = {
  name: "local-preempt",
  source: "after Ibrahim, Phuong, Antoniu, An Eye on the Elephant in the Wild (2015), §6, §7",
  params: PARAMS,
  needs: [],
  // Without offers the host decides which task a slot gets: a kill would help no task.
  wants: ["slot-offers"],
  remember: emptyMemory,

  hears: {
    ...HEARS_LOSSES,
    acted: ({ memory, view }, { action }) => noteKill(memory, view, action),
    "job-ended"(ctx, what) {
      HEARS_LOSSES["job-ended"](ctx, what);
      forgetJob(ctx.memory, ctx.view, what.job);
    },
  },

  freshByIndex: true,

  key: ({ view }, task) => triedFirst(view, task),

  ignoresLocality: ({ view }, task) => wasTriedBefore(view, task),

  eligible(ctx, task, slot) {
    const { memory, params, view } = ctx;
    if (!isNearOrLate(ctx, task, slot)) return false;
    // A task for which an attempt was killed waits for that slot, but not for ever.
    const kept = view.keptSlot(task);
    if (kept === undefined || kept === slot.node) return true;
    const takenAt = memory.takenAt.get(task);
    return takenAt === undefined || view.now >= after(takenAt, params.waitMs);
  },

  scan(ctx) {
    if (!ctx.has("slot-offers")) return [];
    const asks: Ask[] = [];
    const yields: Yields = new Map();
    let isWaiting = false;
    for (const kind of ctx.view.kinds) {
      const waiting = waitingFor(ctx, kind);
      if (waiting.length === 0) continue;
      isWaiting = true;
      asks.push(...makeRoomForAll(ctx, { kind, waiting, yields }));
    }
    if (isWaiting) asks.push({ kind: "wake", at: after(ctx.view.now, ctx.params.lookMs) });
    return asks;
  },
};

/**
 * §6, §7: the failed tasks, then those that may be short, as they come in their jobs' order. COST:
 * O(waiting tasks with replicas).
 */
function waitingFor(ctx: PreemptContext, kind: SlotKind): readonly Waiting[] {
  const { params, view } = ctx;
  const failed: Waiting[] = [];
  const others: Waiting[] = [];
  for (const { id: job } of view.jobs()) {
    for (const phase of view.phases(job, kind)) {
      for (const { id: task } of view.waitingTasks(phase.id)) {
        if (hasFailed(ctx, task)) failed.push({ task, hasFailed: true });
        else if (!wasTriedBefore(view, task)) others.push({ task, hasFailed: false });
      }
    }
  }
  return params.shortShare > 0 ? [...failed, ...others] : failed;
}

interface Look {
  readonly kind: SlotKind;
  readonly waiting: readonly Waiting[];
  readonly yields: Yields;
}

function makeRoomForAll(ctx: PreemptContext, { kind, waiting, yields }: Look): readonly Ask[] {
  const { view } = ctx;
  const room = new Room(ctx, { kind, waiting: waiting.map(({ task }) => task), yields });
  // A short task takes a free slot anywhere rather than have an attempt killed.
  const isFull = view.racks.every((rack) => view.freeSlots(rack, kind) === 0);
  return waiting.flatMap((one) => {
    const isServed = view.keptSlot(one.task) !== undefined;
    return isServed || (!one.hasFailed && !isFull) ? [] : makeRoom(ctx, room, one);
  });
}
