import { AsyncEnd } from "./async-end.ts";
import { blamed } from "./culprit.ts";
import { emitted, pairOf } from "./emitted.ts";
import type { Key } from "./key.ts";
import type { AnyAsyncContext, AnyContext, AsyncStep } from "./step.ts";

/** The function gave what its step does not take. */
export class Refused extends Error {
  readonly refusal: unknown;

  constructor(refusal: unknown) {
    super("a refused result");
    this.refusal = refusal;
  }
}

/**
 * One try of a call. Pairs that it emits and counts that it adds are kept apart: they count if the
 * try succeeds, so that a try that fails, or that goes on after its end, leaves nothing behind.
 */
export class Try {
  readonly context: AnyAsyncContext;
  readonly #base: AnyContext;
  readonly #end = new AsyncEnd();
  readonly #pairs: unknown[] = [];
  readonly #counts: (readonly [counter: string, by: number])[] = [];
  #isOver = false;

  constructor(base: AnyContext, call: Pick<AnyAsyncContext, "index" | "retry">) {
    const { params, task, attempt, file } = base;
    const end = this.#end;
    this.#base = base;
    this.context = {
      ...{ params, task, attempt, file, ...call },
      count: (counter, by = 1) => this.#count(counter, by),
      emit: (key, value) => this.#emit(key, value),
      get signal() {
        return end.signal;
      },
    };
  }

  /** The records that the function makes of one record; rejects if the try is aborted before. */
  async recordsOf(step: AsyncStep, record: unknown): Promise<readonly unknown[]> {
    try {
      const result = step.mapAsync(record, this.context);
      return this.#taken(step, await Promise.race([result, this.#end.aborted]));
    } finally {
      this.#isOver = true;
    }
  }

  abort(reason: unknown): void {
    this.#end.abort(reason);
  }

  /** The records that the result stands for, after the emitted pairs. */
  #taken({ gives, mapAsync }: AsyncStep, result: unknown): readonly unknown[] {
    const records = gives === "record" ? [result] : pairsIn(result, mapAsync);
    for (const [counter, by] of this.#counts) this.#base.count(counter, by);
    return this.#pairs.length === 0 ? records : [...this.#pairs, ...records];
  }

  #count(counter: string, by: number): void {
    // Throws if the counter is not declared.
    this.#base.count(counter, 0);
    if (!this.#isOver) this.#counts.push([counter, by]);
  }

  #emit(key: Key, value: unknown): void {
    if (!this.#isOver) this.#pairs.push([key, value]);
  }
}

function pairsIn(result: unknown, mapAsync: object): readonly unknown[] {
  if (result === undefined) return [];
  try {
    return Array.from(emitted(result, "mapAsync"), (pair) => pairOf(pair, "mapAsync"));
  } catch (error) {
    throw new Refused(blamed(error, mapAsync));
  }
}
