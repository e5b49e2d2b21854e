import type { Fault } from "../../model/fault.ts";
import type { RunEvent } from "../../run/run-event.ts";
import type { RunResult } from "../../run/run-result.ts";
import { EventStream } from "./event-stream.ts";

/**
 * A run that has begun: the promise of its result. The promise rejects with an InputError for a
 * mistake of the user's that shows before anything has begun, and with a RunError, which has the
 * result, if the job failed or was aborted.
 *
 * A failure never gets lost. It goes to everyone who awaits the promise. If nobody does, it goes to
 * the loops over `events`, which throw it after the last event. If there are none, it is an
 * unhandled rejection, which ends Node with exit code 1.
 */
export interface Running extends Promise<RunResult> {
  /**
   * Events in order, from the moment a reader begins until the run is over. A reader that begins at
   * once sees all of them. Stopping to read does not stop the run. Throws the run's failure at the
   * end, unless the promise has been awaited.
   */
  readonly events: AsyncIterable<RunEvent>;
  /**
   * The records of an output of a run with `collect`, part by part, as they were written, once the
   * run has succeeded. `output` chooses one where there are several. To read them is to await the
   * run: a failure is thrown here.
   */
  records(output?: string): AsyncIterable<unknown>;
  /**
   * Starts a fault; its times count from now. InputError for a fault that the cluster cannot have.
   * Does nothing unless the job is running.
   */
  inject(fault: Fault): void;
}

export type OnEvent = (event: RunEvent) => void;

/** The functions of a run that are there once it has begun. */
export interface Control {
  inject: (fault: Fault) => void;
}

/** Begins a run; `begin` returns what becomes of it. */
export const running = (begin: (tell: OnEvent, control: Control) => Promise<RunResult>): Running =>
  new RunPromise(begin);

class RunPromise extends Promise<RunResult> implements Running {
  readonly #stream: EventStream<RunEvent>;
  readonly #control: Control = { inject: () => {} };
  // Properties and not methods: a program may take them out, `const { events, inject } = run(..)`.
  readonly events: AsyncIterable<RunEvent> = {
    [Symbol.asyncIterator]: () => this.#stream.read(),
  };
  readonly records = (output?: string): AsyncIterable<unknown> => this.#records(output);
  readonly inject = (fault: Fault): void => this.#control.inject(fault);
  #isAwaited = false;
  #failure: { readonly error: unknown } | undefined;

  /** What `then` returns is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(begin: (tell: OnEvent, control: Control) => Promise<RunResult>) {
    let settle: { resolve(result: RunResult): void; reject(error: unknown): void } | undefined;
    super((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.#stream = new EventStream(() => {
      if (this.#failure !== undefined && !this.#isAwaited) throw this.#failure.error;
    });
    begin((event) => this.#stream.add(event), this.#control).then(
      (result) => {
        this.#stream.end();
        settle?.resolve(result);
      },
      (error: unknown) => {
        this.#failure = { error };
        // The readers throw it, so the rejection is not unhandled.
        if (this.#stream.isRead) super.then(undefined, () => {});
        this.#stream.end();
        settle?.reject(error);
      },
    );
  }

  /** `await`, `catch`, `finally` and `Promise.all` all come here. */
  override then<A = RunResult, B = never>(
    onResult?: ((result: RunResult) => A | PromiseLike<A>) | null,
    onFailure?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isAwaited = true;
    return super.then(onResult, onFailure);
  }

  async *#records(output?: string): AsyncGenerator<unknown, void, undefined> {
    const { collectedRecords } = await import("./collected.ts");
    yield* collectedRecords(await this, output);
  }
}
