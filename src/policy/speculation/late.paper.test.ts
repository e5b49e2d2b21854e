import { expect, test } from "vitest";
import { type Run, steadily, stuckAt } from "../../../test/support/curves.ts";
import { probing } from "../../../test/support/probe.ts";
import { type Launch, World, type WorldOptions } from "../../../test/support/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const seconds = (ms: number): number => Math.round(ms / 100) / 10;

/** A world with manual offers, and runs given per original of a phase's tasks. */
function byHand(options: WorldOptions, run: (index: number) => Run): World {
  const runs = ({ task, as }: Launch): Run =>
    as === "speculative" ? steadily(10 * MINUTE) : run(task.index);
  return new World({ offers: "manual", runs, ...options });
}

/** The refusals for slots that should be filled. */
const refusals = (world: World): string[] =>
  world.refusals().filter((rule) => rule !== "not-planned");

/** Offers each node's slots once. */
function offerAll(world: World, from: number, to: number): void {
  for (let node = from; node <= to; node++) world.offer(`n${node}`);
}

test("§2.1: halfway through the copy phase a reduce scores 1/6, through the last 5/6", () => {
  const world = new World({ nodes: 1, runs: () => steadily(600) });
  world.submit({ maps: 0, reduces: 1 });
  const reduce = world.attempt("reduce", 0);
  expect(world.advance(100).look().progress(reduce)).toMatchObject({ stage: 0 });
  expect(world.view.progress(reduce).score).toBeCloseTo(1 / 6);
  expect(world.advance(500).look().progress(reduce)).toMatchObject({ stage: 2 });
  expect(world.view.progress(reduce).score).toBeCloseTo(5 / 6);
});

// §3.1: the mean is about 70 %, a task that is 2x slower stands at 35 % and one that is 10x slower
// at 7 %; the data of the first are on the node that asks.
function heterogeneous(discipline: string): string[] {
  const takes = (index: number): number => {
    if (index === 8) return 200;
    if (index === 9) return 1000;
    return index > 9 ? 30 : 100;
  };
  const world = byHand({ discipline, nodes: 14 }, (index) => steadily(takes(index) * SECOND));
  const replicas = (index: number): string[] => {
    if (index === 8) return ["n13"];
    return index === 9 ? ["n14"] : [];
  };
  world.submit({ maps: 13, replicas });
  offerAll(world, 1, 13);
  const view = world.advance(70 * SECOND).look();
  expect(view.meanProgress(view.task(world.task("map", 0)).phase)).toBeCloseTo(0.7, 1);
  expect(view.progress(world.attempt("map", 8)).score).toBeCloseTo(0.35);
  expect(view.progress(world.attempt("map", 9)).score).toBeCloseTo(0.07);
  world.offer("n13");
  return world.copies();
}

test("§3.1: Hadoop copies the task that is 2x slower, because its data are near", () => {
  expect(heterogeneous("hadoop")).toEqual(["map/8 n13"]);
  expect(heterogeneous("hadoop-paper")).toEqual(["map/8 n13"]);
});

test("§3.1: LATE copies the task that is 10x slower", () => {
  expect(heterogeneous("late")).toEqual(["map/9 n13"]);
});

// §3.2: a given number of reduces have finished, the others are still copying; then idle nodes ask.
function reducing(
  discipline: string,
  of: { reduces: number; done: number; idle: number },
  copying: (index: number) => Run = () => stuckAt(1 / 3, 50 * SECOND),
): World {
  const { reduces, done, idle } = of;
  const run = (index: number): Run => (index < done ? steadily(70 * SECOND) : copying(index));
  const world = byHand({ discipline, nodes: reduces + idle }, run);
  world.submit({ maps: 0, reduces });
  offerAll(world, 1, reduces);
  world.advance(80 * SECOND);
  offerAll(world, reduces + 1, reduces + idle);
  return world;
}

test("§3.2: once 30 % of the reduces have finished, Hadoop 1.2.1 copies all that still run", () => {
  const world = reducing("hadoop", { reduces: 20, done: 6, idle: 20 });
  expect(world.copies()).toHaveLength(14);
  expect(new Set(world.copies().map((copy) => copy.split(" ")[0])).size).toBe(14);
  expect(reducing("hadoop", { reduces: 100, done: 29, idle: 5 }).copies()).toHaveLength(0);
});

test("§3.2: at 30 % the gap is exactly 0.2, which is not less than the average minus 0.2", () => {
  const world = reducing("hadoop-paper", { reduces: 20, done: 6, idle: 20 });
  expect(world.copies()).toHaveLength(0);
  expect(refusals(world)).toEqual(Array(20).fill("not-behind"));
});

test("§3.2: at 31 % the paper's Hadoop copies all that still run", () => {
  expect(reducing("hadoop-paper", { reduces: 100, done: 31, idle: 100 }).copies()).toHaveLength(69);
});

test("§4.1: of the same reduces LATE copies the slowest first, and stops at its cap", () => {
  const slower = (index: number): Run => steadily((300 + 10 * index) * SECOND);
  const world = reducing("late", { reduces: 100, done: 31, idle: 0 }, slower);
  offerAll(world, 1, 20);
  // 10 % of 100 slots are 10; the slowest copy phase is that of the last reduce.
  const slowest = Array.from({ length: 10 }, (_, n) => `reduce/${99 - n} n${n + 1}`);
  expect(world.copies()).toEqual(slowest);
  expect(refusals(world).at(-1)).toBe("speculative-cap");
});

test("§3.2: Hadoop never copies a task with more than 80 % progress", () => {
  const lastAt = (score: number, discipline: string): string[] => {
    const run = (index: number): Run =>
      index === 99 ? stuckAt(score, 50 * SECOND) : steadily(50 * SECOND);
    const world = byHand({ discipline, nodes: 101 }, run);
    world.submit({ maps: 100 });
    offerAll(world, 1, 100);
    for (let minute = 2; minute <= 30; minute++) world.advance(minute * MINUTE).offer("n1");
    return world.copies();
  };
  expect(lastAt(0.79, "hadoop")).toEqual(["map/99 n1"]);
  expect(lastAt(0.81, "hadoop")).toEqual([]);
  expect(lastAt(0.81, "hadoop-paper")).toEqual([]);
  expect(lastAt(0.81, "late")).toEqual(["map/99 n1"]);
});

test("§3.2: Hadoop copies the new, fast task; LATE the old, slow one with more progress", () => {
  const copied = (discipline: string): string[] => {
    const takes = (index: number): number => (index === 0 ? 1000 : 200);
    const world = byHand({ discipline, nodes: 10 }, (index) => steadily(takes(index) * SECOND));
    world.submit({ maps: 10 });
    offerAll(world, 1, 9);
    world.advance(690 * SECOND).offer("n10");
    // The old one stands at 75 %, with 250 s to go; the new one at 30 %, with 140 s to go.
    world.advance(750 * SECOND).offer("n2");
    return world.copies();
  };
  expect(copied("hadoop")).toEqual(["map/9 n2"]);
  expect(copied("hadoop-paper")).toEqual(["map/9 n2"]);
  expect(copied("late")).toEqual(["map/0 n2"]);
});

test("§4: the one minute is a task's own: LATE copies nothing that has run for less", () => {
  const world = byHand({ discipline: "late", nodes: 5 }, (index) =>
    steadily((index === 0 ? 1000 : 50) * SECOND),
  );
  world.submit({ maps: 5 });
  offerAll(world, 1, 5);
  world.advance(MINUTE - 1).offer("n2");
  expect(world.copies()).toEqual([]);
  expect(refusals(world).at(-1)).toBe("too-young");
  world.advance(MINUTE).offer("n2");
  expect(world.copies()).toEqual(["map/0 n2"]);
});

test.each([
  ["late", "B, 2x slower at 10 %, before A, 5x slower at 90 %", "map/7"],
  ["late,estimator=rate-alone", "A before B, since its rate is lower", "map/0"],
])("§4.1: %s copies %s", (discipline, _, copied) => {
  // The mean task takes 300 s. A runs on n1; B, the last of eight, begins on n8 at 1290 s.
  const takes = (index: number): number => (index === 0 ? 1500 : index === 7 ? 600 : 300);
  const world = byHand({ discipline, nodes: 8 }, (index) => steadily(takes(index) * SECOND));
  world.submit({ maps: 8 });
  offerAll(world, 1, 7);
  world.advance(1290 * SECOND).offer("n8");
  world.advance(1350 * SECOND);
  const view = world.look();
  const [a, b] = [world.attempt("map", 0), world.attempt("map", 7)];
  expect(view.progress(a).score).toBeCloseTo(0.9);
  expect(view.progress(b).score).toBeCloseTo(0.1);
  expect(view.rate(b)).toBeGreaterThan(view.rate(a));
  world.offer("n2");
  expect(world.copies()).toEqual([`${copied} n2`]);
});

test("§4.2: T1, 60 % after 20 s, has 13.3 s left; T2, 50 % after 10 s, has 10 s", () => {
  const twoSpeeds: Run = {
    pieces: [
      { forMs: 10 * SECOND, toScore: 0.5 },
      { forMs: 50 * SECOND, toScore: 1 },
    ],
    end: "succeeded",
  };
  const { discipline, timesLeft } = probing("none");
  const world = byHand({ discipline, nodes: 3 }, () => twoSpeeds);
  world.submit({ maps: 2 });
  world.offer("n1");
  world.advance(10 * SECOND).offer("n2");
  world.advance(20 * SECOND).offer("n3");
  expect(timesLeft().map(seconds)).toEqual([13.3, 10]);
});

test("§4.2: stage by stage T1 has 40 s left and T2 50 s, once a task has been through", () => {
  const stages = [
    { name: "first", share: 0.5 },
    { name: "second", share: 0.5 },
  ];
  const twoSpeeds: Run = {
    pieces: [
      { forMs: 10 * SECOND, toScore: 0.5 },
      { forMs: 50 * SECOND, toScore: 1 },
    ],
    end: "succeeded",
  };
  const { discipline, timesLeft } = probing("none,estimator=phase-aware");
  const world = byHand({ discipline, nodes: 4 }, () => twoSpeeds);
  world.submit({ phases: [{ name: "map", tasks: 3, slots: ["map"], stages }] });
  world.offer("n1");
  world.advance(100 * SECOND).offer("n2");
  world.advance(110 * SECOND).offer("n3");
  world.advance(120 * SECOND).offer("n4");
  expect(timesLeft().map(seconds)).toEqual([50, 40]);
});

test("§5.4.3: a copy on a slow node ends the job after 5.8 minutes, one on a fast after 4", () => {
  const minutes = (threshold: string): number => {
    const speed: Readonly<Record<string, number>> = { n11: 2.9, n12: 10 };
    const world = new World({
      discipline: "late,sharing=fifo-plain",
      sets: [threshold],
      nodes: 12,
      runs: ({ node }) => steadily((speed[node] ?? 1) * MINUTE),
    });
    world.submit({ maps: 32 });
    return world.finish() / MINUTE;
  };
  expect(minutes("speculation.slowNodeThreshold=0")).toBeCloseTo(5.8, 6);
  expect(minutes("speculation.slowNodeThreshold=25")).toBeCloseTo(4, 6);
});
