import { describe, expect, test } from "vitest";
import { integer, nextFloat, pick, randomState } from "../../base/random.ts";
import type { ClusterEvent } from "../../model/event.ts";
import { curveOf } from "../../model/progress.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { REGISTRY } from "../../policy/registry.ts";
import { FixedRun } from "./fixed-run.ts";
import { parseScenario } from "./parse-scenario.ts";
import { simulateOnce } from "./simulate-once.ts";

const SECOND = 1_000;

/** Attempts that start up for some seconds and then read for some seconds; one node may be slow. */
function worldOf(seed: number, slowFactor: number) {
  const state = randomState(seed, "start-up");
  const nodes = integer(state, 5) + 3;
  const uniform = (from: number, to: number) => ({ kind: "uniform", from, to });
  const startMs = (2 + 6 * nextFloat(state)) * SECOND;
  const readMs = (5 + 25 * nextFloat(state)) * SECOND;
  const healthy = { name: "n", count: nodes, slots: { map: integer(state, 3) + 1 } };
  const slow = { name: "slow", slots: { map: 2 }, factor: slowFactor };
  return {
    name: "start-up",
    cluster: {
      nodes: slowFactor > 1 ? [healthy, slow] : [healthy],
      heartbeatMs: pick(state, [0, SECOND]),
      reportEveryMs: pick(state, [0, SECOND, 3 * SECOND]),
    },
    jobs: [
      {
        name: "job",
        phases: [
          {
            name: "map",
            slots: ["map"],
            tasks: 4 * nodes + integer(state, 20),
            work: {
              kind: "fixed",
              durationMs: uniform(readMs * 0.9, readMs * 1.1),
              startMs: uniform(startMs * 0.7, startMs * 1.3),
              drawnPerAttempt: true,
              inputBytes: pick(state, [0, 4_000_000]),
            },
          },
        ],
      },
    ],
    study: { disciplines: [{ discipline: "none" }] },
  };
}

/** The nodes on which a policy has killed an attempt whose task no copy had won. */
function killedOn(seed: number, slowFactor: number, discipline: string) {
  const scenario = parseScenario(worldOf(seed, slowFactor), "start-up");
  const nodes = new Map<number, string>();
  const runOn = new Map<number, number>();
  const killed: string[] = [];
  const onStep = (event: ClusterEvent, actions: Parameters<OnStep>[1]): void => {
    if (event.kind === "node-joined") nodes.set(event.node.id, event.node.name);
    for (const action of actions) {
      if (action.kind === "launch") runOn.set(action.attempt, action.node);
      if (action.kind !== "kill" || action.why.rule === "twin-succeeded") continue;
      killed.push(nodes.get(runOn.get(action.attempt) ?? -1) ?? "");
    }
  };
  simulateOnce(scenario, { seed, discipline: parseDiscipline(discipline), onStep });
  return killed;
}

type OnStep = NonNullable<Parameters<typeof simulateOnce>[1]["onStep"]>;

describe("an attempt that starts up first", () => {
  const profile = {
    totalMs: 100,
    steps: [
      { stage: 0, share: 0.4, score: 0 },
      { stage: 0, share: 0.6, score: 1 },
    ],
    startMs: 40,
    bytesRead: 600,
    slowedByNode: true,
  };

  test("neither scores nor reads meanwhile, and then proceeds at full speed", () => {
    const run = new FixedRun(profile, { failsAt: undefined, at: 10, speed: 0.5 });
    const [starts, reads] = curveOf(run.progress(0)).segments;
    expect(starts).toMatchObject({ from: 10, perMs: { score: 0, bytesRead: 0 } });
    expect(reads).toMatchObject({ from: 90, at: { score: 0, bytesRead: 0 } });
    expect(reads?.perMs).toMatchObject({ score: 1 / 120, bytesRead: 5 });
    expect(run.endsAt).toBe(210);
  });

  test("takes the start-up time in addition to its task's time", () => {
    const work = { kind: "fixed", durationMs: 1_000, startMs: 500 };
    const { makespanMs } = simulateOnce(
      parseScenario(
        {
          name: "one",
          cluster: { nodes: [{ name: "n", slots: { map: 1 }, factor: 2 }], heartbeatMs: 0 },
          jobs: [{ name: "job", phases: [{ name: "map", slots: ["map"], tasks: 1, work }] }],
          study: { disciplines: [{ discipline: "none" }] },
        },
        "one",
      ),
      { seed: 1, discipline: parseDiscipline("none") },
    );
    expect(makespanMs).toBe(3_000);
  });
});

const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);

test("no policy kills a healthy attempt for its start-up", () => {
  for (const { name } of REGISTRY.disciplines) {
    for (const seed of name === "mantri-restart" ? SEEDS : SEEDS.slice(0, 1)) {
      expect([name, seed, killedOn(seed, 1, name)]).toEqual([name, seed, []]);
    }
  }
});

test("on a slow node, which also starts attempts slowly, Mantri's kills hit only that node", () => {
  const killed = SEEDS.slice(0, 8).flatMap((seed) => killedOn(seed, 6, "mantri-restart"));
  expect(killed.length).toBeGreaterThan(5);
  expect(new Set(killed)).toEqual(new Set(["slow"]));
});
