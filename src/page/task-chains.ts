import { cell } from "../base/rows.ts";
import type { AttemptTable } from "../report/page/document.ts";

/** The attempts of each task, each linked to the one that was added before it. */
export class TaskChains {
  /** By phase and task: the attempt that was added last. */
  readonly #latest: number[][] = [];
  readonly #before: (number | undefined)[] = [];

  /** Attempts from this index on. */
  add({ length, phase, task }: AttemptTable, from: number): void {
    for (let i = from; i < length; i++) {
      const [at, index] = [cell(phase[i]), cell(task[i])];
      const own = this.#latest[at] ?? [];
      this.#latest[at] = own;
      this.#before[i] = own[index];
      own[index] = i;
    }
  }

  of({ phase, task }: AttemptTable, i: number): readonly number[] {
    const own: number[] = [];
    let next = this.#latest[cell(phase[i])]?.[cell(task[i])];
    for (; next !== undefined; next = this.#before[next]) own.push(next);
    return own;
  }
}
