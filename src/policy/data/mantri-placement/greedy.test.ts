import { expect, test } from "vitest";
import { placeGreedily } from "./greedy.ts";
import type { Network } from "./loads.ts";

/**
 * The first placement puts `away` tasks on the first rack, whose downlink is fast, though the
 * second has some of their data; `home` tasks have all of theirs on the second. The uplink of the
 * second is then the busiest link, and any task that comes there relieves it. A first round weighs
 * each of the `away` tasks once, and each of the `home` tasks on every other rack and in a swap
 * with each task that is elsewhere.
 */
function crowded(of: { readonly away: number; readonly home: number; readonly racks: number }) {
  const none = new Array<number>(of.racks - 2).fill(0);
  const network: Network = {
    bytes: [
      ...Array.from({ length: of.away }, () => [60, 40, ...none]),
      ...Array.from({ length: of.home }, () => [0, 1, ...none]),
    ],
    up: [1e9, 1, ...none.map(() => 1e9)],
    down: [1e9, 1, ...none.map(() => 1)],
  };
  const weighed = of.away + of.home * (of.racks - 1 + of.away);
  const atFirst = [...Array.from({ length: of.away }, () => 0), ...Array(of.home).fill(1)];
  return { network, weighed, atFirst };
}

test("a round that weighs two million steps is the last but one: its best step is taken", () => {
  const { network, weighed, atFirst } = crowded({ away: 9_899, home: 201, racks: 3 });
  expect(weighed).toBe(2_000_000);
  const placed = placeGreedily(network);
  expect(placed.filter((rack, task) => rack !== atFirst[task])).toHaveLength(1);
});

test("a round that weighs more is the last, and its steps are not taken", () => {
  const { network, weighed, atFirst } = crowded({ away: 9_900, home: 201, racks: 2 });
  expect(weighed).toBe(2_000_001);
  expect(placeGreedily(network)).toEqual(atFirst);
});
