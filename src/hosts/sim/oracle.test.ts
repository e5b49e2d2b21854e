import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClusterEvent } from "../../model/event.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { withOracle } from "./oracle.ts";
import { type OracleRack, shuffleLowerBoundMs } from "./oracles.ts";
import { parseScenario } from "./parse-scenario.ts";
import { simulateOnce } from "./simulate-once.ts";
import { runStudy } from "./study.ts";

const MAP = { kind: "map", inputBytes: 60_000_000, replicas: 3, cpuBytesPerMs: 10_000 };
const LOSSES = {
  kind: "lose-outputs",
  at: 5_000,
  node: "node-*",
  share: 0.5,
  everyMs: 4_000,
  until: 60_000,
};
const CONGESTION = {
  kind: "congestion",
  at: 1_234,
  rack: "r1",
  share: { kind: "uniform", from: 0.1, to: 0.9 },
  everyMs: 1_000,
};

/** A sort on two racks, under faults; each row of the study has an oracle or none. */
const scenarioOf = (faults: readonly object[], oracles: readonly (string | undefined)[]) =>
  parseScenario(
    {
      name: "oracle",
      cluster: {
        racks: ["r1", "r2"],
        nodes: [{ name: "node", count: 4, slots: { map: 2, reduce: 1 }, host: "machine" }],
        hosts: {
          machine: { cores: 4, disk: 60_000, upBytesPerMs: 60_000, downBytesPerMs: 60_000 },
        },
        oversubscription: 2,
        linkSampleMs: 30_000,
      },
      jobs: [
        {
          name: "sort",
          phases: [
            { name: "map", slots: ["map"], tasks: 24, work: MAP },
            {
              name: "reduce",
              slots: ["reduce"],
              tasks: 4,
              after: [{ phase: "map", start: { fraction: 0.05 } }],
              work: { kind: "reduce" },
            },
          ],
        },
      ],
      faults,
      study: {
        seeds: 2,
        disciplines: oracles.map((oracle) => {
          return { discipline: "none", ...(oracle === undefined ? {} : { oracle }) };
        }),
      },
    },
    "oracle.json",
  );

const resolve = (discipline: string) => parseDiscipline(discipline);

describe("ideal-recompute", () => {
  const slow = { kind: "slow", at: 0, node: "node-1", factor: 2 };

  test("runs as if nothing were lost, with everything else unchanged", () => {
    const rows = runStudy(scenarioOf([LOSSES, slow], [undefined, "ideal-recompute"]), { resolve });
    const whole = runStudy(scenarioOf([slow], [undefined]), { resolve });
    const [lossy, ideal] = rows;
    expect(ideal?.responseMs).toEqual(whole[0]?.responseMs);
    expect(lossy?.responseMs.mean ?? 0).toBeGreaterThan(ideal?.responseMs.mean ?? Infinity);
    expect(rows.map(({ label }) => label)).toEqual(["none", "none, ideal-recompute"]);
  });

  test("an unknown oracle is refused", () => {
    expect(() => scenarioOf([], ["delphi"])).toThrow(
      'disciplines[0].oracle: expected one of "ideal-recompute", "ideal-reduce", found "delphi"',
    );
  });
});

test("ideal-reduce: the scheduler learns of each change of the links at once", () => {
  const scenario = scenarioOf([CONGESTION], [undefined]);
  const samples = (oracle: "ideal-reduce" | undefined): number[] => {
    const events: ClusterEvent[] = [];
    simulateOnce(withOracle(scenario, oracle), {
      seed: 1,
      discipline: parseDiscipline("none"),
      onStep: (event) => events.push(event),
    });
    return events.flatMap(({ kind, at }) => (kind === "links-sampled" && at > 0 ? [at] : []));
  };
  expect(samples(undefined).every((at) => at % 30_000 === 0)).toBe(true);
  const ideal = samples("ideal-reduce");
  expect(ideal.slice(0, 3)).toEqual([1_234, 2_234, 3_234]);
  expect(ideal.length).toBeGreaterThan(samples(undefined).length);
});

describe("the lower bound of a shuffle", () => {
  const rack = (outputBytes: number, perMs: number): OracleRack => ({
    outputBytes,
    upBytesPerMs: perMs,
    downBytesPerMs: perMs,
  });

  test("is 0 where all outputs lie in one rack, or links have no limit", () => {
    expect(shuffleLowerBoundMs([rack(100, 1), rack(0, 1)])).toBe(0);
    expect(shuffleLowerBoundMs([rack(100, Infinity), rack(50, Infinity)])).toBeCloseTo(0, 6);
  });

  test("of two equal racks is the time of half of each rack's output over its link", () => {
    expect(shuffleLowerBoundMs([rack(100, 1), rack(100, 1)])).toBeCloseTo(50, 5);
  });

  test("puts the reduces where the uplink is narrow, so that less has to pass it", () => {
    // With 4/5 of the reduces in the first rack, 20 leave it at 1 per ms, and 80 leave the other at
    // 4.
    const narrow = { ...rack(100, 100), upBytesPerMs: 1 };
    const wide = { ...rack(100, 100), upBytesPerMs: 4 };
    expect(shuffleLowerBoundMs([narrow, wide])).toBeCloseTo(20, 5);
  });

  test("no placement of whole reduces beats it", () => {
    const racks = fc.array(
      fc.record({
        outputBytes: fc.integer({ min: 0, max: 1_000 }),
        upBytesPerMs: fc.integer({ min: 1, max: 50 }),
        downBytesPerMs: fc.integer({ min: 1, max: 50 }),
      }),
      { minLength: 2, maxLength: 3 },
    );
    const reduces = fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(racks, reduces, (of, placed) => {
        const all = of.reduce((sum, { outputBytes }) => sum + outputBytes, 0);
        const times = of.map(({ outputBytes, upBytesPerMs, downBytesPerMs }, index) => {
          const here = placed.filter((place) => place % of.length === index).length;
          const share = here / placed.length;
          const up = (outputBytes * (1 - share)) / upBytesPerMs;
          const down = ((all - outputBytes) * share) / downBytesPerMs;
          return Math.max(up, down);
        });
        expect(shuffleLowerBoundMs(of)).toBeLessThanOrEqual(Math.max(...times) * (1 + 1e-6) + 1e-9);
      }),
    );
  });
});
