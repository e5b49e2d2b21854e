import { defined } from "../../base/assert.ts";
import { integer, pick, type RandomState } from "../../base/random.ts";
import { sum } from "../../base/stats.ts";
import type { NodeId, RackId } from "../../model/ids.ts";
import type { SimAttempt, SimNode } from "./state.ts";
import type { World } from "./world.ts";

export interface RackedNode {
  readonly id: NodeId;
  readonly rack: RackId;
}

const NOWHERE: readonly NodeId[] = [];

/**
 * HDFS's default placement: the first replica on the writing node, or anywhere for data written
 * from outside; the second in another rack; the third in the rack of the second; further ones
 * anywhere; never two on one node.
 */
export function placeReplicas(
  state: RandomState,
  nodes: readonly RackedNode[],
  count: number,
  writer?: RackedNode,
): readonly NodeId[] {
  if (count === 0) return NOWHERE;
  const chosen = [writer ?? pick(state, nodes)];
  while (chosen.length < count) {
    const [first, second] = chosen;
    const isFree = (node: RackedNode) => !chosen.includes(node);
    const isWanted = (node: RackedNode) => {
      if (chosen.length === 1 && node.rack === first?.rack) return false;
      if (chosen.length === 2 && node.rack !== second?.rack) return false;
      return isFree(node);
    };
    const one = pickAmong(state, nodes, isWanted) ?? pickAmong(state, nodes, isFree);
    chosen.push(defined(one, "a node without a replica"));
  }
  return chosen.map(({ id }) => id);
}

/** Draws a suitable node without listing all of them, because there are many blocks and nodes. */
function pickAmong(
  state: RandomState,
  nodes: readonly RackedNode[],
  suits: (node: RackedNode) => boolean,
): RackedNode | undefined {
  let count = 0;
  for (const node of nodes) if (suits(node)) count += 1;
  if (count === 0) return undefined;
  let before = integer(state, count);
  for (const node of nodes) {
    if (!suits(node)) continue;
    if (before === 0) return node;
    before -= 1;
  }
  return undefined;
}

/**
 * Where HDFS puts a block that a node writes: on that node, and on other nodes that are up, have
 * room, and currently serve at most twice the mean number of blocks (dfs.replication.considerLoad,
 * on by default; ReplicationTargetChooser.isGoodTarget). Returns fewer nodes than asked for if
 * there are no more. `nodes` holds all nodes in the order of their ids.
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

/**
 * The nearest replica: on the attempt's own node, else its machine, else its rack. The task's
 * number chooses among several.
 */
export function nearestReplica(world: World, { task, node }: SimAttempt): SimNode | undefined {
  const alive = task.replicas.map((id) => world.node(id)).filter(({ hasInput }) => hasInput);
  const near = [
    alive.filter((other) => other === node),
    alive.filter(({ machine }) => machine?.host === node.machine?.host),
    alive.filter((other) => other.node.rack === node.node.rack),
    alive,
  ].find((nodes) => nodes.length > 0);
  return near?.[task.index % near.length];
}
