import type { Attempt } from "../../../model/attempt.ts";
import type { JobId, NodeId, SlotKind, TaskId } from "../../../model/ids.ts";
import { slotsOf } from "../../shared/slots.ts";
import type { PreemptContext } from "./memory.ts";

interface RoomOptions {
  readonly kind: SlotKind;
  readonly waiting: readonly TaskId[];
  /** Of this look, for slots of all kinds. */
  readonly yields: Yields;
}

/** How often each task gives way in this look, by the attempts that are about to be killed. */
export type Yields = Map<TaskId, number>;

/** Who holds the slots of a kind, by node and by job, with the slots that are being taken. */
export class Room {
  readonly kind: SlotKind;
  readonly yields: Yields;
  readonly #ctx: PreemptContext;
  /** Attempts that hold a slot and are not being killed. */
  readonly #standing = new Map<NodeId, Attempt[]>();
  /** Slots that are kept for waiting tasks. */
  readonly #kept = new Map<NodeId, number>();
  /** The slots of each job when all kills have been carried out. */
  readonly #heldBy = new Map<JobId, number>();

  /** `waiting`: the tasks for which slots may be kept. COST: O(attempts that hold a slot). */
  constructor(ctx: PreemptContext, { kind, waiting, yields }: RoomOptions) {
    this.kind = kind;
    this.yields = yields;
    this.#ctx = ctx;
    const { view } = ctx;
    for (const pool of view.pools()) {
      for (const attempt of view.newestFirst(pool, kind)) {
        if (attempt.state !== "dying") this.#stand(attempt);
      }
    }
    for (const task of waiting) {
      const node = view.keptSlot(task);
      if (node !== undefined) this.#keep(node, task);
    }
  }

  standing(node: NodeId): readonly Attempt[] {
    return this.#standing.get(node) ?? [];
  }

  /** Whether the node has a slot that is free, or about to be, and not kept for a task. */
  isComing(node: NodeId): boolean {
    const taken = this.standing(node).length + (this.#kept.get(node) ?? 0);
    return slotsOf(this.#ctx.view, node, this.kind) > taken;
  }

  heldBy(job: JobId): number {
    return this.#heldBy.get(job) ?? 0;
  }

  /** The attempt is killed for the task. */
  take(attempt: Attempt, task: TaskId): void {
    const left = this.standing(attempt.node).filter(({ id }) => id !== attempt.id);
    this.#standing.set(attempt.node, left);
    this.yields.set(attempt.task, (this.yields.get(attempt.task) ?? 0) + 1);
    this.#count(attempt.task, -1);
    this.#keep(attempt.node, task);
  }

  #stand(attempt: Attempt): void {
    this.#standing.set(attempt.node, [...this.standing(attempt.node), attempt]);
    this.#count(attempt.task, 1);
  }

  #keep(node: NodeId, task: TaskId): void {
    this.#kept.set(node, (this.#kept.get(node) ?? 0) + 1);
    this.#count(task, 1);
  }

  #count(task: TaskId, change: number): void {
    const { view } = this.#ctx;
    const { id } = view.jobOf(view.task(task).phase);
    this.#heldBy.set(id, this.heldBy(id) + change);
  }
}
