import { isClearlyBelow } from "../../../base/clearly-below.ts";
import { mostFirst } from "../../../base/on-paper.ts";
import { Loads, type Network, type Placement } from "./loads.ts";

/**
 * §5.2: arg min max_j c_j over all placements, by branch and bound: the largest tasks come first,
 * and a branch ends where the placed tasks alone cost as much as the best placement known. For
 * tasks with equal rows only their number on each rack matters. Returns `known` if no placement is
 * better.
 */
export function placeExactly(network: Network, known: Placement): Placement {
  const search = new Search(network, known);
  search.place(0, 0);
  return search.best;
}

class Search {
  best: Placement;
  #bestCost: number;
  readonly #network: Network;
  readonly #totals: readonly number[];
  /** Largest first; tasks with equal rows are adjacent. */
  readonly #order: readonly number[];
  readonly #placement: number[];
  /** The bytes that the placed tasks move out of each rack, and into it. */
  readonly #leaving: number[];
  readonly #arriving: number[];

  constructor(network: Network, known: Placement) {
    const { bytes, up } = network;
    this.#network = network;
    this.best = known;
    this.#bestCost = new Loads(network, known).slowest().cost;
    this.#totals = bytes.map((row) => row.reduce((sum, one) => sum + one, 0));
    const rowNames = bytes.map((row) => row.join());
    const names = [...new Set(rowNames)];
    const ranks = rowNames.map((name) => names.indexOf(name));
    // Tasks with the same row keep the order of their numbers.
    this.#order = bytes
      .map((_, task) => task)
      .sort(
        mostFirst(
          (task) => this.#totals[task]!,
          (task) => ranks[task]!,
        ),
      );
    this.#placement = bytes.map(() => 0);
    this.#leaving = up.map(() => 0);
    this.#arriving = up.map(() => 0);
  }

  /** Places the tasks from the `depth`-th on; the tasks before them cost `cost`. */
  place(depth: number, cost: number): void {
    if (!isClearlyBelow(cost, this.#bestCost)) return;
    const task = this.#order[depth];
    if (task === undefined) {
      this.best = [...this.#placement];
      this.#bestCost = cost;
      return;
    }
    for (let rack = this.#firstRack(depth, task); rack < this.#leaving.length; rack++) {
      this.#add(task, rack, 1);
      this.#placement[task] = rack;
      this.place(depth + 1, this.#cost());
      this.#add(task, rack, -1);
    }
  }

  /** Tasks with equal rows take racks in rising order: other orders are the same placement. */
  #firstRack(depth: number, task: number): number {
    const before = this.#order[depth - 1];
    if (before === undefined) return 0;
    const row = this.#network.bytes[task]!;
    const isEqual = this.#network.bytes[before]!.every((bytes, rack) => bytes === row[rack]);
    return isEqual ? this.#placement[before]! : 0;
  }

  #cost(): number {
    const { down, up } = this.#network;
    let cost = 0;
    for (let rack = 0; rack < up.length; rack++) {
      const leaves = this.#leaving[rack]! / up[rack]!;
      cost = Math.max(cost, leaves, this.#arriving[rack]! / down[rack]!);
    }
    return cost;
  }

  #add(task: number, rack: number, sign: 1 | -1): void {
    const row = this.#network.bytes[task]!;
    for (let from = 0; from < row.length; from++) {
      if (from === rack) continue;
      this.#leaving[from] = this.#leaving[from]! + sign * row[from]!;
    }
    this.#arriving[rack] = this.#arriving[rack]! + sign * (this.#totals[task]! - row[rack]!);
  }
}
