import { expect, test } from "vitest";
import { randomState } from "../../base/random.ts";
import { nodeId, rackId } from "../../model/ids.ts";
import { placeReplicas } from "./replicas.ts";

const nodes = Array.from({ length: 12 }, (_, i) => ({ id: nodeId(i), rack: rackId(i % 3) }));

test("the second replica is in another rack, the third in the same, never two on one node", () => {
  const state = randomState(1);
  const rackOf = (id: number | undefined) => nodes[id ?? -1]?.rack;
  const firsts = new Set<number | undefined>();
  for (let i = 0; i < 300; i += 1) {
    const [first, second, third, fourth] = placeReplicas(state, nodes, 4);
    expect(rackOf(second)).not.toBe(rackOf(first));
    expect(rackOf(third)).toBe(rackOf(second));
    expect(new Set([first, second, third, fourth]).size).toBe(4);
    firsts.add(first);
  }
  expect(firsts.size).toBe(nodes.length);
});

test("with only one rack, the other replicas are in it too", () => {
  const near = nodes.filter(({ rack }) => rack === rackId(0));
  expect(new Set(placeReplicas(randomState(1), near, 4)).size).toBe(4);
});

test("no replicas are placed if none are requested", () => {
  expect(placeReplicas(randomState(1), nodes, 0)).toEqual([]);
});

test("the writing node holds the first", () => {
  const state = randomState(1);
  const [writer] = nodes;
  for (let i = 0; i < 20; i += 1) {
    expect(placeReplicas(state, nodes, 3, writer)[0]).toBe(writer?.id);
  }
});
