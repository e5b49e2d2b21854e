import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDiscipline } from "../../policy/discipline.ts";
import { responseLowerBoundMs } from "./lower-bound.ts";
import { parseScenario } from "./parse-scenario.ts";
import { simulateOnce } from "./simulate-once.ts";
import { meanResponseMs } from "./study.ts";

const NODES = [
  { name: "fast", count: 2, slots: { map: 1, reduce: 1 } },
  { name: "slow", factor: 3, slots: { map: 1, reduce: 1 } },
];
const fixed = (durationMs: unknown, more: object = {}) => ({ kind: "fixed", durationMs, ...more });
const maps = (tasks: number, work: object, more: object = {}) => ({
  name: "map",
  slots: ["map"],
  tasks,
  work,
  ...more,
});
const reduces = (start: unknown) => ({
  name: "reduce",
  slots: ["reduce"],
  tasks: 2,
  after: [{ phase: "map", start }],
  work: fixed(10_000),
});

interface Options {
  readonly count?: number;
  readonly faults?: readonly object[];
  readonly nodes?: readonly object[];
}

const scenarioOf = (
  phases: readonly object[],
  { count = 1, faults = [], nodes = NODES }: Options = {},
) =>
  parseScenario(
    {
      name: "bound",
      cluster: { nodes, heartbeatMs: 0 },
      jobs: [{ name: "job", count, arrival: { gapMs: 1_000 }, phases }],
      faults,
      study: { disciplines: [{ discipline: "none" }] },
    },
    "bound.json",
  );

describe("the lower bound of the mean response", () => {
  test("is the time of whole tasks on the fastest slots", () => {
    // Shared out evenly, 50 s of work would take 21.4 s; but no slot ends a third task before 30 s.
    expect(responseLowerBoundMs(scenarioOf([maps(5, fixed(10_000))]), 1)).toBe(30_000);
  });

  test("adds up phases that wait for one another, but not phases that overlap", () => {
    const of = (start: unknown) =>
      responseLowerBoundMs(scenarioOf([maps(2, fixed(40_000)), reduces(start)]), 1);
    expect(of("done")).toBe(50_000);
    expect(of({ fraction: 0.05 })).toBe(40_000);
  });

  test("ignores a slow node's speed where it does not count", () => {
    const work = fixed(10_000, { slowedByNode: false });
    expect(responseLowerBoundMs(scenarioOf([maps(3, work)]), 1)).toBe(10_000);
  });

  test("gives each job the cluster for itself", () => {
    expect(responseLowerBoundMs(scenarioOf([maps(2, fixed(10_000))], { count: 9 }), 1)).toBe(
      10_000,
    );
  });

  test("is unknown where an attempt may be lucky or fail, or a node may become faster", () => {
    const at = { at: 0, node: "slow" };
    const worlds = [
      scenarioOf([maps(2, fixed({ kind: "uniform", from: 1, to: 9 }, { drawnPerAttempt: true }))]),
      scenarioOf([maps(2, fixed(10_000), { failureProbability: 0.1 })]),
      scenarioOf([maps(2, fixed(10_000))], { faults: [{ kind: "slow", factor: 0.5, ...at }] }),
    ];
    for (const world of worlds) expect(responseLowerBoundMs(world, 1)).toBeUndefined();
  });

  test("holds under every discipline and seed", () => {
    const chance = fc.oneof(
      fc.integer({ min: 1_000, max: 60_000 }),
      fc.constant({ kind: "uniform", from: 1_000, to: 60_000 }),
    );
    const world = fc.record({
      durations: fc.tuple(chance, chance),
      tasks: fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 4 })),
      start: fc.constantFrom("done", { fraction: 0.5 }),
      factors: fc.array(fc.constantFrom(1, 1.5, 4), { minLength: 1, maxLength: 4 }),
      discipline: fc.constantFrom("none", "late", "mapreduce", "mantri", "yarn", "flink"),
      seed: fc.nat({ max: 1_000 }),
    });
    fc.assert(
      fc.property(world, ({ durations, tasks, start, factors, discipline, seed }) => {
        const nodes = factors.map((factor, i) => {
          return { name: `n${i}`, factor, slots: { map: 2, reduce: 1 } };
        });
        const phases = [
          maps(tasks[0], fixed(durations[0])),
          { ...reduces(start), tasks: tasks[1], work: fixed(durations[1]) },
        ];
        const scenario = scenarioOf(phases, { count: 2, nodes });
        const result = simulateOnce(scenario, { seed, discipline: parseDiscipline(discipline) });
        const bound = responseLowerBoundMs(scenario, seed) ?? Number.NaN;
        expect(meanResponseMs(result)).toBeGreaterThanOrEqual(bound * (1 - 1e-9));
      }),
      { numRuns: 60 },
    );
  });
});
