import { expect, test } from "vitest";
import { randomState } from "../../base/random.ts";
import { nodeId, rackId } from "../../model/ids.ts";
import { outputTargets } from "./replicas.ts";
import { SimNode } from "./state.ts";

/** Nodes in one rack, each serving the given number of blocks. */
const serving = (...blocks: readonly number[]) =>
  blocks.map((count, i) => {
    const node = { id: nodeId(i), name: `n${i}`, rack: rackId(0), slots: [] };
    const nature = { factor: 1, firstBeat: 0, machine: undefined };
    return Object.assign(new SimNode(node, nature), { serves: { size: count } });
  });

/** The other nodes that receive blocks of node 0, over many draws. */
function othersOf(nodes: readonly SimNode[]): readonly string[] {
  const chance = randomState(1);
  const [writer] = nodes;
  const names = new Set<string>();
  for (let i = 0; writer !== undefined && i < 200; i += 1) {
    const [first, ...others] = outputTargets(nodes, { writer, replicas: 2, chance });
    expect(first).toBe(writer);
    for (const { node } of others) names.add(node.name);
  }
  return [...names].sort();
}

test("a block goes to nodes that serve at most twice the mean", () => {
  // The mean is 2.
  expect(othersOf(serving(0, 2, 4, 1, 3))).toEqual(["n1", "n2", "n3", "n4"]);
  expect(othersOf(serving(0, 1, 5, 1, 3))).toEqual(["n1", "n3", "n4"]);
});

test("the writer keeps its block, however busy it is", () => {
  expect(othersOf(serving(9, 1, 0))).toEqual(["n1", "n2"]);
});

test("no block goes to a node that is down or full", () => {
  const nodes = serving(0, 0, 0);
  Object.assign(nodes[1] ?? {}, { diskFull: true });
  Object.assign(nodes[2] ?? {}, { health: "paused" });
  expect(othersOf(nodes)).toEqual([]);
});
