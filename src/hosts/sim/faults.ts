import { defined, never } from "../../base/assert.ts";
import type { Fault } from "../../model/fault.ts";
import { FAULT } from "./agenda.ts";
import { comeBack, die, fillDisk, loseOutputs, pause, resume, speedChanged } from "./node-life.ts";
import type { SimNode } from "./sim-node.ts";
import type { World } from "./world.ts";

/** What a fault does at one moment: it may begin and end, or come again and again. */
type Moment =
  | { readonly kind: "begin"; readonly fault: Fault }
  | { readonly kind: "end"; readonly fault: Fault };

/** Lets things go wrong when they are due. */
export class Faults {
  readonly #world: World;
  readonly #moments: Moment[] = [];
  readonly #byName: ReadonlyMap<string, SimNode>;

  constructor(world: World, faults: readonly Fault[]) {
    this.#world = world;
    this.#byName = new Map(world.nodes.map((node) => [node.node.name, node]));
    for (const fault of faults) this.#enter(fault.at, { kind: "begin", fault });
  }

  #enter(at: number, moment: Moment): void {
    this.#world.agenda.enter(at, FAULT, this.#moments.length);
    this.#moments.push(moment);
  }

  isDue(subject: number): void {
    const { kind, fault } = defined(this.#moments[subject], "a moment of a fault");
    const node = defined(this.#byName.get(fault.node), `node ${fault.node}`);
    if (kind === "begin") this.#begin(fault, node);
    else this.#end(fault, node);
  }

  #begin(fault: Fault, node: SimNode): void {
    const world = this.#world;
    const { now } = world;
    switch (fault.kind) {
      case "slow":
        node.slow = fault.factor;
        speedChanged(world, node);
        return;
      case "pause":
        pause(world, node, fault.forMs);
        this.#enter(now + fault.forMs, { kind: "end", fault });
        return;
      case "kill":
        die(world, node);
        if (fault.backAfterMs !== undefined) {
          this.#enter(now + fault.backAfterMs, { kind: "end", fault });
        }
        return;
      case "stress":
        node.stress = fault.factor;
        speedChanged(world, node);
        this.#enter(Math.min(now + fault.onMs, fault.until ?? Number.POSITIVE_INFINITY), {
          kind: "end",
          fault,
        });
        return;
      case "lose-outputs":
        loseOutputs(world, node);
        return;
      case "fill-disk":
        fillDisk(node);
        this.#enter(now + fault.forMs, { kind: "end", fault });
        return;
      default:
        never(fault);
    }
  }

  #end(fault: Fault, node: SimNode): void {
    const world = this.#world;
    switch (fault.kind) {
      case "slow":
      case "lose-outputs":
        return;
      case "pause":
        resume(world, node);
        return;
      case "kill":
        comeBack(world, node);
        return;
      case "stress": {
        node.stress = 1;
        speedChanged(world, node);
        const next = world.now + fault.offMs;
        if (next < (fault.until ?? Number.POSITIVE_INFINITY))
          this.#enter(next, { kind: "begin", fault });
        return;
      }
      case "fill-disk":
        node.diskFull = false;
        return;
      default:
        never(fault);
    }
  }
}
