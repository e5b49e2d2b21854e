import { describe, expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { remainingMax } from "./mapreduce.ts";

const SECOND = 1000;

describe("the number of remaining tasks that starts copies", () => {
  test.each([
    [0.95, 100, 5],
    [0.95, 20, 1],
    // A part of a task counts as one: without it the last of ten would never be copied.
    [0.95, 10, 1],
    [0.95, 21, 2],
    [0, 7, 7],
    [1, 7, 0],
  ])("%d done of %d leaves %d", (doneShareMin, tasks, most) => {
    expect(remainingMax({ doneShareMin, tasks })).toBe(most);
  });
});

/** Ten nodes with one slot each; the first `slow` maps are slow. */
function phase(of: { maps: number; slow: number; doneShareMin: number }): World {
  const world = new World({
    discipline: "mapreduce,sharing=fifo-plain",
    sets: [`speculation.doneShareMin=${of.doneShareMin}`],
    nodes: of.maps + of.slow,
    slots: [1],
    slotKinds: ["map"],
    offers: "manual",
    runs: ({ task, as }) =>
      steadily((as === "original" && task.index < of.slow ? 900 : 10) * SECOND),
  });
  world.submit({ maps: of.maps });
  for (let node = 1; node <= of.maps; node++) world.offer(`n${node}`);
  return world;
}

function offerSpares(world: World, of: { maps: number; slow: number }): void {
  for (let node = of.maps + 1; node <= of.maps + of.slow; node++) world.offer(`n${node}`);
}

test("§7: after a threshold number of tasks have finished, all that remain are copied", () => {
  const of = { maps: 10, slow: 3, doneShareMin: 0.7 };
  const world = phase(of).advance(10 * SECOND);
  offerSpares(world, of);
  expect(world.copies()).toEqual(["map/0 n11", "map/1 n12", "map/2 n13"]);
});

test("§7: with one finished task fewer, nothing is copied, however slow", () => {
  const of = { maps: 10, slow: 4, doneShareMin: 0.7 };
  const world = phase(of).advance(800 * SECOND);
  offerSpares(world, of);
  expect(world.copies()).toEqual([]);
  expect(new Set(world.refusals().slice(-4))).toEqual(new Set(["not-near-its-end"]));
});

test("a task that has only just begun is copied like the others", () => {
  const world = new World({
    discipline: "mapreduce,sharing=fifo-plain",
    sets: ["speculation.doneShareMin=0.5"],
    nodes: 2,
    slots: [1],
    slotKinds: ["map"],
    runs: ({ task }) => steadily((task.index === 1 ? 20 : 10) * SECOND),
  });
  world.submit({ maps: 4 });
  // map/3 starts at 20 s, when map/1 and map/2 end.
  world.advance(23 * SECOND);
  expect(world.copies()).toEqual(["map/3 n1"]);
});

test("a remaining task is copied once, and never where it has run", () => {
  const world = new World({
    discipline: "mapreduce,sharing=fifo-plain",
    nodes: 3,
    slots: [2],
    slotKinds: ["map"],
    offers: "manual",
    runs: ({ task }) => steadily((task.index === 0 ? 900 : 10) * SECOND),
  });
  world.submit({ maps: 2 });
  world.offer("n1");
  world.advance(10 * SECOND).offer("n1");
  expect(world.copies()).toEqual([]);
  expect(world.refusals().at(-1)).toBe("has-run-here");
  world.offer("n2");
  world.offer("n3");
  expect(world.copies()).toEqual(["map/0 n2"]);
  expect(world.refusals().at(-1)).toBe("already-speculated");
});

test("each phase has its own end: the maps' end does not start copies of reduces", () => {
  const world = new World({
    discipline: "mapreduce,sharing=fifo-plain",
    nodes: 8,
    runs: ({ phase: name, task }) =>
      steadily((task.index === 0 ? 900 : name === "map" ? 10 : 300) * SECOND),
  });
  world.submit({ maps: 6 });
  world.submit({ maps: 0, reduces: 6 });
  world.advance(100 * SECOND);
  expect(world.copies().map((copy) => copy.split(" ")[0])).toEqual(["job1/map/0"]);
});
