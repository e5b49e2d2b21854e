import fc from "fast-check";
import { expect, test } from "vitest";
import { nodeId, slotKind } from "../../model/ids.ts";
import { NO_NODE, NodeTable } from "./node-table.ts";

const KINDS = 2;
const NODES = 60;

interface Twin {
  askedIn: number | undefined;
  succeeded: number;
  readonly free: number[];
  running: number[];
}

const change = fc.record({
  node: fc.nat(NODES - 1),
  kind: fc.nat(KINDS - 1),
  does: fc.constantFrom("ask", "succeed", "free", "list", "launch", "end"),
  number: fc.nat(40),
});

test("rows and lists agree with plain objects and arrays", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
      const table = new NodeTable(KINDS);
      const twins = new Map<number, Twin>();
      const lists: number[][] = [[], []];
      for (const { node, kind, does, number } of changes) {
        const id = nodeId(node);
        const of = slotKind(kind);
        const twin = twins.get(node) ?? {
          ...{ askedIn: undefined, succeeded: 0, free: [0, 0], running: [] },
        };
        if (!twins.has(node)) table.add(id);
        twins.set(node, twin);
        const list = lists[kind] ?? [];
        switch (does) {
          case "ask":
            expect(table.askIn(id, number + 1)).toBe(twin.askedIn !== number + 1);
            twin.askedIn = number + 1;
            break;
          case "succeed":
            table.setSucceeded(id, number);
            twin.succeeded = number;
            break;
          case "free":
            table.setFree(id, of, number);
            twin.free[kind] = number;
            break;
          case "list":
            if (list.includes(node)) {
              table.takeOut(id, of);
              list.splice(list.indexOf(node), 1);
            } else {
              table.list(id, of);
              list.push(node);
            }
            break;
          case "launch":
            // Now and then, far more attempts than the node has slots.
            for (let row = number * 100; row < number * 101; row += 1) {
              if (twin.running.includes(row)) continue;
              table.launched(id, row);
              twin.running.push(row);
            }
            break;
          default: {
            const row = twin.running[number % Math.max(1, twin.running.length)];
            if (row === undefined) break;
            table.ended(id, row);
            twin.running = twin.running.filter((other) => other !== row);
          }
        }
      }
      for (const [node, twin] of twins) {
        const id = nodeId(node);
        expect(table.succeeded(id)).toBe(twin.succeeded);
        expect(table.running(id)).toEqual(twin.running);
        const free = twin.free.map((_, kind) => table.free(id, slotKind(kind)));
        expect(free).toEqual(twin.free);
      }
      for (const [kind, list] of lists.entries()) {
        expect([...table.each(slotKind(kind))]).toEqual(list);
        expect(table.listed(slotKind(kind))).toBe(list.length);
      }
    }),
    { numRuns: 100 },
  );
});

test("a loop over a list continues when its current node is removed", () => {
  const table = new NodeTable(1);
  const kind = slotKind(0);
  for (let node = 0; node < 20; node += 1) {
    table.add(nodeId(node));
    table.list(nodeId(node), kind);
  }
  const seen: number[] = [];
  for (const node of table.each(kind)) {
    seen.push(node);
    if (node % 3 !== 1) table.takeOut(node, kind);
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, node) => node));
  expect([...table.each(kind)]).toEqual([1, 4, 7, 10, 13, 16, 19]);
  for (const node of [...table.each(kind)]) table.takeOut(node, kind);
  expect(table.first(kind)).toBe(NO_NODE);
});
