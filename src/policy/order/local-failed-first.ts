import type { Slot } from "../../model/action.ts";
import { after, type Instant, instant, type NodeId, type TaskId } from "../../model/ids.ts";
import { mayBeTriedOn, wasTriedBefore } from "../../model/tried-before.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Context, TaskOrder } from "../policy.ts";
import { slotsOf } from "../shared/slots.ts";

const PARAMS = params({
  /** Milliseconds. Ours. */
  waitMs: {
    default: 15_000,
    about: "how long a failed task waits for a slot beside its data (ours, ms)",
  },
});

export type LocalFailedFirstParams = ParamsOf<typeof PARAMS>;

interface Memory {
  /** Nodes that have joined and are not lost. */
  readonly nodes: Set<NodeId>;
  /** When each node was last lost, and when each output on a live node was lost. */
  readonly nodeLostAt: Map<NodeId, number>;
  readonly outputLostAt: Map<TaskId, number>;
}

/**
 * The order that the Elephant paper argues for (§6, §7): Hadoop launches a failed task on the first
 * free slot wherever it is, and pays for that on the network. Here a failed task comes first too,
 * but for a while only where its data are.
 */
export const localFailedFirst: TaskOrder<LocalFailedFirstParams, Memory> = {
  name: "local-failed-first",
  source: "after Ibrahim, Phuong, Antoniu, An Eye on the Elephant in the Wild (2015), §6",
  params: PARAMS,
  needs: [],
  remember: () => ({ nodes: new Set(), nodeLostAt: new Map(), outputLostAt: new Map() }),

  hears: {
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
  },

  freshByIndex: true,

  key({ view }, task) {
    return wasTriedBefore(view, task) ? -1 - view.failures(task) : view.task(task).index;
  },

  // A failed task comes first wherever it is eligible: at once beside its data, elsewhere after its
  // wait.
  ignoresLocality: ({ view }, task) => wasTriedBefore(view, task),

  eligible(ctx, task, slot) {
    const { params, view } = ctx;
    if (!mayBeTriedOn(view, task, slot)) return false;
    if (view.task(task).replicas.length === 0 || !wasTriedBefore(view, task)) return true;
    if (view.locality(task, slot.node) === "node") return true;
    return view.now >= after(againSince(ctx, task), params.waitMs) || !hasHome(ctx, task, slot);
  },
};

type OrderContext = Context<LocalFailedFirstParams, Memory>;

/** When the task's last attempt ended, or its output was lost. */
function againSince({ memory, view }: OrderContext, task: TaskId): Instant {
  let since: number = memory.outputLostAt.get(task) ?? 0;
  for (const { endedAt, node, state } of view.attemptsOf(task)) {
    since = Math.max(since, endedAt ?? 0);
    if (state === "succeeded") since = Math.max(since, memory.nodeLostAt.get(node) ?? 0);
  }
  return instant(since);
}

/** Whether a node with the task's data could run it. */
function hasHome({ memory, view }: OrderContext, task: TaskId, { kind }: Slot): boolean {
  const { phase, replicas } = view.task(task);
  const job = view.jobOf(phase).id;
  return replicas.some((node) => {
    if (!memory.nodes.has(node) || view.silentSince(node) !== undefined) return false;
    if (view.isClosed(job, node) || slotsOf(view, node, kind) === 0) return false;
    return mayBeTriedOn(view, task, { node, kind });
  });
}
