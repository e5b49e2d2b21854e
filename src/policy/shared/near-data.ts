import type { Slot } from "../../model/action.ts";
import { after, type Instant, instant, type NodeId, type TaskId } from "../../model/ids.ts";
import { mayBeTriedOn, wasTriedBefore } from "../../model/tried-before.ts";
import type { View } from "../../model/view.ts";
import type { Context, Hears } from "../policy.ts";
import { slotsOf } from "./slots.ts";

/** What an order remembers so that failed tasks can wait for slots beside their data. */
export interface Losses {
  /** Nodes that have joined and are not lost. */
  readonly nodes: Set<NodeId>;
  /** When each node was last lost, and when each output on a live node was lost. */
  readonly nodeLostAt: Map<NodeId, number>;
  readonly outputLostAt: Map<TaskId, number>;
}

interface DataContext extends Pick<Context<object, Losses>, "memory" | "view"> {
  readonly params: {
    /** How long a failed task waits for a slot beside its data, in milliseconds. */
    readonly waitMs: number;
  };
}

export const noLosses = (): Losses => ({
  nodes: new Set(),
  nodeLostAt: new Map(),
  outputLostAt: new Map(),
});

/** The events by which `Losses` stays up to date. */
export const HEARS_LOSSES = {
  "node-joined"({ memory }, { node }) {
    memory.nodes.add(node.id);
  },
  "node-lost"({ memory }, { at, node }) {
    memory.nodes.delete(node);
    memory.nodeLostAt.set(node, at);
  },
  "output-lost"({ memory }, { at, task }) {
    memory.outputLostAt.set(task, at);
  },
  "fetch-failed"({ memory }, { at, output }) {
    memory.outputLostAt.set(output, at);
  },
  "job-ended"({ memory, view }, { job }) {
    for (const { tasks } of view.job(job).phases) {
      for (const { id } of tasks) memory.outputLostAt.delete(id);
    }
  },
} as const satisfies Hears<object, Losses>;

/** Failed and lost tasks first, those with the most failures before the others; then by index. */
export const triedFirst = (view: View, task: TaskId): number =>
  wasTriedBefore(view, task) ? -1 - view.failures(task) : view.task(task).index;

/**
 * Whether the task may take the slot: a failed or lost task at once beside its data, and elsewhere
 * after `waitMs`, or if no node with its data could run it.
 */
export function isNearOrLate(ctx: DataContext, task: TaskId, slot: Slot): boolean {
  const { params, view } = ctx;
  if (!mayBeTriedOn(view, task, slot)) return false;
  if (view.task(task).replicas.length === 0 || !wasTriedBefore(view, task)) return true;
  if (view.locality(task, slot.node) === "node") return true;
  if (view.now >= after(againSince(ctx, task), params.waitMs)) return true;
  return !view.task(task).replicas.some((node) => couldRun(ctx, task, { node, kind: slot.kind }));
}

/** Whether the task could run on the node, were a slot of the kind free. */
export function couldRun(
  { memory, view }: Pick<DataContext, "memory" | "view">,
  task: TaskId,
  slot: Slot,
): boolean {
  const { node, kind } = slot;
  if (!memory.nodes.has(node) || view.silentSince(node) !== undefined) return false;
  if (view.isClosed(view.jobOf(view.task(task).phase).id, node)) return false;
  return slotsOf(view, node, kind) > 0 && mayBeTriedOn(view, task, slot);
}

/** When the task's last attempt ended, or its output was lost. */
function againSince({ memory, view }: DataContext, task: TaskId): Instant {
  let since: number = memory.outputLostAt.get(task) ?? 0;
  for (const { endedAt, node, state } of view.attemptsOf(task)) {
    since = Math.max(since, endedAt ?? 0);
    if (state === "succeeded") since = Math.max(since, memory.nodeLostAt.get(node) ?? 0);
  }
  return instant(since);
}
