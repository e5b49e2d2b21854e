import type { Slot } from "../model/action.ts";
import type { Locality } from "../model/job.ts";
import type { Core } from "./core.ts";
import { isEligible, mayRun } from "./may-run.ts";
import type { JobRecord, NodeRecord, PhaseRecord, TaskRecord } from "./state.ts";
import type { Bucket } from "./waiting.ts";

/** A waiting task for a slot, and what brought it to the front. */
export interface Pick {
  readonly kind: "task";
  readonly task: TaskRecord;
  readonly by: "urgent" | "preferred" | "node" | "rack" | "any" | "unplaced";
}

/**
 * none: the job has no waiting task that may run there; too-far: it has, but not yet so far from
 * its data; prefers-elsewhere: it has, and a better place for it is free.
 */
export type Picked = Pick | { readonly kind: "none" | "too-far" | "prefers-elsewhere" };

interface Offer {
  readonly job: JobRecord;
  readonly node: NodeRecord;
  readonly slot: Slot;
  readonly allowed: Locality;
}

const NONE: Picked = { kind: "none" };
const TOO_FAR: Picked = { kind: "too-far" };
const PREFERS_ELSEWHERE: Picked = { kind: "prefers-elsewhere" };

/** Off its data's rack. A task without data has no rack to be off. */
export const isFar = (pick: Pick): boolean => pick.by === "any";

/** The first waiting task by preference, locality and key, if it lies within what is allowed. */
export function pickWaiting(core: Core, offer: Offer): Picked {
  const { job, slot } = offer;
  if (job.own.waiting[slot.kind] === 0) return NONE;
  const phases = eligiblePhases(core, offer);
  if (phases.length === 0) return NONE;
  const search = new Search(core, offer, phases);
  const { rack } = offer.node.node;
  return (
    search.first("urgent", ({ waitingTasks }) => waitingTasks.urgent) ??
    search.firstPreferred() ??
    search.first("node", ({ waitingTasks }) => waitingTasks.onNode(slot.node)) ??
    search.within("rack", ({ waitingTasks }) => waitingTasks.onRack(rack)) ??
    search.unplacedOrAny() ??
    search.nothing()
  );
}

function eligiblePhases(core: Core, { job, slot }: Offer): PhaseRecord[] {
  const phases: PhaseRecord[] = [];
  for (const phase of job.phases) {
    if (phase.waiting === 0 || !phase.phase.slots.includes(slot.kind)) continue;
    // Readers would take the slots that what they read is waiting for.
    if (phase.sources.some((source) => source.waiting > 0)) {
      core.pass("upstream-waits", () => ({ job: job.job.name, phase: phase.phase.name }));
      continue;
    }
    phases.push(phase);
  }
  return phases;
}

/** One look through the buckets for one slot. */
class Search {
  /** A task was there and had to be left, and why. */
  private tooFar = false;
  private prefersElsewhere = false;
  private readonly core: Core;
  private readonly offer: Offer;
  private readonly phases: readonly PhaseRecord[];
  private readonly passes: (task: TaskRecord) => boolean;

  constructor(core: Core, offer: Offer, phases: readonly PhaseRecord[]) {
    this.core = core;
    this.offer = offer;
    this.phases = phases;
    this.passes = (task) => {
      if (!isEligible(core, task, offer.node, offer.slot.kind)) {
        core.pass("not-eligible", () => ({ task: `${task.phase.phase.name}/${task.task.index}` }));
        return false;
      }
      return !this.waitsElsewhere(task);
    };
  }

  /** What it comes to that no task was found. */
  nothing(): Picked {
    if (this.tooFar) return TOO_FAR;
    return this.prefersElsewhere ? PREFERS_ELSEWHERE : NONE;
  }

  first(by: Pick["by"], bucketOf: (phase: PhaseRecord) => Bucket | undefined): Pick | undefined {
    for (const phase of this.phases) {
      const task = bucketOf(phase)?.first(this.passes);
      if (task !== undefined) return { kind: "task", task, by };
    }
    return undefined;
  }

  firstPreferred(): Pick | undefined {
    const { id, rack } = this.offer.node.node;
    for (const phase of this.phases) {
      for (const bucket of phase.waitingTasks.preferring(id, rack)) {
        const task = bucket?.first(this.passes);
        if (task !== undefined) return { kind: "task", task, by: "preferred" };
      }
    }
    return undefined;
  }

  /** Data on the rack, if the job may go as far as its rack now. */
  within(by: "rack", bucketOf: (phase: PhaseRecord) => Bucket | undefined): Pick | undefined {
    const found = this.first(by, bucketOf);
    if (found === undefined || this.offer.allowed !== "node") return found;
    this.tooFar = true;
    return undefined;
  }

  /** A task without replicas is at home anywhere; one with replicas elsewhere needs leave. */
  unplacedOrAny(): Pick | undefined {
    const unplaced = this.first("unplaced", ({ waitingTasks }) => waitingTasks.unplaced);
    const placed = this.first("any", ({ waitingTasks }) => waitingTasks.placed);
    if (placed === undefined) return unplaced;
    if (this.offer.allowed !== "any") {
      this.tooFar = true;
      return unplaced;
    }
    if (unplaced === undefined || comesFirst(placed.task, unplaced.task)) return placed;
    return unplaced;
  }

  /** Whether a node or rack that the task prefers has a free slot that it may take now. */
  private waitsElsewhere(task: TaskRecord): boolean {
    const { preference } = task;
    if (preference === undefined) return false;
    const { node, slot } = this.offer;
    if (preference.nodes.includes(slot.node) || preference.racks.includes(node.node.rack)) {
      return false;
    }
    const { state } = this.core;
    const isBetter = (other: NodeRecord | undefined): boolean =>
      other !== undefined &&
      other.free[slot.kind]!.count > 0 &&
      mayRun(this.core, task, other, slot.kind);
    let better = preference.nodes.some((id) => isBetter(state.nodes[id]));
    if (!better && preference.racks.some((rack) => state.freeCounts[rack]![slot.kind]! > 0)) {
      for (const other of state.freeNodes[slot.kind]!) {
        better ||= preference.racks.includes(other.node.rack) && isBetter(other);
      }
    }
    if (!better) return false;
    this.prefersElsewhere = true;
    const name = `${task.phase.phase.name}/${task.task.index}`;
    this.core.pass("prefers-elsewhere", () => ({ task: name, node: node.node.name }));
    return true;
  }
}

function comesFirst(a: TaskRecord, b: TaskRecord): boolean {
  return a.key < b.key || (a.key === b.key && a.task.id < b.task.id);
}
