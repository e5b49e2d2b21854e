import { expect, test } from "vitest";
import { defined } from "../../src/base/assert.ts";
import { integer, nextFloat, pick, type RandomState, randomState } from "../../src/base/random.ts";
import { parseScenario } from "../../src/hosts/sim/parse-scenario.ts";
import type { SimulationResult } from "../../src/hosts/sim/result.ts";
import type { Scenario } from "../../src/hosts/sim/scenario.ts";
import { simulateOnce } from "../../src/hosts/sim/simulate-once.ts";
import type { Fault } from "../../src/model/fault.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { Invariants } from "../../src/testing/invariants.ts";

const WORLDS = 60;
const NODES = 6;

const between = (state: RandomState, from: number, to: number) =>
  from + integer(state, to - from + 1);
const chance = (state: RandomState, probability: number) => nextFloat(state) < probability;

/** Small clusters and jobs of every kind, with every kind of trouble; node-0 is never killed. */
function randomScenario(seed: number): Scenario {
  const state = randomState(seed, "world");
  const fluid = chance(state, 0.5);
  const node = {
    name: "node",
    count: NODES,
    factor: { kind: "choice", values: [1, 1, 1.5, 4] },
    slots: { map: between(state, 1, 3), reduce: between(state, 1, 2) },
    ...(fluid ? { host: "machine", vmsPerHost: between(state, 1, 3) } : {}),
  };
  return parseScenario(
    {
      name: `world-${seed}`,
      cluster: {
        racks: ["r1", "r2"],
        nodes: [node],
        hosts: {
          machine: {
            cores: 4,
            disk: [
              { streams: 1, bytesPerMs: 60_000 },
              { streams: 4, bytesPerMs: 90_000 },
              { streams: 9, bytesPerMs: 40_000 },
            ],
            upBytesPerMs: 125_000,
            downBytesPerMs: 125_000,
          },
        },
        ...(fluid && chance(state, 0.5)
          ? { oversubscription: 2.5 }
          : { rackUpBytesPerMs: 200_000 }),
        linkSampleMs: pick(state, [0, 20_000]),
        heartbeatMs: pick(state, [0, 1_000, 3_000]),
        outOfBandHeartbeat: chance(state, 0.3),
        reportEveryMs: pick(state, [0, 3_000]),
      },
      jobs: [
        {
          name: "job",
          count: between(state, 1, 3),
          arrival: { atMs: between(state, 0, 5_000), gapMs: { kind: "exponential", mean: 20_000 } },
          phases: fluid ? fluidPhases(state) : fixedPhases(state),
        },
      ],
      faults: Array.from({ length: between(state, 0, 8) }, () => randomFault(state, fluid)),
      study: { disciplines: [{ discipline: "late" }] },
    },
    "random",
  );
}

function fixedPhases(state: RandomState) {
  const durationMs = { kind: "pareto", minimum: 5_000, shape: 1.3, maximum: 200_000 };
  const failureProbability = chance(state, 0.3) ? 0.05 : 0;
  const work = { kind: "fixed", durationMs, replicas: 2, drawnPerAttempt: chance(state, 0.5) };
  const stage = (name: string, share: number) => ({ name, share, steps: 2, stepMs: 4_000 });
  const stages = [stage("a", 0.3), stage("b", 0.7)];
  return [
    { name: "map", slots: ["map"], tasks: between(state, 1, 30), work, failureProbability },
    {
      name: "reduce",
      slots: ["reduce"],
      tasks: between(state, 1, 12),
      after: [{ phase: "map", start: pick(state, ["done", "pipelined", { fraction: 0.05 }]) }],
      work: { kind: "fixed", stages, drawnPerAttempt: true },
      failureProbability,
    },
  ];
}

function fluidPhases(state: RandomState) {
  const inputBytes = { kind: "uniform", from: 16e6, to: 128e6 };
  const fetch = { retryMs: 4_000, reportEveryFailures: 2 };
  return [
    {
      name: "map",
      slots: ["map"],
      tasks: between(state, 1, 20),
      work: { kind: "map", inputBytes, replicas: 3, cpuBytesPerMs: 10_000 },
    },
    {
      name: "reduce",
      slots: ["reduce"],
      tasks: between(state, 1, 8),
      after: [{ phase: "map", start: { fraction: 0.05 } }],
      work: {
        kind: "reduce",
        cpuBytesPerMs: 20_000,
        outputReplicas: between(state, 1, 3),
        fetch,
      },
      failureProbability: chance(state, 0.2) ? 0.05 : 0,
    },
  ];
}

function randomFault(state: RandomState, fluid: boolean) {
  const at = between(state, 0, 120_000);
  const node = `node-${between(state, 1, NODES - 1)}`;
  const one = { at, node };
  const some = { at, node: "node-*", pick: between(state, 1, 3) };
  const again = {
    everyMs: { kind: "exponential", mean: between(state, 1_000, 60_000) },
    until: at + 200_000,
  };
  const back = pick(state, [{}, { backAfterMs: between(state, 500, 30_000) }, LATE_BACK]);
  const factor = pick(state, [5, { kind: "lognormal", median: 2, sigma: 0.5 }]);
  const [processes, writers] = [between(state, 0, 6), between(state, 1, 4)];
  const whole = {
    slow: [
      { ...one, factor },
      { ...some, factor, ...again },
    ],
    pause: [
      { ...one, forMs: between(state, 500, 30_000) },
      { ...one, forMs: 900_000 },
    ],
    kill: [
      { ...one, ...back },
      { ...one, what: pick(state, ["reboot", "tracker"]), ...back },
    ],
    stress: [{ ...one, factor: 3, onMs: 5_000, offMs: 9_000, until: at + 60_000 }],
    "lose-outputs": [one, { ...some, share: 0.2, ...again }],
    evict: [
      { ...one, count: 2 },
      { ...some, share: 0.5, ...again },
    ],
    "fill-disk": [{ ...one, forMs: 10_000 }],
  } satisfies Readonly<Record<Exclude<FaultKind, Flowing>, object>>;
  if (!fluid) return pick(state, faultsOf(whole));
  const flowing = {
    load: [
      { ...one, processes, writers },
      { ...some, processes, writers, forMs: 5_000, everyMs: 12_000 },
    ],
    congestion: [{ at, rack: "r*", share: { kind: "uniform", from: 0, to: 1 }, ...again }],
  } satisfies Readonly<Record<Flowing, object>>;
  return pick(state, [...faultsOf(whole), ...faultsOf(flowing)]);
}

type FaultKind = Fault["kind"];
/** Only where resources are shared. */
type Flowing = "load" | "congestion";

const faultsOf = (kinds: Readonly<Record<string, readonly object[]>>) =>
  Object.entries(kinds).flatMap(([kind, faults]) => faults.map((fault) => ({ kind, ...fault })));

const LATE_BACK = { backAfterMs: 900_000 };

const REACHED = [
  "node-silent",
  "node-heard",
  "node-joined",
  "attempt-progressed",
  "attempt-failed",
  "attempt-killed",
  "fetch-failed",
  "output-lost",
  "links-sampled",
  "kill",
  "recompute",
  "declare-lost",
  "end-job",
];

/** The events and actions of all worlds. */
const seen = new Set<string>();

function run(scenario: Scenario, seed: number, discipline: string): SimulationResult {
  let check: Invariants | undefined;
  const result = simulateOnce(scenario, {
    seed,
    discipline: parseDiscipline(discipline),
    onStart: ({ setup, view }) => {
      check = new Invariants(setup, view, { explains: false });
    },
    onStep: (event, actions) => {
      seen.add(event.kind);
      for (const { kind } of actions) seen.add(kind);
      defined(check, "a start").check(event, actions);
    },
  });
  defined(check, "a start").end();
  return result;
}

test("in every world every job ends, every task once, and the scheduler's invariants hold", () => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const scenario = randomScenario(seed);
    for (const discipline of ["late", "hadoop,sharing=fifo-plain"]) {
      const said = `world ${seed} under ${discipline}`;
      const result = run(scenario, seed, discipline);
      expect(result.unfinished, said).toEqual([]);
      const { launched, succeeded, failed, killed, lost } = total(result);
      expect(succeeded + failed + killed + lost, said).toBe(launched);
      const allSucceeded = result.jobs.every(({ outcome }) => outcome === "succeeded");
      if (allSucceeded) expect(succeeded, said).toBeGreaterThanOrEqual(result.tasks);
    }
  }
  // The worlds are useful only if every kind of trouble occurs.
  expect([...seen]).toEqual(expect.arrayContaining(REACHED));
});

test("the same seed gives the same run, to the last event", () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const scenario = randomScenario(seed);
    const once = JSON.stringify(recorded(scenario, seed));
    expect(JSON.stringify(recorded(scenario, seed))).toBe(once);
  }
});

function recorded(scenario: Scenario, seed: number): unknown[] {
  const steps: unknown[] = [];
  simulateOnce(scenario, {
    seed,
    discipline: parseDiscipline("late"),
    onStep: (event, actions) => steps.push([event, actions]),
  });
  return steps;
}

function total({ attempts }: SimulationResult) {
  const sums = { launched: 0, succeeded: 0, failed: 0, killed: 0, lost: 0 };
  for (const counts of Object.values(attempts)) {
    sums.launched += counts.launched;
    sums.succeeded += counts.succeeded;
    sums.failed += counts.failed;
    sums.killed += counts.killed;
    sums.lost += counts.lost;
  }
  return sums;
}
