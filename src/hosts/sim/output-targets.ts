import { defined } from "../../base/assert.ts";
import type { RandomState } from "../../base/random.ts";
import { sum } from "../../base/stats.ts";
import { placeReplicas } from "./replicas.ts";
import type { SimNode } from "./sim-node.ts";

/**
 * Where HDFS puts a block that a node writes: on that node, and on others that are up, have room,
 * and serve at most twice as many blocks now as the mean of all (dfs.replication.considerLoad, on
 * by default; ReplicationTargetChooser.isGoodTarget). Fewer than asked for if there are no more.
 * `nodes` are all, in the order of their ids.
 */
export function outputTargets(
  nodes: readonly SimNode[],
  block: { readonly writer: SimNode; readonly replicas: number; readonly chance: RandomState },
): readonly SimNode[] {
  const { writer, replicas, chance } = block;
  const up = nodes.filter(({ health, diskFull }) => health === "up" && !diskFull);
  const most = (2 * sum(up.map(({ blocksServed }) => blocksServed))) / up.length;
  const usable = up.filter((node) => node === writer || node.blocksServed <= most);
  const count = Math.min(replicas, usable.length);
  const racked = usable.map(({ node }) => node);
  const chosen = placeReplicas(chance, racked, count, writer.node);
  return chosen.map((id) => defined(nodes[id], "a node of the cluster"));
}
