import fc from "fast-check";
import { expect, test } from "vitest";
import { nodeId } from "../../model/ids.ts";
import { NONE } from "./ready-outputs.ts";
import { WantedOutputs } from "./wanted-outputs.ts";

const OUTPUTS = 8;
const NODES = 3;

const act = fc.record({
  does: fc.constantFrom("queue", "queue", "unqueue", "take", "lose", "forget"),
  place: fc.nat({ max: OUTPUTS - 1 }),
  node: fc.nat({ max: NODES - 1 }),
});

/** The twin over plain objects: a list for each node, and a set of taken outputs. */
class Twin {
  readonly queues: number[][] = Array.from({ length: NODES }, () => []);
  readonly taken = new Set<number>();
  readonly known = new Set<number>();

  nodeOf(place: number): number | undefined {
    const node = this.queues.findIndex((queue) => queue.includes(place));
    return node < 0 ? undefined : node;
  }

  drop(place: number): void {
    for (const [node, queue] of this.queues.entries()) {
      this.queues[node] = queue.filter((one) => one !== place);
    }
  }
}

test("rows agree with lists about each output and each node, in any order of events", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const wanted = new WantedOutputs(OUTPUTS, NODES);
      const twin = new Twin();
      for (const [turn, { does, place, node: index }] of acts.entries()) {
        const node = nodeId(index);
        const isFree = twin.nodeOf(place) === undefined && !twin.taken.has(place);
        if (does === "queue" && isFree) {
          wanted.queue(node, place, turn);
          twin.queues[node]?.push(place);
          twin.known.add(node);
          expect(wanted.entry(place)).toBe(turn);
        } else if (does === "unqueue") {
          expect(wanted.unqueue(place)).toBe(twin.nodeOf(place));
          twin.drop(place);
        } else if (does === "take") {
          const chain = twin.queues[node] ?? [];
          expect(wanted.chainOf(wanted.take(node))).toEqual(chain);
          for (const one of chain) twin.taken.add(one);
          twin.queues[node] = [];
        } else if (does === "lose" && twin.taken.delete(place)) {
          wanted.lose(place);
        } else if (does === "forget") {
          wanted.forget(node);
          twin.known.delete(node);
        }
        for (const [at, queue] of twin.queues.entries()) {
          expect(wanted.queuedAt(nodeId(at))).toEqual(queue);
          expect(wanted.hasQueued(nodeId(at))).toBe(queue.length > 0);
          expect(wanted.isKnown(nodeId(at))).toBe(twin.known.has(at));
        }
        for (let one = 0; one < OUTPUTS; one += 1) {
          expect(wanted.isTaken(one)).toBe(twin.taken.has(one));
        }
      }
    }),
  );
});

test("a chain of some outputs is read in their order", () => {
  const wanted = new WantedOutputs(OUTPUTS, NODES);
  for (const place of [4, 1, 6, 2]) wanted.queue(nodeId(0), place, 0);
  wanted.take(nodeId(0));
  expect(wanted.chainOf(wanted.chain([1, 2]))).toEqual([1, 2]);
  expect(wanted.chain([])).toBe(NONE);
});
