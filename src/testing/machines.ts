import type { SlotCounts } from "../model/cluster.ts";
import { instant, type NodeId, slotKind } from "../model/ids.ts";
import type { Machine, WorldParts } from "./world-parts.ts";

/** The nodes of a world: they join, offer slots, fall silent, die and come back. */
export class Machines {
  readonly #world: WorldParts;
  readonly #machines: readonly Machine[];

  constructor(world: WorldParts) {
    const { nodes, slowness } = world.plan;
    this.#world = world;
    this.#machines = nodes.map((node, index) => ({
      node,
      slowness: slowness[index] ?? 1,
      state: "gone",
      attempts: new Set(),
      withheld: [],
      heardAt: 0,
      isOfferDue: false,
    }));
  }

  /** Plans when each node joins, and its faults until the world is calm. */
  begin(): void {
    const { clock, dice } = this.#world;
    for (const machine of this.#machines) {
      clock.plan(dice.chance(0.8) ? 0 : dice.upTo(30_000), () => this.#join(machine));
      this.#planTrouble(machine);
    }
  }

  of(id: NodeId): Machine {
    const machine = this.#machines[id];
    if (machine === undefined) throw new Error(`no node ${id}`);
    return machine;
  }

  upOn(rack: number): readonly Machine[] {
    return this.#machines.filter(({ node, state }) => node.rack === rack && state === "up");
  }

  free({ node, attempts }: Machine): SlotCounts {
    return node.slots.map(({ count }, kind) => {
      let held = 0;
      for (const { launch } of attempts) if (launch.slot === kind) held += 1;
      return { kind: slotKind(kind), count: count - held };
    });
  }

  /** Runs at one of the node's next heartbeats. */
  later(machine: Machine, happens: () => void): void {
    const { clock, dice, plan } = this.#world;
    clock.plan(clock.now + dice.upTo(plan.heartbeatMs), () => this.tell(machine, happens));
  }

  /** Runs now, or when the node is heard again, or never. */
  tell(machine: Machine, tell: () => void): void {
    if (machine.state === "silent") machine.withheld.push(tell);
    if (machine.state !== "up") return;
    machine.heardAt = this.#world.clock.now;
    tell();
  }

  /** Plans a look at all nodes' slots, for a host that offers none. */
  bindSoon(): void {
    for (const machine of this.#machines) this.offerSoon(machine);
  }

  /** Offers the node's free slots, or fills them if the host offers none. */
  offerSoon(machine: Machine): void {
    if (machine.isOfferDue || machine.state !== "up") return;
    const { clock, dice, plan } = this.#world;
    machine.isOfferDue = true;
    clock.plan(clock.now + dice.upTo(plan.heartbeatMs), () => {
      machine.isOfferDue = false;
      const { id } = machine.node;
      this.tell(machine, () => {
        if (!plan.offersSlots) this.#world.binder.fill(machine);
        else this.#world.feed({ kind: "slots-offered", node: id, free: this.free(machine) });
      });
    });
  }

  /** The node's attempts are gone; when the world is calm, the node comes back. */
  vanish(machine: Machine): void {
    const { clock, dice } = this.#world;
    this.#empty(machine);
    machine.state = "gone";
    if (!this.#world.isCalm) return;
    clock.plan(clock.now + dice.upTo(60_000), () => this.#join(machine));
  }

  #join(machine: Machine): void {
    if (machine.state === "up") return;
    const { clock, scheduler, files } = this.#world;
    const { id } = machine.node;
    this.#empty(machine);
    machine.state = "up";
    machine.heardAt = clock.now;
    this.#world.feed({ kind: "node-joined", node: machine.node });
    // Outputs that the core still counts on but that are gone are reported as lost.
    for (const [task, nodes] of files) {
      if (nodes.has(id) || this.#world.jobOf(task) === undefined) continue;
      if (!scheduler.view.outputNodes(task).includes(id)) continue;
      this.#world.feed({ kind: "output-lost", task, node: id });
    }
    this.offerSoon(machine);
  }

  #empty(machine: Machine): void {
    for (const attempt of machine.attempts) attempt.isOver = true;
    machine.attempts.clear();
    machine.withheld = [];
  }

  #planTrouble(machine: Machine): void {
    const { clock, dice, plan } = this.#world;
    const { silence, death, loseOutput } = plan.chances;
    for (let from = 0; from < plan.calmFrom; from += plan.longestMs) {
      const sometime = from + dice.upTo(plan.longestMs);
      if (dice.chance(silence)) clock.plan(sometime, () => this.#pause(machine));
      if (dice.chance(death)) clock.plan(sometime + 1, () => this.#die(machine));
      if (dice.chance(loseOutput)) clock.plan(sometime + 2, () => this.#loseOutput(machine));
    }
  }

  #pause(machine: Machine): void {
    if (machine.state !== "up") return;
    const { clock, dice } = this.#world;
    this.#silence(machine);
    clock.plan(clock.now + dice.upTo(90_000), () => {
      if (machine.state === "gone") this.#join(machine);
      if (machine.state !== "silent") return;
      machine.state = "up";
      machine.heardAt = clock.now;
      this.#world.feed({ kind: "node-heard", node: machine.node.id });
      for (const tell of machine.withheld.splice(0)) tell();
      this.offerSoon(machine);
    });
  }

  /** The machine dies: its files go at once; it comes back empty. */
  #die(machine: Machine): void {
    if (machine.state === "gone") return;
    const { clock, dice, files } = this.#world;
    const isKnown = dice.chance(0.3);
    if (machine.state === "up" && !isKnown) this.#silence(machine);
    for (const nodes of files.values()) nodes.delete(machine.node.id);
    this.vanish(machine);
    if (isKnown) this.#world.feed({ kind: "node-left", node: machine.node.id });
    clock.plan(clock.now + 1 + dice.upTo(120_000), () => this.#join(machine));
  }

  #silence(machine: Machine): void {
    const { clock, dice, plan } = this.#world;
    const since = instant(Math.max(machine.heardAt, clock.now - dice.upTo(plan.heartbeatMs)));
    machine.state = "silent";
    this.#world.feed({ kind: "node-silent", node: machine.node.id, since });
  }

  #loseOutput(machine: Machine): void {
    const { dice, files } = this.#world;
    const { id } = machine.node;
    const here = [...files].filter(([, nodes]) => nodes.has(id));
    if (here.length === 0) return;
    const [task, nodes] = dice.pick(here);
    nodes.delete(id);
    if (dice.chance(0.5)) this.#world.feed({ kind: "output-lost", task, node: id });
  }
}
