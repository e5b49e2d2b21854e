import type { Slot } from "../../model/action.ts";
import {
  type AttemptId,
  after,
  type Instant,
  type NodeId,
  type PhaseId,
  type TaskId,
} from "../../model/ids.ts";
import type { Locality, Phase } from "../../model/job.ts";
import { type ParamsOf, params } from "../params.ts";
import type { Context, TaskOrder } from "../policy.ts";

const PARAMS = params({
  /** Milliseconds: spark.locality.wait.node, spark.locality.wait, 3 s. */
  nodeWaitMs: {
    default: 3_000,
    about: "how long a phase takes only slots on nodes with its data (spark.locality.wait, 3 s)",
  },
  /** Milliseconds: spark.locality.wait.rack, spark.locality.wait, 3 s. */
  rackWaitMs: {
    default: 3_000,
    about: "how long it then takes only slots on racks with its data (spark.locality.wait, 3 s)",
  },
  /** spark.locality.wait.legacyResetOnTaskLaunch: false since 3.1, always so before. */
  resetsOnLaunch: {
    default: false,
    about: "whether each launch begins the wait anew, as before Spark 3.1 (false)",
  },
});

export type SparkOrderParams = ParamsOf<typeof PARAMS>;

/** How far from their data the tasks of a phase may run: the level at an instant. */
interface Wait {
  level: Locality;
  since: Instant;
  /** Whether a slot has stayed free for the wait. */
  hasRefused: boolean;
}

interface Memory {
  readonly waits: Map<PhaseId, Wait>;
  /** Nodes that have joined and are not lost. */
  readonly nodes: Set<NodeId>;
}

type OrderContext = Context<SparkOrderParams, Memory>;

/**
 * Delay scheduling, phase by phase: a phase declines slots far from its data, and accepts farther
 * ones the longer it has waited. Failed tasks come first, the latest at the head.
 */
export const sparkOrder: TaskOrder<SparkOrderParams, Memory> = {
  name: "spark",
  source: "Spark 3.1, TaskSetManager.getAllowedLocalityLevel, resetDelayScheduleTimer",
  params: PARAMS,
  needs: [],
  remember: () => ({ waits: new Map(), nodes: new Set() }),

  hears: {
    "node-joined"({ memory }, { node }) {
      memory.nodes.add(node.id);
    },
    "node-lost"({ memory }, { node }) {
      memory.nodes.delete(node);
    },
    "job-ended"({ memory, view }, { job }) {
      for (const { id } of view.job(job).phases) memory.waits.delete(id);
    },
    "job-waits"(ctx, { job }) {
      for (const { id } of ctx.view.phases(job)) waitOf(ctx, id);
    },
    "attempt-assumed": (ctx, { attempt, locality }) => launched(ctx, attempt, locality),
    "attempt-started": lookAtAll,
    "attempt-succeeded": lookAtAll,
    woken: lookAtAll,
  },

  freshByIndex: true,

  // addPendingTask: a task that failed is put at the end of the list from which tasks are taken.
  key({ view }, task) {
    return view.attemptsOf(task).length > 0 ? -1 - view.now : view.task(task).index;
  },

  eligible(ctx, task, slot) {
    const { replicas } = ctx.view.task(task);
    // computeValidLocalityLevels: a phase does not wait for a level without live nodes. Spark
    // decides this for all tasks of the phase together.
    if (!replicas.some((node) => ctx.memory.nodes.has(node))) return true;
    return isWithin(ctx, task, slot);
  },
};

const LEVELS: readonly Locality[] = ["node", "rack", "any"];

function isWithin(ctx: OrderContext, task: TaskId, { node }: Slot): boolean {
  const { memory, view } = ctx;
  const locality = view.locality(task, node);
  if (locality === "node") return true;
  const wait = memory.waits.get(view.task(task).phase);
  const allowed = wait === undefined ? "node" : levelAt(ctx, wait);
  return LEVELS.indexOf(locality) <= LEVELS.indexOf(allowed);
}

/** getAllowedLocalityLevel: after the wait of a level, the wait of the next one begins. */
function levelAt({ params, view }: OrderContext, { level, since }: Wait): Locality {
  if (level === "any") return "any";
  const rackFrom = level === "node" ? after(since, params.nodeWaitMs) : since;
  if (view.now < rackFrom) return "node";
  return view.now < after(rackFrom, params.rackWaitMs) ? "rack" : "any";
}

function lookAtAll(ctx: OrderContext): void {
  const { view } = ctx;
  for (const { id } of view.jobs()) for (const phase of view.phases(id)) look(ctx, phase);
}

/** The phase's wait begins when the phase is first seen. */
function waitOf({ memory, view }: OrderContext, phase: PhaseId): Wait {
  let wait = memory.waits.get(phase);
  if (wait === undefined) {
    wait = { level: "node", since: view.now, hasRefused: false };
    memory.waits.set(phase, wait);
  }
  return wait;
}

/** Slots that were offered and are still free while tasks of the phase wait were refused. */
function look(ctx: OrderContext, { id, slots }: Phase): void {
  const { view } = ctx;
  const wait = waitOf(ctx, id);
  if (wait.hasRefused || view.counts(id).waiting === 0) return;
  wait.hasRefused = view.racks.some((rack) => slots.some((kind) => view.freeSlots(rack, kind) > 0));
}

/**
 * resourceOffers: until the phase has refused a slot, each launch restarts the wait, at the level
 * of the launch.
 */
function launched(ctx: OrderContext, attempt: AttemptId, locality: Locality): void {
  const { params, view } = ctx;
  const task = view.task(view.attempt(attempt).task);
  // Tasks that may run anywhere have a turn of their own, which resets nothing.
  if (task.replicas.length === 0) return;
  const wait = waitOf(ctx, task.phase);
  if (wait.hasRefused && !params.resetsOnLaunch) return;
  wait.level = locality;
  wait.since = view.now;
}
