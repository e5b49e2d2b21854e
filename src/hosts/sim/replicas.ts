import { pick, type RandomState } from "../../base/random.ts";
import type { NodeId, RackId } from "../../model/ids.ts";

export interface RackedNode {
  readonly id: NodeId;
  readonly rack: RackId;
}

const NOWHERE: readonly NodeId[] = [];

/**
 * HDFS's default placement: the first replica on the node that writes, anywhere for data written
 * from outside, the second in another rack, the third in the rack of the second, further ones
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
    const free = nodes.filter((node) => !chosen.includes(node));
    const wanted = free.filter(({ rack }) => {
      if (chosen.length === 1) return rack !== first?.rack;
      return chosen.length !== 2 || rack === second?.rack;
    });
    chosen.push(pick(state, wanted.length > 0 ? wanted : free));
  }
  return chosen.map(({ id }) => id);
}
