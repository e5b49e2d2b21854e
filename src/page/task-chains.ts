import type { AttemptTable } from "../report/page/document.ts";

/** The attempts of each task, each linked to the one that was added before it. */
export class TaskChains {
  /** By phase and task: the attempt that was added last. */
  readonly #latest: number[][] = [];
  readonly #before: (number | undefined)[] = [];

  /** Attempts from this index on. */
  add({ length, phase, task }: AttemptTable, from: number): void {
    for (let i = from; i < length; i++) {
      this.#latest[phase[i] ?? 0] ??= [];
      const own = this.#latest[phase[i] ?? 0] ?? [];
      this.#before[i] = own[task[i] ?? 0];
      own[task[i] ?? 0] = i;
    }
  }

  of({ phase, task }: AttemptTable, i: number): readonly number[] {
    const own: number[] = [];
    let next = this.#latest[phase[i] ?? 0]?.[task[i] ?? 0];
    for (; next !== undefined; next = this.#before[next]) own.push(next);
    return own;
  }
}
