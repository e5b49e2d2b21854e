import { describe, expect, test } from "vitest";
import { slowOriginals, steadily } from "../../../test/support/curves.ts";
import { World, type WorldOptions } from "../../../test/support/world.ts";
import { nextFloat, type RandomState, randomState } from "../../base/random.ts";
import { NO_AMOUNTS } from "../../model/progress.ts";
import { capOf } from "./late.ts";

const SECOND = 1000;

describe("the cap", () => {
  test.each([
    [0.1, 80, 8],
    [0.2, 80, 16],
    [0.025, 80, 2],
    // Fewer than 2.5 run, so a third is allowed.
    [0.1, 25, 3],
    [0.1, 4, 1],
    [0.55, 100, 55],
    [1, 4, 4],
    [0, 4, 0],
  ])("%d of %d slots is %d", (speculativeCap, slots, cap) => {
    expect(capOf({ speculativeCap, slots })).toBe(cap);
  });

  test("is shared by all jobs, and each kind of slot has its own", () => {
    const world = new World({
      discipline: "late,sharing=fifo-plain",
      sets: ["speculation.speculativeCap=0.1", "speculation.slowNodeThreshold=0"],
      nodes: 8,
      slots: [2, 1],
      runs: slowOriginals(100, { 0: 10_000 }),
    });
    // Two jobs of maps and two of reduces, each with a task that is a hundred times slower.
    for (const job of [{ maps: 8 }, { maps: 8 }]) world.submit(job);
    for (const job of [{ reduces: 4 }, { reduces: 4 }]) world.submit({ maps: 0, ...job });
    world.advance(150 * SECOND);
    // 10 % of 16 map slots let two run, 10 % of 8 reduce slots one.
    const copied = world.copies().map((copy) => copy.split(" ")[0]);
    expect(copied.toSorted()).toEqual(["job1/map/0", "job2/map/0", "job3/reduce/0"]);
    world.advance(250 * SECOND);
    expect(world.copies().at(-1)).toMatch("job4/reduce/0");
  });
});

test("decides the same without explanations, which skip jobs without running attempts", () => {
  const decide = (explain: boolean) => {
    const world = new World({
      ...{ discipline: "late,sharing=fifo-plain", nodes: 6, slots: [1, 1], explain },
      sets: ["speculation.speculativeCap=0.2", "speculation.slowNodeThreshold=0"],
      runs: slowOriginals(100, { 0: 10_000 }),
    });
    for (let job = 0; job < 12; job += 1) world.submit({ maps: 3, reduces: 1 });
    world.advance(2_000 * SECOND);
    return { copies: world.copies(), launches: world.launches() };
  };
  const told = decide(true);
  expect(told.copies.length).toBeGreaterThan(2);
  expect(decide(false)).toEqual(told);
});

describe("of tasks whose time left is equal on paper", () => {
  /** Two maps at one rate and a faster one; the rate of one of the two is reported twice. */
  function copiedAfter(dice: RandomState, toldAgain: number): readonly string[] {
    const takesMs = 200_000 + nextFloat(dice) * 400_000;
    const world = new World({
      discipline: "late,sharing=fifo-plain",
      sets: ["speculativeCap=1", "slowNodeThreshold=0", "slowTaskThreshold=100"].map(
        (set) => `speculation.${set}`,
      ),
      nodes: 3,
      slots: [1, 0],
      runs: ({ task }) => steadily(task.index < 2 ? takesMs : takesMs / 1.5),
      explain: false,
    });
    world.advance(nextFloat(dice) * 1_000_000);
    const from = world.at;
    world.submit({ maps: 3 });
    world.advance(from + (0.1 + 0.2 * nextFloat(dice)) * takesMs);
    const attempt = world.attempt("map", toldAgain);
    const perMs = { ...NO_AMOUNTS, score: 1 / takesMs };
    const before = { from, stage: 0, at: NO_AMOUNTS, perMs };
    const at = { ...NO_AMOUNTS, score: (world.now - from) / takesMs };
    const segments = [before, { ...before, from: world.at, at }];
    const progress = { kind: "curve", startedAt: from, segments, reportEvery: 0 } as const;
    world.step({ at: world.at, kind: "attempt-progressed", attempt, progress });
    world.advance(from + (0.4 + 0.2 * nextFloat(dice)) * takesMs);
    world.join();
    return world.copies();
  }

  test.each([0, 1])(
    "the lower is copied, though the rate of map %d is reported twice",
    (toldAgain) => {
      const dice = randomState(1, "rates");
      for (let draw = 0; draw < 200; draw++) {
        expect(copiedAfter(dice, toldAgain)).toEqual(["map/0 n4"]);
      }
    },
  );
});

/** Manual offers of one map slot per node. */
const byHand = (options: WorldOptions): World =>
  new World({ discipline: "late", slots: [1], slotKinds: ["map"], offers: "manual", ...options });

const offer = (world: World, ...nodes: number[]): void => {
  for (const node of nodes) world.offer(`n${node}`);
};

test("equal tasks are not copied, however many idle nodes ask", () => {
  const world = byHand({ nodes: 10, runs: () => steadily(700 * SECOND) });
  world.submit({ maps: 7 });
  for (let node = 1; node <= 7; node++) {
    world.advance(node * 333);
    offer(world, node);
  }
  world.advance(100 * SECOND);
  offer(world, 8, 9, 10);
  expect(world.copies()).toEqual([]);
});

test("a task that ends in the millisecond of its start counts as fast", () => {
  const world = byHand({
    nodes: 3,
    runs: ({ task }) => steadily(task.index === 0 ? 1000 * SECOND : 0),
    sets: ["speculation.slowNodeThreshold=0"],
  });
  world.submit({ maps: 3 });
  offer(world, 1, 2, 3);
  world.advance(100 * SECOND);
  offer(world, 2);
  expect(world.copies()).toEqual(["map/0 n2"]);
});

test("a node whose total progress is below the 25th percentile gets no copy", () => {
  const world = byHand({
    nodes: 8,
    runs: ({ task }) => steadily((task.index === 0 ? 10_000 : 50) * SECOND),
  });
  world.submit({ maps: 7 });
  offer(world, 1, 2, 3, 4, 5, 6, 7);
  world.advance(100 * SECOND);
  // n8 has done nothing, n2 a whole task.
  offer(world, 8);
  expect(world.copies()).toEqual([]);
  expect(world.refusals().at(-1)).toBe("slow-node");
  offer(world, 2);
  expect(world.copies()).toEqual(["map/0 n2"]);
});

test("a task is copied once, and never where it has run", () => {
  const world = byHand({
    nodes: 5,
    slots: [2],
    sets: ["speculation.speculativeCap=1", "speculation.slowNodeThreshold=0"],
    discipline: "late,sharing=fifo-plain",
    runs: ({ task }) => steadily((task.index === 0 ? 10_000 : 50) * SECOND),
  });
  world.submit({ maps: 6 });
  offer(world, 1, 2, 3);
  world.advance(100 * SECOND);
  offer(world, 1);
  expect(world.copies()).toEqual([]);
  expect(world.refusals()).toContain("has-run-here");
  offer(world, 2, 3);
  expect(world.copies()).toEqual(["map/0 n2"]);
  expect(world.refusals()).toContain("already-speculated");
});

test("the launch's why has the compared numbers", () => {
  const world = byHand({
    nodes: 5,
    runs: ({ task }) => steadily((task.index === 0 ? 1000 : 50) * SECOND),
  });
  world.submit({ maps: 5 });
  offer(world, 1, 2, 3, 4, 5);
  world.advance(100 * SECOND);
  offer(world, 2);
  const told = world.actions.findLast(({ action }) => action.kind === "launch")?.action;
  expect(told).toMatchObject({
    kind: "launch",
    as: "speculative",
    why: {
      rule: "longest-time-left",
      numbers: { running: 0, cap: 1, nodeProgress: 1, slowNode: 1, slowTaskPerMs: 1 / 50_000 },
    },
  });
  if (told?.kind !== "launch") return;
  expect(told.why.numbers.timeLeftMs).toBeCloseTo(900 * SECOND, 3);
  expect(told.why.numbers.ratePerMs).toBeCloseTo(1 / 1e6, 12);
});

test("of the phases that may take the slot, the task that would end last is copied", () => {
  const world = byHand({
    nodes: 10,
    runs: ({ phase, task }) => {
      const slow = phase === "left" ? 1000 : 2000;
      return steadily((task.index === 0 ? slow : 50) * SECOND);
    },
  });
  const phase = (name: string) => ({ name, tasks: 5, slots: ["map"] });
  world.submit({ phases: [phase("left"), phase("right")] });
  offer(world, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  world.advance(100 * SECOND);
  offer(world, 2);
  expect(world.copies()).toEqual(["right/0 n2"]);
});

test("of two phases with equal times left, the task with the lower id is copied", () => {
  const world = byHand({
    nodes: 10,
    runs: ({ task }) => steadily((task.index === 0 ? 1000 : 50) * SECOND),
  });
  const phase = (name: string) => ({ name, tasks: 5, slots: ["map"] });
  world.submit({ phases: [phase("left"), phase("right")] });
  offer(world, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  world.advance(100 * SECOND);
  offer(world, 2);
  expect(world.copies()).toEqual(["left/0 n2"]);
});
