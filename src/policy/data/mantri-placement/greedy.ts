import { isClearlyBelow } from "../../../base/clearly-below.ts";
import { mostFirst } from "../../../base/on-paper.ts";
import { Loads, type Network, type Placement } from "./loads.ts";

/** The most moves and swaps that are evaluated for one phase; bounds the time of the search. */
const WEIGHED_MAX = 2_000_000;

/**
 * §5.2's greedy local search. It places the largest tasks first, each where the fewest bytes come
 * in. Then, as long as that relieves the rack with the busiest link, it moves one task to or from
 * that rack, or swaps two tasks.
 */
export function placeGreedily(network: Network): Placement {
  const loads = new Loads(network, firstPlacement(network));
  const limit = { weighed: 0 };
  for (;;) {
    const step = bestStep(loads, limit);
    if (step === undefined || limit.weighed > WEIGHED_MAX) return loads.placement;
    for (const { task, to } of step.moves) loads.move(task, to);
  }
}

function firstPlacement({ bytes, down }: Network): Placement {
  const totals = bytes.map((row) => row.reduce((sum, one) => sum + one, 0));
  const tasks = bytes.map((_, task) => task);
  tasks.sort(
    mostFirst(
      (task: number) => totals[task]!,
      (task) => task,
    ),
  );
  const arriving = down.map(() => 0);
  const placement = bytes.map(() => 0);
  for (const task of tasks) {
    let best = { rack: 0, bytes: 0, cost: Number.POSITIVE_INFINITY };
    for (const [rack, here] of bytes[task]!.entries()) {
      const arrived = arriving[rack]! + totals[task]! - here;
      const cost = arrived / down[rack]!;
      if (isClearlyBelow(cost, best.cost)) best = { rack, bytes: arrived, cost };
    }
    placement[task] = best.rack;
    arriving[best.rack] = best.bytes;
  }
  return placement;
}

interface Step {
  /** The larger cost of the two racks that the step touches. */
  readonly cost: number;
  readonly moves: readonly { readonly task: number; readonly to: number }[];
}

/** The best step that leaves both touched racks cheaper than the costlier of them was. */
function bestStep(loads: Loads, limit: { weighed: number }): Step | undefined {
  const worst = loads.slowest();
  let best: Step | undefined;
  const weigh = (cost: number, moves: () => Step["moves"]): void => {
    limit.weighed++;
    if (isClearlyBelow(cost, best?.cost ?? worst.cost)) best = { cost, moves: moves() };
  };
  const { placement } = loads;
  for (const [task, from] of placement.entries()) {
    if (from !== worst.rack) {
      const cost = Math.max(loads.costIf(from, task, -1), loads.costIf(worst.rack, task, 1));
      weigh(cost, () => [{ task, to: worst.rack }]);
      continue;
    }
    const left = loads.costIf(from, task, -1);
    for (let to = 0; to < loads.network.up.length; to++) {
      if (to === from) continue;
      weigh(Math.max(left, loads.costIf(to, task, 1)), () => [{ task, to }]);
    }
    weighSwaps(loads, task, weigh);
    if (limit.weighed > WEIGHED_MAX) break;
  }
  return best;
}

function weighSwaps(
  loads: Loads,
  task: number,
  weigh: (cost: number, moves: () => Step["moves"]) => void,
): void {
  const { placement } = loads;
  const from = placement[task]!;
  for (const [other, to] of placement.entries()) {
    if (to === from) continue;
    const cost = Math.max(
      loads.costIfSwapped(from, other, task),
      loads.costIfSwapped(to, task, other),
    );
    weigh(cost, () => [
      { task, to },
      { task: other, to: from },
    ]);
  }
}
