import type { Caller } from "../../job/caller.ts";
import type { InputRecord, Passing } from "./passing.ts";
import { inCall } from "./user-code-error.ts";

/** The records that a step holds for each call that it may make at once: see `callInOrder`. */
const HELD_PER_CALL = 8;

interface CallQuery {
  readonly caller: Caller;
  /** Ends the calls of all steps, since one has failed. */
  abort(reason: unknown): void;
}

/**
 * Makes the step's call for each record, several at once, and passes the results on in the order of
 * the records. A slow call lets later ones go ahead: up to eight records are held for each call
 * allowed at once. After a failure no call begins, and the records before it are passed on first,
 * so that the error is that of the first record that fails.
 */
export async function* callInOrder(
  passing: AsyncGenerator<Passing, void, undefined>,
  { caller, abort }: CallQuery,
): AsyncGenerator<Passing, void, undefined> {
  const calls = new CallsInOrder(passing, caller);
  try {
    for (let one = await calls.next(); one !== undefined; one = await calls.next()) {
      if (one.kind === "passed") yield one;
      else for (const record of one.records) yield { kind: "record", record, from: one.from };
    }
  } finally {
    if (!calls.isOver) abort(new Error("another call has failed"));
    await passing.return();
  }
}

/** What waits for its turn; without an outcome, a call that goes on. */
interface Held {
  outcome: Outcome | { readonly kind: "failed"; readonly error: unknown } | undefined;
}

type Outcome =
  | (Passing & { kind: "passed" })
  | { readonly kind: "made"; readonly records: readonly unknown[]; readonly from: InputRecord };

class CallsInOrder {
  readonly #source: AsyncGenerator<Passing, void, undefined>;
  readonly #caller: Caller;
  readonly #held: Held[] = [];
  /** The calls that go on, and the calls that are held. */
  #calling = 0;
  #callsHeld = 0;
  /** Whether the source was asked and has not answered yet. */
  #isAsking = false;
  /** Whether the source is not asked any more: it is at its end, or something has failed. */
  #isClosed = false;
  #wake: () => void = () => {};

  constructor(source: AsyncGenerator<Passing, void, undefined>, caller: Caller) {
    this.#source = source;
    this.#caller = caller;
  }

  get isOver(): boolean {
    return this.#isClosed && !this.#isAsking && this.#held.length === 0;
  }

  /** Undefined at the end; rejects with the error of the first record that failed. */
  async next(): Promise<Outcome | undefined> {
    for (;;) {
      const first = this.#takeFirst();
      if (first !== undefined || this.isOver) return first;
      if (this.#mayAsk) this.#ask();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Undefined if nothing is held, or if the first call still goes on. */
  #takeFirst(): Outcome | undefined {
    const outcome = this.#held[0]?.outcome;
    if (outcome === undefined) return undefined;
    this.#held.shift();
    if (outcome.kind === "failed") throw outcome.error;
    if (outcome.kind === "made") this.#callsHeld--;
    return outcome;
  }

  get #mayAsk(): boolean {
    const { concurrency } = this.#caller.step.calls;
    const hasRoom = this.#calling < concurrency && this.#callsHeld < HELD_PER_CALL * concurrency;
    return hasRoom && !this.#isAsking && !this.#isClosed;
  }

  #ask(): void {
    this.#isAsking = true;
    const answered = (isClosed: boolean): void => {
      this.#isAsking = false;
      this.#isClosed ||= isClosed;
      this.#wake();
    };
    this.#source.next().then(
      ({ value }) => {
        if (value?.kind === "record") this.#call(value);
        else if (value?.kind === "passed") this.#pass(value);
        answered(value === undefined);
      },
      (error: unknown) => {
        this.#held.push({ outcome: { kind: "failed", error } });
        answered(true);
      },
    );
  }

  /** The latest news replaces earlier news that waits beside it. */
  #pass(news: Passing & { kind: "passed" }): void {
    const last = this.#held.at(-1);
    if (last?.outcome?.kind === "passed") last.outcome = news;
    else this.#held.push({ outcome: news });
  }

  #call({ record, from }: Passing & { kind: "record" }): void {
    const held: Held = { outcome: undefined };
    this.#held.push(held);
    this.#callsHeld++;
    this.#calling++;
    const ended = (outcome: Held["outcome"]): void => {
      held.outcome = outcome;
      this.#calling--;
      this.#wake();
    };
    this.#caller.call(record).then(
      (records) => ended({ kind: "made", records, from }),
      (thrown: unknown) => {
        this.#isClosed = true;
        const at = { place: from.place(), record: from.record };
        ended({ kind: "failed", error: inCall(this.#caller.step, at, thrown) });
      },
    );
  }
}
