import { nextFloat, randomState } from "../base/random.ts";
import type { StepHost } from "./apply-steps.ts";
import { AsyncEnd } from "./async-end.ts";
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
  /** The tries and waits that go on. */
  readonly #goingOn = new Set<Pick<AsyncEnd, "abort">>();
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
    for (const one of this.#goingOn) one.abort(reason);
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
    const { timeoutMs } = this.step.calls;
    const own = this.#begun(new Try(this.#base, which));
    const expire = (ms: number): void => own.abort(new CallTimeout(ms));
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs, timeoutMs);
    this.#bounded += timer === undefined ? 0 : 1;
    try {
      return await own.recordsOf(this.step, record);
    } finally {
      clearTimeout(timer);
      this.#bounded -= timer === undefined ? 0 : 1;
      this.#goingOn.delete(own);
    }
  }

  async #wait(ms: number): Promise<void> {
    const end = this.#begun(new AsyncEnd());
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    this.#bounded++;
    try {
      await Promise.race([over, end.aborted]);
    } finally {
      clearTimeout(timer);
      this.#bounded--;
      this.#goingOn.delete(end);
    }
  }

  #begun<T extends Pick<AsyncEnd, "abort">>(one: T): T {
    if (this.#aborted !== undefined) throw this.#aborted.reason;
    this.#goingOn.add(one);
    return one;
  }
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
