import { describe, expect, test } from "vitest";
import { type Run, steadily } from "../../../test/support/curves.ts";
import { type Launch, World, type WorldOptions } from "../../../test/support/world.ts";
import { capOf, rankOf } from "./late-0.21.ts";

const SECOND = 1000;

describe("atSpeculativeCap, the cases of Hadoop's TestSpeculativeExecution", () => {
  const limits = { speculativeCap: 0.1, copiesMin: 10, slotsShareMin: 0.01 };
  const cap = (of: { tasks: number; done: number; slots: number }): number =>
    capOf({ ...limits, tasks: of.tasks - of.done, slots: of.slots });

  test("1200 tasks, 800 done, 20 slots: a tenth of the 400 that run", () => {
    expect(cap({ tasks: 1200, done: 800, slots: 20 })).toBe(40);
  });

  test("1200 tasks, 1150 done, 20 slots: never fewer than ten", () => {
    expect(cap({ tasks: 1200, done: 1150, slots: 20 })).toBe(10);
  });

  test("1200 tasks, 1150 done, 2000 map slots of 4000: a hundredth of the slots", () => {
    expect(cap({ tasks: 1200, done: 1150, slots: 2000 })).toBe(20);
  });
});

test("the case of testTaskLATEScheduling: 20 % after 65 s ends later than 85 % after 317 s", () => {
  const old = rankOf({ rate: 0.85 / 317_000, score: 0.85 });
  const young = rankOf({ rate: 0.2 / 65_000, score: 0.2 });
  expect(young).toBeLessThan(old);
});

test("a finished score ranks as 0.9999: its rank is not infinite", () => {
  expect(rankOf({ rate: 1, score: 1 })).toBeCloseTo(10_000);
});

const byHand = (options: WorldOptions): World =>
  new World({
    discipline: "late-0.21",
    slots: [1],
    slotKinds: ["map"],
    offers: "manual",
    ...options,
  });

const offer = (world: World, ...nodes: number[]): void => {
  for (const node of nodes) world.offer(`n${node}`);
};

test("a task whose rate is more than a standard deviation below the mean is copied", () => {
  const world = byHand({
    nodes: 8,
    runs: ({ task }) => steadily((task.index === 0 ? 1000 : 50) * SECOND),
  });
  world.submit({ maps: 8 });
  offer(world, 1, 2, 3, 4, 5, 6, 7, 8);
  world.advance(59_999);
  offer(world, 2);
  expect(world.copies()).toEqual([]);
  world.advance(60_000);
  offer(world, 2);
  expect(world.copies()).toEqual(["map/0 n2"]);
});

test("with few tasks the deviation hides a slow one: of the rates 1, 2, 30 none is slow", () => {
  const minutes = [30, 15, 1];
  const copies = (discipline: string): string[] => {
    const world = byHand({
      discipline,
      nodes: 3,
      runs: ({ task }) => steadily((minutes[task.index] ?? 0) * 60 * SECOND),
    });
    world.submit({ maps: 3 });
    offer(world, 1, 2, 3);
    for (let minute = 2; minute < 14; minute++) world.advance(minute * 60_000).offer("n3");
    return world.copies();
  };
  // Mean 11, standard deviation 13.4: no rate is a deviation below. LATE's percentile finds it.
  expect(copies("late-0.21")).toEqual([]);
  expect(copies("late")).toEqual(["map/0 n3"]);
});

test("isSlowTracker: a node slower than the mean by more than a deviation gets no copy", () => {
  const world = byHand({
    nodes: 6,
    runs: ({ task, node }) =>
      steadily((task.index === 0 ? 1000 : node === "n6" ? 90 : 50) * SECOND),
  });
  world.submit({ maps: 6 });
  offer(world, 1, 2, 3, 4, 5, 6);
  world.advance(100 * SECOND);
  offer(world, 6);
  expect(world.copies()).toEqual([]);
  expect(world.refusals().at(-1)).toBe("slow-node");
  offer(world, 2);
  expect(world.copies()).toEqual(["map/0 n2"]);
});

test("the deviation of the nodes is of their means: one number for each node", () => {
  // n6 has one long task, the others three short ones each: of tasks, the deviation would be
  // smaller.
  const world = byHand({
    nodes: 3,
    runs: ({ task, node }) =>
      steadily((task.index === 0 ? 1000 : node === "n3" ? 90 : 50) * SECOND),
  });
  world.submit({ maps: 5 });
  offer(world, 1, 2, 3);
  world.advance(50 * SECOND);
  offer(world, 2);
  world.advance(100 * SECOND);
  offer(world, 2);
  world.advance(160 * SECOND);
  // The means are 50 and 90: n3 lies 20 above their mean, which is their deviation, and not more.
  offer(world, 3);
  expect(world.copies()).toEqual(["map/0 n3"]);
});

test("times left within a microsecond are equal: the first that was launched is copied", () => {
  const copied = (takesMs: readonly [number, number]): readonly string[] => {
    const runs = ({ task }: Launch): Run => steadily(takesMs[task.index] ?? 50 * SECOND);
    const world = byHand({ nodes: 20, runs });
    world.submit({ maps: 20 });
    offer(world, ...Array.from({ length: 20 }, (_, node) => node + 1));
    world.advance(70 * SECOND);
    offer(world, 20);
    return world.copies();
  };
  const most = 1_000 * SECOND;
  expect(copied([most - 0.0005, most + 0.0003])).toEqual(["map/0 n20"]);
  expect(copied([most - 0.0005, most + 0.0013])).toEqual(["map/1 n20"]);
});

test("equal tasks are not copied", () => {
  const world = byHand({ nodes: 9, runs: () => steadily(700 * SECOND) });
  world.submit({ maps: 7 });
  for (let node = 1; node <= 7; node++) {
    world.advance(node * 333);
    offer(world, node);
  }
  world.advance(100 * SECOND);
  offer(world, 8, 9);
  expect(world.copies()).toEqual([]);
});
