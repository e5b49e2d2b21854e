import { InputError } from "../base/input-error.ts";
import { type FlowNode, type LoopNode, sourcesOf } from "./flow-node.ts";

/**
 * The loop whose body each node is in: the loop whose state the node depends on; undefined if none.
 * Throws an InputError for a flow without meaning.
 */
export function regionsOf(ends: readonly FlowNode[]): ReadonlyMap<FlowNode, LoopNode | undefined> {
  const regions = new Map<FlowNode, LoopNode | undefined>();
  for (const end of ends) visit(end, regions);
  return regions;
}

function visit(node: FlowNode, regions: Map<FlowNode, LoopNode | undefined>): LoopNode | undefined {
  if (regions.has(node)) return regions.get(node);
  const region = node.kind === "loop" ? visitLoop(node, regions) : outerOf(node, regions);
  regions.set(node, region);
  return region;
}

function visitLoop(node: LoopNode, regions: Map<FlowNode, LoopNode | undefined>): undefined {
  const place = `loop ${node.name}`;
  if (visit(node.start, regions) !== undefined) {
    throw new InputError("bad-job", place, "expected outside of another loop");
  }
  regions.set(node.state, node);
  if (visit(node.next, regions) !== node) {
    throw new InputError("bad-job", place, "expected its body to use its state");
  }
}

function outerOf(
  node: FlowNode,
  regions: Map<FlowNode, LoopNode | undefined>,
): LoopNode | undefined {
  if (node.kind === "state") {
    throw new InputError("bad-job", `loop ${node.name}`, "expected its state within its body only");
  }
  const loops = new Set(sourcesOf(node).map((source) => visit(source, regions)));
  loops.delete(undefined);
  const [loop, other] = loops;
  if (other === undefined) return loop;
  throw new InputError("bad-job", `loop ${other.name}`, "expected outside of another loop");
}
