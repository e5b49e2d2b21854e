import { assert, defined } from "../../base/assert.ts";
import type { TaskId } from "../../model/ids.ts";
import type { SimPhase } from "./state.ts";

/** The phases of the live jobs that have tasks. The ids of a phase's tasks follow each other. */
export class LivePhases {
  /** In the order of their tasks, with the id of each phase's first task. */
  readonly #phases: SimPhase[] = [];
  readonly #firsts: number[] = [];
  /** The last answer: tasks of one phase are often launched one after the other. */
  #last: SimPhase | undefined;
  #read = 0;

  /** Whether any of these phases has readers. */
  get areRead(): boolean {
    return this.#read > 0;
  }

  /** Adds a phase whose tasks have later ids than all earlier phases' tasks. */
  add(phase: SimPhase): void {
    if (phase.phase.tasks.length === 0) return;
    assert(phase.first >= (this.#firsts.at(-1) ?? 0), "ids rise");
    if (phase.readers.length > 0) this.#read += 1;
    this.#phases.push(phase);
    this.#firsts.push(phase.first);
  }

  remove(phase: SimPhase): void {
    if (phase.phase.tasks.length === 0) return;
    const index = this.#phases.indexOf(phase);
    assert(index >= 0, "a live phase");
    if (phase.readers.length > 0) this.#read -= 1;
    this.#phases.splice(index, 1);
    this.#firsts.splice(index, 1);
    this.#last = undefined;
  }

  /** COST: O(log live phases), or O(1) for the phase of the last answer. */
  ofTask(task: TaskId): SimPhase {
    if (this.#last?.has(task) === true) return this.#last;
    const firsts = this.#firsts;
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (defined(firsts[middle], "a live phase") <= task) low = middle + 1;
      else high = middle;
    }
    const phase = this.#phases[low - 1];
    assert(phase?.has(task) === true, "the phase of a live task");
    this.#last = phase;
    return phase;
  }
}
