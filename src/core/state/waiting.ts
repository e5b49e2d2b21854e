import type { Preference } from "../../model/attempt.ts";
import type { NodeId, RackId, TaskId } from "../../model/ids.ts";
import type { Task } from "../../model/job.ts";
import type { FreshTasks } from "./fresh-tasks.ts";

/** The fields of a task that the queues use. */
interface Queued {
  readonly id: TaskId;
  readonly index: number;
  readonly task: Pick<Task, "replicas">;
  waiting: boolean;
  queueGeneration: number;
  key: number;
  readonly preference: Preference | undefined;
}

/**
 * Waiting tasks by the static key that the order gave them, ties by id. A task that stops waiting
 * stays as a dead entry until the head passes it: its generation then differs from the entry's.
 */
export class Bucket<T extends Queued> {
  readonly #tasks: T[] = [];
  readonly #keys: number[] = [];
  readonly #generations: number[] = [];
  #head = 0;

  add(task: T): void {
    let low = this.#head;
    let high = this.#tasks.length;
    // The tasks of a new phase come in order: look at the end first.
    if (high > low && !this.#isAfter(high - 1, task)) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isAfter(middle, task)) high = middle;
      else low = middle + 1;
    }
    if (low === this.#tasks.length) {
      this.#tasks.push(task);
      this.#keys.push(task.key);
      this.#generations.push(task.queueGeneration);
    } else {
      this.#tasks.splice(low, 0, task);
      this.#keys.splice(low, 0, task.key);
      this.#generations.splice(low, 0, task.queueGeneration);
    }
  }

  /**
   * The first task that waits and passes, here or in the range of fresh tasks: both are asked in
   * the order of their keys. COST: O(1) unless tasks at the head do not pass.
   */
  first(filter: { passes(task: T): boolean }, fresh?: FreshTasks<T>): T | undefined {
    while (this.#head < this.#tasks.length && !this.#isAlive(this.#head)) this.#head++;
    if (this.#head > 64 && this.#head * 2 > this.#tasks.length) this.#sweep();
    let ranged = fresh?.next(0);
    for (let at = this.#head; at < this.#tasks.length; ) {
      if (ranged !== undefined && this.#isAfter(at, ranged)) {
        if (filter.passes(ranged)) return ranged;
        ranged = fresh?.next(ranged.index + 1);
        continue;
      }
      const task = this.#tasks[at]!;
      if (this.#isAlive(at) && filter.passes(task)) return task;
      at += 1;
    }
    for (; ranged !== undefined; ranged = fresh?.next(ranged.index + 1)) {
      if (filter.passes(ranged)) return ranged;
    }
    return undefined;
  }

  /** The tasks that wait, in order. */
  alive(): readonly T[] {
    return this.#tasks.filter((_, at) => at >= this.#head && this.#isAlive(at));
  }

  #isAlive(at: number): boolean {
    const task = this.#tasks[at]!;
    return task.waiting && task.queueGeneration === this.#generations[at];
  }

  #isAfter(at: number, task: T): boolean {
    const key = this.#keys[at]!;
    return key > task.key || (key === task.key && this.#tasks[at]!.id > task.id);
  }

  #sweep(): void {
    this.#tasks.splice(0, this.#head);
    this.#keys.splice(0, this.#head);
    this.#generations.splice(0, this.#head);
    this.#head = 0;
  }
}

/** The waiting tasks of a phase, indexed by the slots that they might take. */
export class WaitingTasks<T extends Queued> {
  /** Tasks that ignore locality: failed ones, under Hadoop's order. */
  readonly urgent = new Bucket<T>();
  /** Tasks without replicas. */
  readonly unplaced = new Bucket<T>();
  /** All tasks with replicas. */
  readonly placed = new Bucket<T>();
  readonly #byNode = new Map<NodeId, Bucket<T>>();
  readonly #byRack = new Map<RackId, Bucket<T>>();
  readonly #pinned = new Map<NodeId, Bucket<T>>();
  readonly #preferredByNode = new Map<NodeId, Bucket<T>>();
  readonly #preferredByRack = new Map<RackId, Bucket<T>>();

  onNode(node: NodeId): Bucket<T> | undefined {
    return this.#byNode.get(node);
  }

  onRack(rack: RackId): Bucket<T> | undefined {
    return this.#byRack.get(rack);
  }

  preferring(node: NodeId, rack: RackId): readonly (Bucket<T> | undefined)[] {
    if (this.#preferredByNode.size + this.#preferredByRack.size === 0) return NO_BUCKETS;
    return [this.#preferredByNode.get(node), this.#preferredByRack.get(rack)];
  }

  /** The tasks that only this node may run. */
  pinnedTo(node: NodeId): Bucket<T> | undefined {
    return this.#pinned.get(node);
  }

  get hasPinned(): boolean {
    return this.#pinned.size > 0;
  }

  /** The waiting tasks with replicas: first those that ignore locality, then the others, by key. */
  withReplicas(): readonly T["task"][] {
    const urgent = this.urgent.alive().filter(({ task }) => task.replicas.length > 0);
    return [...urgent, ...this.placed.alive()].map(({ task }) => task);
  }

  addPinned(task: T, node: NodeId): void {
    this.addPreferred(task);
    bucketOf(this.#pinned, node).add(task);
  }

  /** Takes out the tasks that are pinned to nodes that pass the test. COST: O(these nodes). */
  takePinned(isOver: (node: NodeId) => boolean): readonly T[] {
    const tasks: T[] = [];
    for (const [node, bucket] of this.#pinned) {
      if (!isOver(node)) continue;
      this.#pinned.delete(node);
      tasks.push(...bucket.alive());
    }
    return tasks;
  }

  add(task: T, urgent: boolean, rackOf: (node: NodeId) => RackId | undefined): void {
    this.addPreferred(task);
    if (urgent) {
      this.urgent.add(task);
      return;
    }
    const { replicas } = task.task;
    if (replicas.length === 0) {
      this.unplaced.add(task);
      return;
    }
    this.placed.add(task);
    const racks = new Set<RackId>();
    for (const node of new Set(replicas)) {
      bucketOf(this.#byNode, node).add(task);
      const rack = rackOf(node);
      if (rack !== undefined) racks.add(rack);
    }
    for (const rack of racks) bucketOf(this.#byRack, rack).add(task);
  }

  /** Also called when a task gets a preference while it waits. */
  addPreferred(task: T): void {
    if (task.preference === undefined) return;
    for (const node of task.preference.nodes) bucketOf(this.#preferredByNode, node).add(task);
    for (const rack of task.preference.racks) bucketOf(this.#preferredByRack, rack).add(task);
  }
}

const NO_BUCKETS: readonly never[] = [];

function bucketOf<K, T extends Queued>(buckets: Map<K, Bucket<T>>, key: K): Bucket<T> {
  let bucket = buckets.get(key);
  if (bucket === undefined) {
    bucket = new Bucket<T>();
    buckets.set(key, bucket);
  }
  return bucket;
}
