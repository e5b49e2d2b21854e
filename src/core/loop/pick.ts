import { never } from "../../base/assert.ts";
import type { Slot } from "../../model/action.ts";
import type { Preference } from "../../model/attempt.ts";
import type { Locality } from "../../model/job.ts";
import type { NodeRecord } from "../state/node-record.ts";
import {
  type JobRecord,
  NOTHING_WAITS,
  type PhaseRecord,
  type TaskRecord,
} from "../state/records.ts";
import type { Bucket, WaitingTasks } from "../state/waiting.ts";
import type { Core } from "./core.ts";
import { isEligible, isOpen, mayRun, sourceWaits, takes } from "./may-run.ts";
import { isPinned } from "./pins.ts";
import { releasePinned } from "./tasks.ts";

/** A waiting task for a slot, and the rule that put it first. */
export interface Pick {
  readonly kind: "task";
  readonly task: TaskRecord;
  readonly by: "urgent" | "preferred" | "node" | "rack" | "any" | "unplaced";
}

/**
 * none: no waiting task of the job may run there. too-far: one may, but not yet so far from its
 * data. prefers-elsewhere: one may, but a better place for it is free.
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

/** Whether the launch is off the rack of the task's data. A task without data is never far. */
export const isFar = (pick: Pick): boolean => pick.by === "any";

/** The first waiting task by preference, locality and key that is within the job's limits. */
export function pickWaiting(core: Core, offer: Offer): Picked {
  const { job, slot } = offer;
  if (job.own.waiting[slot.kind] === 0) return NONE;
  const phases = eligiblePhases(core, offer);
  if (phases.length === 0) return NONE;
  const search = new Search(core, offer, phases);
  const urgent = search.first("urgent");
  if (urgent !== undefined) return urgent;
  // Readers that may run beside the waiting phases they read come before those phases.
  if (phases.some(sourceWaits)) {
    const reader = new Search(core, offer, phases.filter(sourceWaits)).next();
    if (reader.kind === "task") return reader;
  }
  return search.next();
}

const NO_PHASES: readonly PhaseRecord[] = [];

function eligiblePhases(core: Core, offer: Offer): readonly PhaseRecord[] {
  const { phases } = offer.job;
  const [only] = phases;
  // Every launch takes this path: a job of one phase needs no list.
  if (only !== undefined && phases.length === 1) {
    return waitsFor(core, offer, only) ? phases : NO_PHASES;
  }
  return phases.filter((phase) => waitsFor(core, offer, phase));
}

const waitsFor = (core: Core, { slot }: Offer, phase: PhaseRecord): boolean =>
  phase.waiting > 0 && takes(phase, slot.kind) && isOpen(core, phase) && !isHeld(core, phase);

/** A search that finds nothing is then only for those who want to hear why. */
function isHeld({ explains, now, seats }: Core, { phase: { id }, waiting }: PhaseRecord): boolean {
  return !explains && seats.order.policy.holdsAll?.({ id, waiting, now }) === true;
}

/** One search of the buckets for one slot. */
class Search {
  /** Whether a task was there and had to be left because its data are too far. */
  #tooFar = false;
  #prefersElsewhere = false;
  readonly #core: Core;
  readonly #offer: Offer;
  readonly #phases: readonly PhaseRecord[];
  readonly #byKey: boolean;

  constructor(core: Core, offer: Offer, phases: readonly PhaseRecord[]) {
    this.#core = core;
    this.#offer = offer;
    this.#phases = phases;
    this.#byKey = core.seats.order.policy.keyBeforeLocality ?? false;
    for (const phase of phases) if (phase.waitingTasks.hasPinned) releasePinned(core, phase);
  }

  /** Whether the order and the task's preferences allow the task to take the slot. */
  passes(task: TaskRecord): boolean {
    const core = this.#core;
    const offer = this.#offer;
    if (!isEligible(core, task, offer.slot)) {
      core.pass("not-eligible", () => ({ task: `${task.phase.phase.name}/${task.index}` }));
      return false;
    }
    if (this.#byKey && this.#isTooFar(task)) return false;
    return !this.#waitsElsewhere(task);
  }

  /** The next task among those that are not urgent. */
  next(): Picked {
    if (this.#byKey) return this.#firstByKey() ?? this.#nothing();
    return (
      this.#firstPreferred() ??
      this.first("node") ??
      this.#onRack() ??
      this.#unplacedOrAny() ??
      this.#nothing()
    );
  }

  /** Why no task was found. */
  #nothing(): Picked {
    if (this.#tooFar) return TOO_FAR;
    return this.#prefersElsewhere ? PREFERS_ELSEWHERE : NONE;
  }

  first(by: Pick["by"]): Pick | undefined {
    for (const { fresh, waitingTasks } of this.#phases) {
      const ranged = by === "unplaced" ? fresh : undefined;
      if (waitingTasks === NOTHING_WAITS && ranged === undefined) continue;
      let task = this.#bucketOf(waitingTasks, by)?.first(this, ranged);
      // The one node of a pinned task counts as near.
      if (by === "node") task = earlier(task, this.#pinned(waitingTasks));
      if (task !== undefined) return { kind: "task", task, by };
    }
    return undefined;
  }

  #pinned(waiting: WaitingTasks<TaskRecord>): TaskRecord | undefined {
    return waiting.pinnedTo(this.#offer.slot.node)?.first(this);
  }

  /**
   * Under an order whose key comes before locality: the first task by key, wherever its data are.
   */
  #firstByKey(): Pick | undefined {
    for (const { fresh, waitingTasks } of this.#phases) {
      const placed = waitingTasks.placed.first(this);
      const unplaced = waitingTasks.unplaced.first(this, fresh);
      const task = earlier(earlier(unplaced, placed), this.#pinned(waitingTasks));
      if (task !== undefined) return { kind: "task", task, by: this.#placeOf(task) };
    }
    return undefined;
  }

  #placeOf(task: TaskRecord): Pick["by"] {
    const { node, slot } = this.#offer;
    if (task.preference !== undefined && isAt(task.preference, node)) return "preferred";
    if (!task.isPlaced) return "unplaced";
    return this.#core.view.locality(task.id, slot.node);
  }

  /** Whether the slot is farther from the task's data than the job may go now. */
  #isTooFar(task: TaskRecord): boolean {
    const { allowed, slot } = this.#offer;
    if (allowed === "any" || !task.isPlaced || isPinned(task)) return false;
    const locality = this.#core.view.locality(task.id, slot.node);
    if (locality === "node" || locality === allowed) return false;
    this.#tooFar = true;
    return true;
  }

  #firstPreferred(): Pick | undefined {
    const { id, rack } = this.#offer.node.node;
    for (const phase of this.#phases) {
      for (const bucket of phase.waitingTasks.preferring(id, rack)) {
        const task = bucket?.first(this);
        if (task !== undefined) return { kind: "task", task, by: "preferred" };
      }
    }
    return undefined;
  }

  /** A task with data on the rack, if the job may use rack locality now. */
  #onRack(): Pick | undefined {
    const found = this.first("rack");
    if (found === undefined || this.#offer.allowed !== "node") return found;
    this.#tooFar = true;
    return undefined;
  }

  /** A task without replicas may run anywhere; one with replicas elsewhere needs permission. */
  #unplacedOrAny(): Pick | undefined {
    const unplaced = this.first("unplaced");
    const placed = this.first("any");
    if (placed === undefined) return unplaced;
    if (this.#offer.allowed !== "any") {
      this.#tooFar = true;
      return unplaced;
    }
    if (unplaced === undefined || comesFirst(placed.task, unplaced.task)) return placed;
    return unplaced;
  }

  #bucketOf(waiting: WaitingTasks<TaskRecord>, by: Pick["by"]): Bucket<TaskRecord> | undefined {
    switch (by) {
      case "urgent":
        return waiting.urgent;
      case "node":
        return waiting.onNode(this.#offer.slot.node);
      case "rack":
        return waiting.onRack(this.#offer.node.rack);
      case "unplaced":
        return waiting.unplaced;
      case "any":
        return waiting.placed;
      case "preferred":
        return undefined;
      default:
        return never(by);
    }
  }

  /** Whether a node or rack that the task prefers has a free slot that it may use now. */
  #waitsElsewhere(task: TaskRecord): boolean {
    const preference = this.#preferenceOf(task);
    const { node, slot } = this.#offer;
    if (preference === undefined || isAt(preference, node)) return false;
    const { state } = this.#core;
    const isBetter = (other: NodeRecord | undefined): boolean =>
      other !== undefined &&
      other.free(slot.kind) > 0 &&
      mayRun(this.#core, task, other, { node: other.id, kind: slot.kind });
    let better = preference.nodes.some((id) => isBetter(state.nodes[id]));
    if (!better && preference.racks.some((rack) => state.freeCounts[rack]![slot.kind]! > 0)) {
      for (const id of state.nodeTable.each(slot.kind)) {
        const other = state.nodes[id]!;
        better ||= preference.racks.includes(other.rack) && isBetter(other);
      }
    }
    if (!better) return false;
    this.#prefersElsewhere = true;
    this.#core.state.deferredKinds.add(slot.kind);
    const name = `${task.phase.phase.name}/${task.index}`;
    this.#core.pass("prefers-elsewhere", () => ({ task: name, node: node.node.name }));
    return true;
  }

  /** A task runs best where its data are, unless a policy has said otherwise. */
  #preferenceOf(task: TaskRecord): Preference | undefined {
    const { preference } = task;
    if (preference !== undefined || !this.#byKey || !task.isPlaced) return preference;
    return { nodes: task.task.replicas, racks: [] };
  }
}

const isAt = ({ nodes, racks }: Preference, { id, node }: NodeRecord): boolean =>
  nodes.includes(id) || racks.includes(node.rack);

/** The one of two tasks that comes first. */
function earlier(a: TaskRecord | undefined, b: TaskRecord | undefined): TaskRecord | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return comesFirst(b, a) ? b : a;
}

function comesFirst(a: TaskRecord, b: TaskRecord): boolean {
  return a.key < b.key || (a.key === b.key && a.task.id < b.task.id);
}
