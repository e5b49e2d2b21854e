import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventHeap } from "./heap.ts";

interface Entry {
  readonly handle: number;
  readonly payload: number;
  time: number;
  turn: number;
}

/** The simple twin: a list, searched. */
class List {
  readonly entries: Entry[] = [];
  #turns = 0;

  push(handle: number, time: number, payload: number) {
    this.entries.push({ handle, payload, time, turn: this.#turns++ });
  }

  move(entry: Entry, time: number) {
    entry.time = time;
    entry.turn = this.#turns++;
  }

  earliest(): Entry | undefined {
    let found: Entry | undefined;
    for (const entry of this.entries) {
      if (
        found === undefined ||
        entry.time < found.time ||
        (entry.time === found.time && entry.turn < found.turn)
      ) {
        found = entry;
      }
    }
    return found;
  }

  remove(entry: Entry) {
    this.entries.splice(this.entries.indexOf(entry), 1);
  }
}

const time = fc.oneof(fc.integer({ min: 0, max: 8 }), fc.double({ min: 0, max: 8, noNaN: true }));
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("push" as const), time }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("pop" as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("delay" as const), time }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("remove" as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("move" as const), which: fc.nat(), time }),
  },
);

function compare(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  const heap = new EventHeap(1);
  const list = new List();
  let payload = 0;
  for (const what of steps) {
    const entry =
      "which" in what ? list.entries[what.which % Math.max(1, list.entries.length)] : undefined;
    if (what.does === "push") {
      list.push(heap.push(what.time, payload), what.time, payload);
      payload += 1;
    } else if (what.does === "pop") {
      const earliest = list.earliest();
      if (earliest === undefined) continue;
      expect(heap.pop()).toBe(earliest.payload);
      list.remove(earliest);
    } else if (what.does === "delay") {
      const earliest = list.earliest();
      if (earliest === undefined) continue;
      const later = earliest.time + what.time;
      heap.delayFirst(later);
      list.move(earliest, later);
    } else if (entry !== undefined && what.does === "remove") {
      heap.remove(entry.handle);
      list.remove(entry);
    } else if (entry !== undefined && what.does === "move") {
      heap.move(entry.handle, what.time);
      list.move(entry, what.time);
    }
    expect(heap.size).toBe(list.entries.length);
    expect(heap.nextTime).toBe(list.earliest()?.time ?? Number.POSITIVE_INFINITY);
    if (heap.size > 0) expect(heap.first).toBe(list.earliest()?.payload);
    for (const { handle, time } of list.entries) expect(heap.timeOf(handle)).toBe(time);
  }
}

describe("the agenda", () => {
  test("agrees with a searched list on every mix of changes", () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 120 }), compare), { numRuns: 300 });
  });

  test("gives equal times back in the order in which they were pushed", () => {
    const heap = new EventHeap();
    for (let payload = 0; payload < 1_000; payload += 1) heap.push(payload % 3, payload);
    const popped = Array.from({ length: 1_000 }, () => heap.pop());
    const expected = [0, 1, 2].flatMap((rest) =>
      Array.from({ length: 1_000 }, (_, i) => i).filter((i) => i % 3 === rest),
    );
    expect(popped).toEqual(expected);
  });

  test("a popped handle is no longer valid", () => {
    const heap = new EventHeap();
    const handle = heap.push(1, 7);
    heap.pop();
    expect(() => heap.remove(handle)).toThrow("not in the heap");
    expect(() => heap.pop()).toThrow("empty");
  });
});
