import { assert } from "../base/assert.ts";
import { rackOf } from "./racks.ts";

export interface ReplicasQuery {
  readonly nodes: number;
  readonly racks: number;
  /** Replicas of each split, at most one per node. 0: the split lies nowhere in particular. */
  readonly replication: number;
}

/**
 * The nodes on which a split of the input is said to lie, as HDFS would spread its blocks: the
 * second replica in another rack than the first, the third in the rack of the second, further ones
 * anywhere; never two on one node. The nodes are taken in turn, not at random, so that all nodes
 * hold the same number and all runs are equal.
 */
export function replicasOf(split: number, query: ReplicasQuery): readonly number[] {
  const { nodes, racks, replication } = query;
  assert(replication <= nodes, "a node holds a split once");
  if (replication === 0) return [];
  const first = split % nodes;
  // Splits whose first replica is on the same node do not share all the others.
  const turn = 1 + (Math.floor(split / nodes) % Math.max(1, nodes - 1));
  const others = Array.from({ length: nodes }, (_, step) => (first + turn + step) % nodes);
  const chosen = [first];
  while (chosen.length < replication) {
    const free = others.filter((node) => !chosen.includes(node));
    const wanted = free.find((node) => isWanted(node, chosen, racks)) ?? free[0];
    assert(wanted !== undefined, "there is a node that holds no replica yet");
    chosen.push(wanted);
  }
  return chosen;
}

function isWanted(node: number, [first, second, third]: readonly number[], racks: number): boolean {
  if (first === undefined) return true;
  if (second === undefined) return rackOf(node, racks) !== rackOf(first, racks);
  return third !== undefined || rackOf(node, racks) === rackOf(second, racks);
}
