import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LadderQueue } from "./ladder-queue.ts";

interface Entry {
  readonly handle: number;
  readonly payload: number;
  readonly time: number;
}

/** The simple twin: a list in the order of the pushes, searched. */
class List {
  readonly entries: Entry[] = [];

  earliest(): Entry | undefined {
    let found: Entry | undefined;
    for (const entry of this.entries) {
      if (found === undefined || entry.time < found.time) found = entry;
    }
    return found;
  }

  remove(entry: Entry) {
    this.entries.splice(this.entries.indexOf(entry), 1);
  }
}

/** Near and far times, ties, and clusters that fall through several rungs. */
const time = fc.oneof(
  fc.integer({ min: 0, max: 8 }),
  fc.double({ min: 0, max: 8, noNaN: true }),
  fc.double({ min: 3, max: 3.000001, noNaN: true }),
  fc.double({ min: 0, max: 1e12, noNaN: true }),
);
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("push" as const),
      times: fc.array(time, { minLength: 1, maxLength: 200 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("pop" as const), count: fc.nat(150) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("remove" as const), every: fc.nat(4) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

class Twins {
  readonly #queue = new LadderQueue(1);
  readonly #list = new List();
  #pushed = 0;

  do(what: Step) {
    if (what.does === "push") for (const time of what.times) this.#push(time);
    else if (what.does === "pop") for (let n = 0; n < what.count; n += 1) this.#pop();
    else this.#remove(what.every + 1);
    for (const { handle, time } of this.#list.entries)
      expect(this.#queue.timeOf(handle)).toBe(time);
  }

  #push(time: number) {
    const payload = this.#pushed++;
    this.#list.entries.push({ handle: this.#queue.push(time, payload), payload, time });
    this.#check();
  }

  #pop() {
    const earliest = this.#list.earliest();
    if (earliest === undefined) return;
    expect(this.#queue.pop()).toBe(earliest.payload);
    this.#list.remove(earliest);
    this.#check();
  }

  /** Removes all entries but every `every`-th. */
  #remove(every: number) {
    for (const entry of this.#list.entries.filter((_, n) => n % every !== 0)) {
      this.#queue.remove(entry.handle);
      this.#list.remove(entry);
    }
    this.#check();
  }

  #check() {
    expect(this.#queue.size).toBe(this.#list.entries.length);
    expect(this.#queue.nextTime).toBe(this.#list.earliest()?.time ?? Number.POSITIVE_INFINITY);
  }
}

describe("the ladder queue", () => {
  test("agrees with a searched list on every mix of pushes, pops and removals", () => {
    const compare = (steps: readonly Step[]) => {
      const twins = new Twins();
      for (const what of steps) twins.do(what);
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 20 }), compare), { numRuns: 200 });
  });

  test("gives equal times back in the order in which they were pushed", () => {
    const queue = new LadderQueue();
    for (let payload = 0; payload < 10_000; payload += 1) queue.push(payload % 3, payload);
    const popped = Array.from({ length: 10_000 }, () => queue.pop());
    const all = Array.from({ length: 10_000 }, (_, i) => i);
    expect(popped).toEqual([0, 1, 2].flatMap((rest) => all.filter((i) => i % 3 === rest)));
  });

  test("an entry that moves to and fro takes no additional room", () => {
    const queue = new LadderQueue(4);
    let handle = queue.push(1e9, 0);
    let largest = handle;
    for (let n = 1; n < 10_000; n += 1) {
      queue.remove(handle);
      handle = queue.push(1e9 + (n % 7), 0);
      largest = Math.max(largest, handle);
    }
    expect(largest).toBeLessThan(100);
  });

  test("a popped handle is no longer valid", () => {
    const queue = new LadderQueue();
    const handle = queue.push(1, 7);
    queue.pop();
    expect(() => queue.remove(handle)).toThrow("not in the queue");
    expect(() => queue.pop()).toThrow("empty");
    expect(() => queue.push(Number.POSITIVE_INFINITY, 0)).toThrow("has a time");
  });
});

test("one far entry does not make the queue grow with the entries that overtake it", () => {
  const queue = new LadderQueue();
  queue.push(1e12, 0);
  for (let at = 0; at < 20; at += 1) queue.push(at, 1);
  const before = process.memoryUsage().arrayBuffers;
  let popped = 0;
  for (let at = 20; at < 1_000_000; at += 1) {
    popped += queue.pop();
    queue.push(at, 1);
  }
  expect(popped).toBe(999_980);
  // Twelve bytes for each passing entry would be 12 MB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6);
});
