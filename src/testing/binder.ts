import { type AttemptKind, admits } from "../model/attempt.ts";
import {
  type AttemptId,
  attemptId,
  type PhaseId,
  type RequestId,
  type SlotKind,
} from "../model/ids.ts";
import type { Task } from "../model/job.ts";
import type { Machine, WorldParts } from "./world-parts.ts";

interface Bound {
  readonly task: Task;
  readonly as: AttemptKind;
  readonly request?: RequestId;
}

/** For a host that offers no slots: binds requests and starts waiting tasks by itself. */
export class Binder {
  readonly #world: WorldParts;
  #next = 0;

  constructor(world: WorldParts) {
    this.#world = world;
  }

  /** Fills the free slots of a node. */
  fill(machine: Machine): void {
    for (const { kind, count } of this.#world.machines.free(machine)) {
      for (let left = count; left > 0; left--) {
        const bound = this.#request(machine, kind) ?? this.#waiting(kind);
        if (bound !== undefined) this.#start(machine, kind, bound);
      }
    }
  }

  #request({ node }: Machine, kind: SlotKind): Bound | undefined {
    const { view } = this.#world.scheduler;
    for (const { id, task, as, where } of view.requests()) {
      const noun = view.task(task);
      if (!this.#takes(noun, kind) || !admits(where, node.id)) continue;
      if (view.runningOf(task).length > 0) return { task: noun, as, request: id };
    }
    return undefined;
  }

  /**
   * Readers get no slot before every task that they read has one: otherwise they might wait for
   * each other, and the core would take the slot from a reader again.
   */
  #waiting(kind: SlotKind): Bound | undefined {
    const { view } = this.#world.scheduler;
    if (view.waiting(kind) === 0) return undefined;
    for (const { phases } of view.jobs()) {
      for (const { id, slots, tasks } of phases) {
        if (slots[0] !== kind || view.counts(id).waiting === 0) continue;
        if (this.#readsWhatWaits(id)) continue;
        for (const task of tasks) {
          if (view.isWaiting(task.id)) return { task, as: this.#kindOf(task) };
        }
      }
    }
    return undefined;
  }

  /** Whether one phase reads the other, directly or through phases in between. */
  #readsWhatWaits(phase: PhaseId): boolean {
    const { view } = this.#world.scheduler;
    return view
      .upstream(phase)
      .some(({ id }) => view.counts(id).waiting > 0 || this.#readsWhatWaits(id));
  }

  #takes({ phase }: Task, kind: SlotKind): boolean {
    return this.#world.scheduler.view.phase(phase).slots[0] === kind;
  }

  #kindOf({ id }: Task): AttemptKind {
    const { view } = this.#world.scheduler;
    const last = view.attemptsOf(id).at(-1)?.state;
    if (view.isDone(id)) return "recompute";
    if (last === undefined) return "original";
    return last === "failed" ? "retry" : "rerun";
  }

  #start(machine: Machine, slot: SlotKind, { task, as, request }: Bound): void {
    const attempt: AttemptId = attemptId(this.#next++);
    const why = { rule: "the-host", numbers: {} };
    const of = request === undefined ? {} : { request };
    const { id: node } = machine.node;
    const launch = { kind: "launch", attempt, task: task.id, as, node, slot, why, ...of } as const;
    this.#world.attempts.addStarted(launch, machine);
  }
}
