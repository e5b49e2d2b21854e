import { isClearlyAbove } from "../../../base/clearly-below.ts";

/** The bytes that the tasks of a phase read from each rack: I[task][rack]. */
export interface Demand {
  readonly bytes: readonly (readonly number[])[];
}

/** A demand, with the bandwidth of each rack's links in bytes per ms, or in any other unit. */
export interface Network extends Demand {
  readonly up: readonly number[];
  readonly down: readonly number[];
}

/** For each task, the index of its rack. */
export type Placement = readonly number[];

/**
 * §5.2: the data to be moved out of (d_u) and read in by (d_d) each rack. A task reads the data on
 * its own rack for free, so moving the task changes the loads of two racks only.
 */
export class Loads {
  readonly network: Network;
  readonly placement: number[];
  readonly #totals: readonly number[];
  readonly #leaving: number[];
  readonly #arriving: number[];

  constructor(network: Network, placement: Placement) {
    const { bytes, up } = network;
    this.network = network;
    this.placement = [...placement];
    this.#totals = bytes.map((row) => row.reduce((sum, one) => sum + one, 0));
    this.#leaving = up.map((_, rack) => bytes.reduce((sum, row) => sum + row[rack]!, 0));
    this.#arriving = up.map(() => 0);
    placement.forEach((rack, task) => {
      this.#add(task, rack, 1);
    });
  }

  move(task: number, to: number): void {
    this.#add(task, this.placement[task]!, -1);
    this.#add(task, to, 1);
    this.placement[task] = to;
  }

  /** max(c_{2i-1}, c_{2i}) = max(d_u / b_u, d_d / b_d) of a rack. */
  cost(rack: number): number {
    return this.#costWith(rack, 0, 0);
  }

  /** The cost if `task` joined the rack, or left. */
  costIf(rack: number, task: number, change: 1 | -1): number {
    const here = this.network.bytes[task]![rack]!;
    return this.#costWith(rack, -change * here, change * (this.#totals[task]! - here));
  }

  /** The cost if one task joined and another left. */
  costIfSwapped(rack: number, comes: number, goes: number): number {
    const { bytes } = this.network;
    const stays = bytes[comes]![rack]! - bytes[goes]![rack]!;
    return this.#costWith(rack, -stays, this.#totals[comes]! - this.#totals[goes]! - stays);
  }

  /** The rack with the largest c_j; the first of several. */
  slowest(): { readonly rack: number; readonly cost: number } {
    let slowest = { rack: 0, cost: this.cost(0) };
    for (let rack = 1; rack < this.#leaving.length; rack++) {
      const cost = this.cost(rack);
      if (isClearlyAbove(cost, slowest.cost)) slowest = { rack, cost };
    }
    return slowest;
  }

  #costWith(rack: number, leaving: number, arriving: number): number {
    const { down, up } = this.network;
    return Math.max(
      (this.#leaving[rack]! + leaving) / up[rack]!,
      (this.#arriving[rack]! + arriving) / down[rack]!,
    );
  }

  #add(task: number, rack: number, sign: 1 | -1): void {
    const here = this.network.bytes[task]![rack]!;
    this.#leaving[rack] = this.#leaving[rack]! - sign * here;
    this.#arriving[rack] = this.#arriving[rack]! + sign * (this.#totals[task]! - here);
  }
}
