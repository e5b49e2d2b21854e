import { describe, expect, test } from "vitest";
import type { StepHost } from "./apply-steps.ts";
import { backoff, Caller, CallTimeout } from "./caller.ts";
import { KeyMap } from "./key-map.ts";
import { asyncStep, type MapAsyncOptions } from "./map-async.ts";
import type { AnyAsyncContext, AsyncStep } from "./step.ts";
import { Counters, UserContext } from "./user-context.ts";

/** Makes calls of the function; `counters` are those of the task. */
function callerOf(
  map: (record: unknown, ctx: AnyAsyncContext) => unknown,
  options: MapAsyncOptions = {},
  gives: AsyncStep["gives"] = "record",
) {
  const counters = new Counters(["tries"]);
  const task = { params: { url: "/" }, task: 3, attempt: 1, file: "/in/a.txt", counters };
  const host: StepHost = {
    context: (emit) => new UserContext(task, emit),
    table: () => new KeyMap(),
  };
  const caller = new Caller(asyncStep(gives, map, { backoffMs: 1, ...options }), host);
  return { caller, counters };
}

const never = (): Promise<never> => new Promise(() => {});

describe("a call", () => {
  test("has the context of its task, its own number, and an open signal", async () => {
    const { caller } = callerOf(async (record, { count: _, emit: __, signal, ...ctx }) => ({
      ...{ record, ...ctx },
      isAborted: signal.aborted,
    }));
    const all = { params: { url: "/" }, task: 3, attempt: 1, file: "/in/a.txt" };
    expect(await Promise.all([caller.call("a"), caller.call("b")])).toEqual([
      [{ ...all, record: "a", index: 0, retry: 0, isAborted: false }],
      [{ ...all, record: "b", index: 1, retry: 0, isAborted: false }],
    ]);
  });

  test("passes emitted pairs on before its result", async () => {
    const { caller } = callerOf(async (record, { emit }) => {
      emit("key", record);
      await Promise.resolve();
      emit("other", record);
      return record;
    });
    expect(await caller.call(1)).toEqual([["key", 1], ["other", 1], 1]);
  });

  test("of a function that makes no promise is as good", async () => {
    const { caller } = callerOf((record) => record);
    expect(await caller.call(1)).toEqual([1]);
  });
});

describe("a call that takes too long", () => {
  test("fails, and its signal is aborted with the same error", async () => {
    let reason: unknown;
    const { caller } = callerOf(
      (_, { signal }) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        return never();
      },
      { timeoutMs: 1 },
    );
    const error = await caller.call("a").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallTimeout);
    expect(String(error)).toBe("TimeoutError: the call took longer than 1 ms, its timeoutMs");
    expect(reason).toBe(error);
  });

  test("leaves no count and no pair behind when its function goes on", async () => {
    let goOn = (): void => {};
    const { caller, counters } = callerOf(
      async (record, { count, emit, retry }) => {
        count("tries");
        if (retry > 0) return record;
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        count("tries");
        emit("late", 1);
        return "late";
      },
      { timeoutMs: 5, retries: 1 },
    );
    const call = caller.call("a");
    expect(await call).toEqual(["a"]);
    goOn();
    await Promise.resolve();
    expect(counters.values()).toEqual({ tries: 1 });
  });

  test("is a sign of life, as is a wait before a retry; one without a limit is none", async () => {
    const limited = callerOf(never, { timeoutMs: 1 }).caller;
    expect(limited.isBounded).toBe(false);
    const call = limited.call("a");
    expect(limited.isBounded).toBe(true);
    await expect(call).rejects.toThrow(CallTimeout);
    expect(limited.isBounded).toBe(false);

    const unlimited = callerOf(never).caller;
    void unlimited.call("a");
    expect(unlimited.isBounded).toBe(false);

    const retries: boolean[] = [];
    const waits: Caller = callerOf(
      async (_, { retry }) => {
        if (retry > 0) return;
        setImmediate(() => retries.push(waits.isBounded));
        throw new Error("again");
      },
      { retries: 1, backoffMs: 20 },
    ).caller;
    await waits.call("a");
    expect(retries).toEqual([true]);
  });
});

describe("a call that fails", () => {
  test("is made again as often as allowed, and counts only what succeeded", async () => {
    const { caller, counters } = callerOf(
      async (record, { count, emit, retry }) => {
        count("tries");
        emit("try", retry);
        if (retry < 2) throw new Error(`try ${retry}`);
        return record;
      },
      { retries: 2 },
    );
    expect(await caller.call("a")).toEqual([["try", 2], "a"]);
    expect(counters.values()).toEqual({ tries: 1 });
  });

  test("rejects with the error of the last try", async () => {
    const { caller } = callerOf(
      (_, { retry }) => {
        throw new Error(`try ${retry}`);
      },
      { retries: 3 },
    );
    await expect(caller.call("a")).rejects.toThrow("try 3");
  });

  test("is not made again if its result was refused", async () => {
    let tries = 0;
    const map = async (): Promise<unknown> => {
      tries++;
      return ["no pair"];
    };
    const { caller } = callerOf(map, { retries: 5 }, "pairs");
    await expect(caller.call("a")).rejects.toThrow(
      "mapAsync: expected pairs [key, value], found string",
    );
    expect(tries).toBe(1);
  });

  test("fails at a counter that is not declared, where it is counted", async () => {
    const { caller } = callerOf(async (record, { count }) => {
      count("other");
      return record;
    });
    await expect(caller.call("a")).rejects.toThrow("expected a declared one: tries");
  });
});

describe("an abort", () => {
  test("ends calls, waits, and calls that are still to come", async () => {
    const reason = new Error("the task has failed");
    const signals: AbortSignal[] = [];
    const { caller } = callerOf((_, { signal }) => {
      signals.push(signal);
      return never();
    });
    const waiting = callerOf(
      () => {
        throw new Error("again");
      },
      { retries: 1, backoffMs: 60_000 },
    ).caller;
    const calls = [caller.call("a"), caller.call("b"), waiting.call("c")];
    // The wait begins after the failure.
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort(reason);
    waiting.abort(reason);
    for (const call of [...calls, caller.call("d")]) await expect(call).rejects.toBe(reason);
    expect(signals.map((signal) => signal.reason)).toEqual([reason, reason]);
  });
});

test("waits double up to a minute, are shortened by up to a half, and repeat themselves", () => {
  const waits = Array.from({ length: 12 }, (_, retry) =>
    backoff(100, { task: 0, index: 0, retry }),
  );
  for (const [retry, ms] of waits.entries()) {
    const full = Math.min(100 * 2 ** retry, 60_000);
    expect(ms).toBeGreaterThan(full / 2);
    expect(ms).toBeLessThanOrEqual(full);
  }
  expect(backoff(100, { task: 0, index: 0, retry: 3 })).toBe(waits[3]);
  const others = [0, 1, 2].map((task) => backoff(100, { task, index: 0, retry: 3 }));
  expect(new Set(others).size).toBe(3);
  // A first wait of more than a minute is not shortened to one.
  expect(backoff(200_000, { task: 0, index: 0, retry: 0 })).toBeGreaterThan(100_000);
});
