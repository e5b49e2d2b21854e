import { nextFloat, randomState } from "../base/random.ts";
import type { StepHost } from "./apply-steps.ts";
import { Refused, Try } from "./call-try.ts";
import type { AnyContext, AsyncStep } from "./step.ts";

/** A call took longer than its step allows. */
export class CallTimeout extends Error {
  override readonly name = "TimeoutError";

  constructor(timeoutMs: number) {
    super(`the call took longer than ${timeoutMs} ms, its timeoutMs`);
  }
}

/** Makes the calls of one step in one task, each with its own time and its retries. */
export class Caller {
  readonly step: AsyncStep;
  readonly #base: AnyContext;
  /** Of the tries and waits that go on. */
  readonly #controls = new Set<AbortController>();
  #aborted: { readonly reason: unknown } | undefined;
  #calls = 0;
  #bounded = 0;

  constructor(step: AsyncStep, host: StepHost) {
    this.step = step;
    this.#base = host.context(() => {});
  }

  /** Whether something goes on that ends by itself: a call with a time limit, or a wait. */
  get isBounded(): boolean {
    return this.#bounded > 0;
  }

  /** Ends all calls, and those that are still to come. */
  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    for (const control of this.#controls) control.abort(reason);
  }

  /** The records that the function makes of one record. */
  async call(record: unknown): Promise<readonly unknown[]> {
    const index = this.#calls++;
    const { backoffMs, retries } = this.step.calls;
    for (let retry = 0; ; retry++) {
      try {
        return await this.#try(record, { index, retry });
      } catch (error) {
        // The function would give the same result again.
        if (error instanceof Refused) throw error.refusal;
        if (retry === retries || this.#aborted !== undefined) throw error;
      }
      await this.#wait(backoff(backoffMs, { task: this.#base.task, index, retry }));
    }
  }

  /** One call, which ends no later than its time, whatever the function does. */
  async #try(
    record: unknown,
    which: { readonly index: number; readonly retry: number },
  ): Promise<readonly unknown[]> {
    const { step } = this;
    const { timeoutMs } = step.calls;
    const control = this.#begin();
    const own = new Try(this.#base, { ...which, signal: control.signal });
    const expire = (ms: number): void => control.abort(new CallTimeout(ms));
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs, timeoutMs);
    this.#bounded += timer === undefined ? 0 : 1;
    try {
      const result = step.mapAsync(record, own.context);
      return own.recordsOf(step, await Promise.race([result, aborted(control)]));
    } finally {
      own.close();
      clearTimeout(timer);
      this.#bounded -= timer === undefined ? 0 : 1;
      this.#controls.delete(control);
    }
  }

  async #wait(ms: number): Promise<void> {
    const control = this.#begin();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    this.#bounded++;
    try {
      await Promise.race([over, aborted(control)]);
    } finally {
      clearTimeout(timer);
      this.#bounded--;
      this.#controls.delete(control);
    }
  }

  #begin(): AbortController {
    if (this.#aborted !== undefined) throw this.#aborted.reason;
    const control = new AbortController();
    this.#controls.add(control);
    return control;
  }
}

/** Never resolves; rejects with the reason of the abort. */
function aborted({ signal }: AbortController): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

const BACKOFF_MS_MAX = 60_000;

/**
 * Milliseconds before a retry: twice as long each time, and shortened by chance, so that calls that
 * failed together are not made again together.
 */
export function backoff(
  backoffMs: number,
  { task, index, retry }: { readonly task: number; readonly index: number; readonly retry: number },
): number {
  const full = Math.min(backoffMs * 2 ** retry, Math.max(backoffMs, BACKOFF_MS_MAX));
  const chance = nextFloat(randomState(index, `task ${task}, retry ${retry}`));
  return full * (1 - chance / 2);
}
