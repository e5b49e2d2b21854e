import { ascending } from "../../base/order.ts";
import type { Action } from "../../model/action.ts";
import type { FlowOwner } from "./flow-owner.ts";
import { addCopy } from "./outputs.ts";
import type { SimNode } from "./state.ts";
import { wayOfOutput, wayToWrite } from "./way.ts";
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

/**
 * Copies an output to the node of the rack that holds, or will soon hold, the fewest outputs; at
 * once where bytes take no time.
 */
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
  const phase = world.phases.ofTask(task);
  target.copiesComing += 1;
  const done = () => {
    target.copiesComing -= 1;
    if (target.health !== "up" || world.outputs.get(task) !== output) return;
    addCopy(world, phase, output, target);
    world.feed({ at: world.now, kind: "output-replicated", task, node: target.node.id });
  };
  if (source.machine === undefined || target.machine === undefined) done();
  else {
    const { bytes: size } = output;
    const sent = wayOfOutput(source.machine, target.machine);
    const written = wayToWrite(target.machine, { size, now: world.now, owner: phase });
    const uses = [...new Set([...sent.uses, ...written.uses])];
    world.fluid.start(world.now, { ...sent, uses, tag: new Replication(done), size });
  }
}

const byOutputs = ascending<SimNode>(
  ({ outputs, copiesComing }) => outputs.size + copiesComing,
  ascending(({ node }) => node.id),
);
