import { ascending } from "../../base/order.ts";
import type { Action } from "../../model/action.ts";
import type { FlowOwner } from "./flow-owner.ts";
import { wayBetween } from "./machine.ts";
import { addCopy } from "./outputs.ts";
import type { SimNode } from "./sim-node.ts";
import type { World } from "./world.ts";

/** A copy of an output on its way to another rack. */
class Replication implements FlowOwner {
  readonly #done: () => void;

  constructor(done: () => void) {
    this.#done = done;
  }

  flowEnded(): void {
    this.#done();
  }

  rateChanged(): void {}
}

/** To the node of the rack that holds the fewest outputs; at once where bytes take no time. */
export function replicate(
  world: World,
  { task, to }: Extract<Action, { readonly kind: "replicate" }>,
): void {
  const output = world.outputs.get(task);
  const source = output?.believed.find((node) => node.health === "up" && node.outputs.has(output));
  if (output === undefined || source === undefined) return;
  const [target] = world.nodes
    .filter((node) => node.node.rack === to && node.health === "up" && !node.outputs.has(output))
    .sort(byOutputs);
  if (target === undefined) return;
  const phase = world.phaseOf(task);
  const done = () => {
    if (target.health !== "up" || world.outputs.get(task) !== output) return;
    addCopy(world, phase, output, target);
    world.tell({ at: world.now, kind: "output-replicated", task, node: target.node.id });
  };
  if (source.machine === undefined || target.machine === undefined) done();
  else {
    const uses = [
      ...wayBetween(source.machine, target.machine),
      target.machine.disk,
      target.machine.host.disk,
    ];
    world.fluid.start(world.now, {
      tag: new Replication(done),
      uses: [...new Set(uses)],
      size: output.bytes,
    });
  }
}

const byOutputs = ascending<SimNode>(
  ({ outputs }) => outputs.size,
  ascending(({ node }) => node.id),
);
