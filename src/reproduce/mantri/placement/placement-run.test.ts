import { describe, expect, test } from "vitest";
import type { Chance } from "../../../base/chance.ts";
import { randomState } from "../../../base/random.ts";
import { simulateOnce } from "../../../hosts/sim/simulate-once.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import type { NetworkModel } from "./network.ts";
import { runPlacement } from "./placement-run.ts";
import { reduceScenario } from "./reduce-scenario.ts";

const NONE = parseDiscipline("none,sharing=fifo-plain");
const PLACED = parseDiscipline("mantri-placement");

const network: NetworkModel = {
  racks: 4,
  nodesPerRack: 2,
  nodeBytesPerMs: 125_000,
  rackBytesPerMs: 100_000,
  othersUpShare: 0,
  othersDownShare: 0,
  othersMs: 60_000,
  linkSampleMs: 10_000,
  freeSlotsPerTask: 16,
  freeSlotsOfRack: { kind: "choice", values: [1, 1, 12] },
};
const reduces = { name: "reduce", bytes: new Array<number>(8).fill(1e9) };
const scenario = (seed: number, of: Partial<NetworkModel> = {}) =>
  reduceScenario({ ...network, ...of }, reduces, { chance: randomState(seed, "network") });

describe("reduces on a network between racks", () => {
  test("are spread evenly by placement, and end no later than with placement by free slots", () => {
    let sooner = 0;
    for (let seed = 1; seed <= 6; seed += 1) {
      const plain = runPlacement(scenario(seed), { discipline: NONE, seed });
      const placed = runPlacement(scenario(seed), { discipline: PLACED, seed });
      expect(placed.spread).toBe(2);
      expect(placed.spread).toBeLessThanOrEqual(plain.spread);
      expect(placed.phaseMs).toBeLessThanOrEqual(plain.phaseMs * 1.01);
      if (placed.phaseMs < plain.phaseMs * 0.99) sooner += 1;
    }
    expect(sooner).toBeGreaterThan(0);
  });

  test("take at least as long as their racks' links need", () => {
    const { phaseMs } = runPlacement(scenario(1), { discipline: PLACED, seed: 1 });
    // Two tasks of 1 GB in each of four racks, three quarters of it from other racks.
    expect(phaseMs).toBeGreaterThan(0.97 * ((2 * 0.75 * 1e9) / 100_000));
    expect(phaseMs).toBeLessThan(1.05 * ((2 * 0.75 * 1e9) / 100_000));
  });

  test("are placed by links that were measured under other traffic", () => {
    const othersDownShare: Chance = { kind: "uniform", from: 0.1, to: 0.9 };
    const busy = scenario(1, { linkSampleMs: 60_000, othersDownShare });
    const sampled: number[] = [];
    let placedAfter: number | undefined;
    simulateOnce(busy, {
      seed: 1,
      discipline: PLACED,
      onStep: (event, actions) => {
        if (event.kind === "links-sampled") sampled.push(event.downBytesPerMs);
        if (actions.some(({ kind }) => kind === "prefer")) placedAfter ??= sampled.length;
      },
    });
    const latest = sampled.slice(0, placedAfter).slice(-network.racks);
    expect(latest).toHaveLength(network.racks);
    expect(Math.max(...latest)).toBeLessThan(network.rackBytesPerMs);
  });

  test("are twice as slow where others take half of every link", () => {
    const free = runPlacement(scenario(1), { discipline: PLACED, seed: 1 });
    const busy = runPlacement(scenario(1, { othersUpShare: 0.5, othersDownShare: 0.5 }), {
      discipline: PLACED,
      seed: 1,
    });
    expect(busy.phaseMs / free.phaseMs).toBeCloseTo(2, 1);
  });
});
