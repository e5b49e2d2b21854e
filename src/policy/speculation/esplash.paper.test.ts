import { describe, expect, test } from "vitest";
import { type Run, steadily } from "../../../test/support/curves.ts";
import { type Launch, World, type WorldOptions } from "../../../test/support/world.ts";
import { nextFloat, randomState } from "../../base/random.ts";
import { nodeId } from "../../model/ids.ts";
import { defaultsOf } from "../policy.ts";
import { groupVectors, type PerformanceVector } from "./esplash/grouping.ts";
import { clusterGroups, type TaskCluster } from "./esplash/k-means.ts";
import { esplash } from "./esplash.ts";

const SECOND = 1000;

describe("§IV-A, Figure 2: 80 nodes of 4 types, 20 each, by the map times of two jobs", () => {
  /** Map times of WordCount and TeraSort by type, fastest first; the slowest spreads the most. */
  const TYPES = [
    { wordCount: 20, teraSort: 24 },
    { wordCount: 28, teraSort: 34 },
    { wordCount: 60, teraSort: 75 },
    { wordCount: 150, teraSort: 190 },
  ];
  const SPREAD = 0.14;

  function measure(seed: number): readonly PerformanceVector[] {
    const chance = randomState(seed);
    const drawn = (ms: number) => ms * (1 + SPREAD * (2 * nextFloat(chance) - 1));
    return Array.from({ length: 80 }, (_, index) => {
      const { wordCount, teraSort } = TYPES[Math.floor(index / 20)]!;
      return { node: nodeId(index), times: [drawn(wordCount), drawn(teraSort)] };
    });
  }

  const chanceOf = (seed: number) => {
    const state = randomState(seed, "centres");
    return { random: () => nextFloat(state) };
  };

  /** The types in each cluster, the fastest cluster first. */
  const typesIn = (clusters: readonly TaskCluster[]): readonly string[] =>
    [...clusters]
      .sort((a, b) => a.center[0]! - b.center[0]!)
      .map(({ members }) => [...new Set(members.map(({ node }) => Math.floor(node / 20)))].join());

  test.each([1, 2, 3, 4, 5])("groups, then k-means by vote, recover the types (%d)", (seed) => {
    const groups = groupVectors(measure(seed));
    // A node that is slower, or faster, than all others of its type in both is a group of its own.
    expect(groups.length).toBeLessThan(8);
    const found = clusterGroups(groups, defaultsOf(esplash), chanceOf(seed));
    expect(typesIn(found)).toEqual(["0", "1", "2", "3"]);
    expect(found.map(({ members }) => members.length)).toEqual([20, 20, 20, 20]);
  });

  test.each([1, 2, 3, 4, 5])("plain k-means, with the best of 50 starts, does not (%d)", (seed) => {
    const alone = measure(seed).map((one) => ({ members: [one], min: one.times, max: one.times }));
    const found = clusterGroups(alone, { k: 4, starts: 50 }, chanceOf(seed));
    expect(typesIn(found)).toEqual(["0,1", "2", "3", "3"]);
  });
});

/** Two nodes of level 1, and two of level 2 that are twice as fast; runs by task and node. */
function testbed(runs: (launch: Launch) => Run | undefined, options: WorldOptions = {}): World {
  const { sets = [], ...rest } = options;
  return new World({
    discipline: "esplash",
    slotKinds: ["container"],
    slots: [1],
    nodes: 4,
    sets: [
      "speculation.levels=n1:1,n2:1,n3:2,n4:2",
      "speculation.epochMs=10000",
      "speculation.deviationMin=0.1",
      ...sets,
    ],
    runs: (launch) => {
      const isFast = launch.node === "n3" || launch.node === "n4";
      return runs(launch) ?? steadily((isFast ? 20 : 40) * SECOND);
    },
    ...rest,
  });
}

const maps = (tasks: number) => ({ phases: [{ name: "map", tasks, slots: ["container"] }] });

/** A tenth in 4 s, like the others of its level, and the rest in the given seconds. */
const slowed = (rest: number): Run => ({
  pieces: [
    { forMs: 4 * SECOND, toScore: 0.1 },
    { forMs: rest * SECOND, toScore: 1 },
  ],
  end: "succeeded",
});

/** The latest numbers in a why with the rule. */
function told(world: World, rule: string): Record<string, unknown> | undefined {
  const found = world.actions.findLast(({ action }) => "why" in action && action.why.rule === rule);
  return found !== undefined && "why" in found.action ? found.action.why.numbers : undefined;
}

describe("§IV-B, the straggler value", () => {
  // Two maps run on level 1 from 40 s on; map 6 on n1 is slowed to 0.9 in 400 s after 4 s.
  const runs = ({ task, as }: Launch) =>
    task.index === 6 && as === "original" ? slowed(400) : undefined;
  // From 40 to 50 s: map 6 gains 0.1 + 6 x 0.9 / 400 = 0.1135, map 7 0.25: PR = 0.18175.
  const RATE = 0.18175 / 0.1135;
  // Map 6 has 0.1135 after 10 s: EstT = 88.1 s; mean 40 s, deviation 0.1 x 40 s at the least.
  const TIME = (10 / 0.1135 - 40) / 4;
  const tau = "speculation.tau=1000";
  const all = "speculation.othersOnly=false";

  const highest = (sets: readonly string[], until = 50): number => {
    const world = testbed(runs, { sets: [tau, all, ...sets] });
    world.submit(maps(8));
    world.advance(until * SECOND);
    return Number(told(world, "no-straggler-node")?.highest);
  };

  test("is the excess of EstT in deviations, and the level's progress over the task's", () => {
    expect(highest([])).toBeCloseTo(TIME + RATE, 9);
  });

  test("weighs its two terms", () => {
    expect(highest(["speculation.timeCoefficient=0"])).toBeCloseTo(RATE, 9);
    expect(highest(["speculation.rateCoefficient=0"])).toBeCloseTo(TIME, 9);
    expect(highest(["speculation.timeCoefficient=2", "speculation.rateCoefficient=3"])).toBeCloseTo(
      2 * TIME + 3 * RATE,
      9,
    );
  });

  test("may compare with the progress on only the other nodes of the level", () => {
    const others = "speculation.othersOnly=true";
    expect(highest([others])).toBeCloseTo(TIME + 0.25 / 0.1135, 9);
    // Alone with its type on its level, a node is compared with itself.
    const alone = testbed(runs, { sets: [tau, others, "speculation.levels=n1:1,n2:3,n3:2,n4:2"] });
    alone.submit(maps(8));
    alone.advance(50 * SECOND);
    expect(told(alone, "no-straggler-node")?.highest).toBeCloseTo(TIME + 1, 9);
  });

  test("as printed only grows: each epoch adds to it, by what runs", () => {
    const running = "speculation.judgesFinished=false";
    const printed = [running, "speculation.accumulates=true"];
    // From 50 to 60 s: map 6 gains 0.0225, map 7 0.25; EstT = 20 s / 0.136.
    const more = (20 / 0.136 - 40) / 4 + 0.13625 / 0.0225;
    expect(highest([running], 60)).toBeCloseTo(more, 9);
    // From 0 to 40 s the node was like its level: 1 in each of the first three epochs that it ran
    // through, and 0 in the epoch in which its task ended.
    const early = highest(printed, 30);
    expect(early).toBe(3);
    expect(highest(printed, 60)).toBeCloseTo(early + TIME + RATE + more, 9);
  });

  test("a task that is stuck where others move makes its node an infinite straggler", () => {
    const stuck = ({ task }: Launch): Run | undefined =>
      task.index === 6
        ? { pieces: [{ forMs: 36 * SECOND, toScore: 0.9 }], end: "never" }
        : undefined;
    const world = testbed(stuck, { sets: ["speculation.timeCoefficient=0"] });
    // From 80 s on, n2 runs another map, and gains 0.25 in the epoch in which n1 gains nothing.
    world.submit(maps(15));
    world.advance(89 * SECOND);
    expect(told(world, "no-straggler-node")?.highest).toBeLessThan(2);
    expect(told(world, "no-gain")).toBeUndefined();
    // EstEnd is as near as before, so a copy is not worthwhile yet.
    world.advance(90 * SECOND);
    expect(told(world, "no-gain")).toMatchObject({ minLevel: 2, expectedMs: 20 * SECOND });
  });
});

const isSlow = ({ task, as }: Launch, tasks: readonly number[]): boolean =>
  as === "original" && tasks.includes(task.index);

const requests = (world: World) =>
  world.actions.flatMap(({ at, action }) =>
    action.kind === "request"
      ? [{ at: at / SECOND, index: world.view.task(action.task).index }]
      : [],
  );

describe("§IV-C, requests", () => {
  test("equation 1, and the value: C(m) (EstEnd - now - EstT(m)) over all containers", () => {
    const world = testbed((launch) => (isSlow(launch, [6]) ? slowed(400) : undefined));
    world.submit(maps(8));
    world.advance(50 * SECOND);
    // Map 6 has 0.1135 after 10 s: EstEnd is 88.1 s after its start.
    const timeLeftMs = 10 * SECOND * (1 / 0.1135 - 1);
    const numbers = told(world, "straggler-node");
    expect(numbers?.timeLeftMs).toBeCloseTo(timeLeftMs, 6);
    // n1 is a straggler and cannot host copies: three containers are left, two of them on level 2.
    expect(numbers?.valueMs).toBeCloseTo((2 * (timeLeftMs - 20 * SECOND)) / 3, 6);
    expect(numbers).toMatchObject({ minLevel: 2, expectedMs: 20 * SECOND });
    expect(world.copies()).toEqual(["map/6 n3"]);
  });

  test("one request at a time, with the highest value; the next look is 15 s later", () => {
    // Two containers per node; maps 12 and 13 are slowed on n1, 13 the most.
    const world = testbed(
      (launch) => {
        if (!isSlow(launch, [12, 13])) return undefined;
        return slowed(launch.task.index === 13 ? 900 : 400);
      },
      { slots: [2], sets: ["speculation.tau=4"] },
    );
    world.submit(maps(16));
    world.advance(80 * SECOND);
    const made = requests(world);
    expect(made.map(({ index }) => index)).toEqual([13, 12]);
    expect((made[1]?.at ?? 0) - (made[0]?.at ?? 0)).toBe(15);
  });
});
