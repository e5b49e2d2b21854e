import { describe, expect, test } from "vitest";
import { rackOf } from "./racks.ts";
import { replicasOf } from "./replicas.ts";

describe("replicas of splits", () => {
  const query = { nodes: 6, racks: 2, replication: 3 };
  const splits = Array.from({ length: 60 }, (_, split) => replicasOf(split, query));

  test("are on different nodes, the second in another rack, the third beside it", () => {
    for (const replicas of splits) {
      const [first, second, third] = replicas.map((node) => rackOf(node, 2));
      expect(new Set(replicas).size).toBe(3);
      expect(second).not.toBe(first);
      expect(third).toBe(second);
    }
  });

  test("are equally many on each node", () => {
    const held = Array.from({ length: 6 }, (_, node) => {
      return splits.filter((replicas) => replicas[0] === node).length;
    });
    expect(held).toEqual([10, 10, 10, 10, 10, 10]);
  });

  test("of splits that begin on one node are on various other nodes", () => {
    const ofFirst = splits.filter(([first]) => first === 0).map((replicas) => replicas.join());
    expect(new Set(ofFirst).size).toBeGreaterThan(2);
  });

  test("are placed even if no rack fits", () => {
    expect(replicasOf(1, { nodes: 3, racks: 1, replication: 3 })).toHaveLength(3);
    expect(replicasOf(0, { nodes: 1, racks: 1, replication: 1 })).toEqual([0]);
    expect(replicasOf(7, { nodes: 4, racks: 2, replication: 0 })).toEqual([]);
  });
});
