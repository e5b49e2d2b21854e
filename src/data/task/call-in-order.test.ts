import { describe, expect, test } from "vitest";
import { Caller } from "../../job/caller.ts";
import { KeyMap } from "../../job/key-map.ts";
import { asyncStep, type MapAsyncOptions } from "../../job/map-async.ts";
import { Counters, UserContext } from "../../job/user-context.ts";
import { callInOrder } from "./call-in-order.ts";
import type { InputRecord, Passing } from "./passing.ts";

/** Calls that a test ends, in any order. */
class Calls {
  readonly begun: number[] = [];
  readonly #ends = new Map<number, PromiseWithResolver>();

  readonly map = (record: unknown): Promise<unknown> => {
    const n = Number(record);
    this.begun.push(n);
    return new Promise((resolve, reject) => this.#ends.set(n, { resolve, reject }));
  };

  get open(): readonly number[] {
    return [...this.#ends.keys()];
  }

  async succeed(...numbers: readonly number[]): Promise<void> {
    for (const n of numbers) this.#end(n).resolve(n);
    await settled();
  }

  async fail(n: number): Promise<void> {
    this.#end(n).reject(new Error(`call ${n}`));
    await settled();
  }

  #end(n: number): PromiseWithResolver {
    const end = this.#ends.get(n);
    if (end === undefined) throw new Error(`call ${n} has not begun`);
    this.#ends.delete(n);
    return end;
  }
}

interface PromiseWithResolver {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Promises that can settle have settled. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const inputRecord = (n: number): InputRecord => ({
  ...{ record: `line ${n}`, score: 0, bytesRead: 0, records: n },
  place: () => `in.txt:${n}`,
});

/** Numbers from 1, each with the news that it has passed; counts those that were taken. */
async function* numbers(taken: number[], until = 1_000, error?: Error) {
  for (let n = 1; n <= until; n++) {
    taken.push(n);
    const from = inputRecord(n);
    yield { kind: "record", record: n, from } satisfies Passing;
    yield { kind: "passed", from } satisfies Passing;
  }
  if (error !== undefined) throw error;
}

function callerOf(map: Calls["map"], options: MapAsyncOptions): Caller {
  const task = { params: {}, task: 0, attempt: 0, file: "", counters: new Counters([]) };
  return new Caller(asyncStep("record", map, options), {
    context: (emit) => new UserContext(task, emit),
    table: () => new KeyMap(),
  });
}

/** A step whose results are taken as they come. */
function startOf(source: AsyncGenerator<Passing, void, undefined>, options: MapAsyncOptions = {}) {
  const calls = new Calls();
  const caller = callerOf(calls.map, options);
  const out: unknown[] = [];
  const aborts: unknown[] = [];
  const abort = (reason: unknown): void => {
    aborts.push(reason);
    caller.abort(reason);
  };
  const end = (async () => {
    for await (const one of callInOrder(source, { caller, abort })) {
      out.push(one.kind === "record" ? one.record : `passed ${one.from.records}`);
    }
  })();
  end.catch(() => {});
  return { calls, out, end, aborts };
}

describe("calls of a step", () => {
  test("are as many at once as the step allows, and pass on their results in order", async () => {
    const { calls, out, end, aborts } = startOf(numbers([], 5), { concurrency: 3 });
    await settled();
    expect(calls.open).toEqual([1, 2, 3]);
    await calls.succeed(2);
    expect(calls.open).toEqual([1, 3, 4]);
    expect(out).toEqual([]);
    await calls.succeed(1);
    expect(out).toEqual([1, "passed 1", 2, "passed 2"]);
    await calls.succeed(3, 4, 5);
    await end;
    expect(out.filter((one) => typeof one === "number")).toEqual([1, 2, 3, 4, 5]);
    expect(out.at(-1)).toBe("passed 5");
    expect(aborts).toEqual([]);
  });

  test("go ahead of a slow one, until eight records are held for each one allowed", async () => {
    const taken: number[] = [];
    const { calls, out } = startOf(numbers(taken), { concurrency: 2 });
    await settled();
    for (let n = 2; calls.open.includes(n); n++) await calls.succeed(n);
    expect(out).toEqual([]);
    expect(calls.begun).toHaveLength(16);
    expect(taken.length).toBeLessThanOrEqual(17);
    await calls.succeed(1);
    expect(out.filter((one) => typeof one === "number")).toHaveLength(16);
    expect(calls.open).toEqual([17, 18]);
  });

  test("hold no news of records without a call, however many there are", async () => {
    const first = inputRecord(1);
    async function* source(): AsyncGenerator<Passing, void, undefined> {
      yield { kind: "record", record: 1, from: first };
      for (let n = 1; n <= 10_000; n++) yield { kind: "passed", from: inputRecord(n) };
      yield { kind: "record", record: 2, from: inputRecord(10_001) };
    }
    const { calls, out, end } = startOf(source(), { concurrency: 2 });
    await settled();
    expect(calls.open).toEqual([1, 2]);
    await calls.succeed(1, 2);
    await end;
    expect(out).toEqual([1, "passed 10000", 2]);
  });
});

describe("the error of a step", () => {
  test("is that of the first record that fails, when all before it are passed on", async () => {
    const taken: number[] = [];
    const { calls, out, end, aborts } = startOf(numbers(taken), { concurrency: 3 });
    await settled();
    await calls.fail(3);
    expect(calls.begun).toEqual([1, 2, 3]);
    await calls.fail(2);
    expect(out).toEqual([]);
    await calls.succeed(1);
    await expect(end).rejects.toThrow('in.txt:2: call 2, in "line 2"');
    expect(out).toEqual([1, "passed 1"]);
    expect(aborts).toHaveLength(1);
  });

  test("tells after how many tries, if there were several", async () => {
    const { calls, end } = startOf(numbers([]), { retries: 1, backoffMs: 1 });
    await settled();
    await calls.fail(1);
    while (calls.open.length === 0) await settled();
    await calls.fail(1);
    await expect(end).rejects.toThrow('in.txt:1: call 1, in "line 1", after 2 tries');
  });

  test("ends the calls that go on", async () => {
    const ends: unknown[] = [];
    const caller = callerOf(
      (n) => (n === 1 ? Promise.reject(new Error("first")) : new Promise(() => {})),
      { concurrency: 2 },
    );
    const abort = (reason: unknown): void => {
      ends.push(reason);
      caller.abort(reason);
    };
    const step = callInOrder(numbers([]), { caller, abort });
    await expect(step.next()).rejects.toThrow("in.txt:1: first");
    expect(ends).toHaveLength(1);
  });

  test("of the steps before comes after the records before it", async () => {
    const source = numbers([], 2, new Error("of the source"));
    const { calls, out, end } = startOf(source, { concurrency: 4 });
    await settled();
    await calls.succeed(2, 1);
    await expect(end).rejects.toThrow("of the source");
    expect(out).toEqual([1, "passed 1", 2, "passed 2"]);
  });
});

test("a taker that stops ends the calls and the steps before", async () => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Passing, void, undefined> {
    try {
      yield* numbers([]);
    } finally {
      isClosed = true;
    }
  }
  const calls = new Calls();
  const caller = callerOf(calls.map, { concurrency: 2 });
  const aborts: unknown[] = [];
  const step = callInOrder(source(), { caller, abort: (reason) => void aborts.push(reason) });
  const first = step.next();
  await settled();
  await calls.succeed(1);
  expect((await first).value).toMatchObject({ record: 1 });
  await step.return();
  expect(isClosed).toBe(true);
  expect(aborts).toHaveLength(1);
});
