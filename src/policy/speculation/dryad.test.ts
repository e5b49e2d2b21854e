import { describe, expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { limitOf } from "./dryad.ts";

const SECOND = 1000;

describe("the percentile of the durations of a phase", () => {
  const SHARES = { durationPercentile: 75, doneShareMin: 0.5 };
  const limit = (tasks: number, ...rising: number[]): number | undefined =>
    limitOf({
      ...SHARES,
      sample: { rising, seen: rising.length },
      done: rising.length,
      running: tasks - rising.length,
      tasks,
    });

  test("is of all its tasks: running tasks will turn out the longest", () => {
    // Ranks 0 to 8: three quarters are the seventh of nine.
    expect(limit(9, 1, 2, 3, 4, 5, 6, 7)).toBe(7);
    expect(limit(9, 1, 2, 3, 4, 5, 6, 7, 8)).toBe(7);
    expect(limit(9, 1, 2, 3, 4, 5, 6, 7, 8, 9)).toBe(7);
  });

  test("is unknown before three quarters of them are done", () => {
    expect(limit(9, 1, 2, 3, 4, 5, 6)).toBeUndefined();
    expect(limit(9)).toBeUndefined();
    expect(limit(2, 5)).toBeUndefined();
  });

  test("is the shortest for percentile 0, also with one task", () => {
    const sample = { rising: [10], seen: 1 };
    const of = { durationPercentile: 0, doneShareMin: 0, sample, done: 1, running: 8, tasks: 9 };
    expect(limitOf(of)).toBe(10);
  });

  test("lies between two durations where the rank does", () => {
    // Rank 2.25 of 0 to 3.
    expect(limit(4, 10, 20, 30)).toBeUndefined();
    expect(limit(4, 10, 20, 30, 40)).toBeCloseTo(32.5);
    // Rank 3.75 of 0 to 5.
    expect(limit(6, 10, 20, 30, 40, 50)).toBeCloseTo(47.5);
  });

  test("of many durations is the percentile of a sample", () => {
    const limitAfter = (done: number): number | undefined => {
      const sample = { rising: [10, 20, 30], seen: done };
      return limitOf({ ...SHARES, sample, done, running: 300 - done, tasks: 300 });
    };
    expect(limitAfter(300)).toBeCloseTo(25);
    expect(limitAfter(226)).toBeCloseTo(30, 0);
    // Rank 224.25 needs the 226th.
    expect(limitAfter(225)).toBeUndefined();
  });

  test("is of the begun tasks, once half of the phase is done", () => {
    const sample = { rising: [10, 20, 30, 40, 50, 60], seen: 6 };
    const of = { ...SHARES, sample, done: 6 };
    // Rank 5.25 of the eight that have begun is not among the six; rank 4.5 of the seven is.
    expect(limitOf({ ...of, running: 2, tasks: 12 })).toBeUndefined();
    expect(limitOf({ ...of, running: 1, tasks: 12 })).toBeCloseTo(55);
    expect(limitOf({ ...of, running: 1, tasks: 13 })).toBeUndefined();
  });

  test("is of executions: a recomputed task counts once more", () => {
    // Two of four tasks are recomputed. Rank 3.75 of six executions is not among four.
    const of = { ...SHARES, running: 2, done: 2, tasks: 4 };
    expect(limitOf({ ...of, sample: { rising: [10, 20, 30, 40], seen: 4 } })).toBeUndefined();
    // One of them is done again: rank 3.75 of 0 to 4.
    const five = { rising: [10, 20, 30, 40, 50], seen: 5 };
    expect(limitOf({ ...of, running: 1, done: 3, sample: five })).toBeCloseTo(47.5);
  });
});

/** Maps with the given times in seconds, on nodes of their own; spare nodes stay idle. */
function phase(seconds: readonly number[], spares: number): World {
  const world = new World({
    discipline: "dryad,sharing=fifo-plain",
    nodes: seconds.length + spares,
    slots: [1],
    slotKinds: ["map"],
    offers: "manual",
    runs: ({ task, as }) =>
      steadily((as === "original" ? (seconds[task.index] ?? 0) : 10) * SECOND),
  });
  world.submit({ maps: seconds.length });
  for (let node = 1; node <= seconds.length; node++) world.offer(`n${node}`);
  return world;
}

test("§7: those running for longer than the 75th percentile of task durations are copied", () => {
  // The fourth of five is the percentile: 40 s.
  const world = phase([10, 20, 30, 40, 900], 1);
  world.advance(39 * SECOND).offer("n6");
  expect(world.refusals().at(-1)).toBe("too-few-done");
  world.advance(40 * SECOND).offer("n6");
  expect(world.copies()).toEqual([]);
  expect(world.refusals().at(-1)).toBe("not-longer");
  world.advance(40 * SECOND + 1).offer("n6");
  expect(world.copies()).toEqual(["map/4 n6"]);
});

test("a younger running task is not copied, though its elders are", () => {
  const world = new World({
    discipline: "dryad,sharing=fifo-plain",
    nodes: 9,
    slots: [1],
    slotKinds: ["map"],
    offers: "manual",
    runs: ({ task }) => steadily((task.index < 7 ? 10 : 900) * SECOND),
  });
  world.submit({ maps: 9 });
  for (let node = 1; node <= 8; node++) world.offer(`n${node}`);
  // map/7 began at 0 s, map/8 begins at 10 s.
  world.advance(10 * SECOND).offer("n9");
  world.advance(15 * SECOND).offer("n1");
  expect(world.copies()).toEqual(["map/7 n1"]);
  world.offer("n2");
  expect(world.refusals().at(-1)).toBe("not-longer");
  world.advance(20 * SECOND + 1).offer("n2");
  expect(world.copies()).toEqual(["map/7 n1", "map/8 n2"]);
});

test("the attempt's time counts, not the task's", () => {
  const world = phase([10, 10, 10, 10, 900], 2);
  // The first attempt of map/4 is lost with its slot at 30 s; another begins there.
  world.advance(30 * SECOND).kill(world.attempt("map", 4));
  world.offer("n5");
  expect(world.launches("rerun")).toEqual(["map/4 rerun n5"]);
  world.advance(39 * SECOND).offer("n6");
  expect(world.copies()).toEqual([]);
  expect(world.refusals().at(-1)).toBe("not-longer");
});

test("no task is copied to a node where it has run", () => {
  const world = new World({
    discipline: "dryad,sharing=fifo-plain",
    nodes: 2,
    slots: [5],
    slotKinds: ["map"],
    offers: "manual",
    runs: ({ task }) => steadily((task.index === 4 ? 900 : 10) * SECOND),
  });
  world.submit({ maps: 5 });
  world.offer("n1");
  world.advance(30 * SECOND).offer("n1");
  expect(world.refusals().at(-1)).toBe("has-run-here");
  world.offer("n2");
  expect(world.copies()).toEqual(["map/4 n2"]);
});

test("a task that has run too long is copied before waiting tasks begin", () => {
  const world = new World({
    discipline: "dryad,sharing=fifo-plain",
    nodes: 2,
    slots: [1],
    slotKinds: ["map"],
    offers: "manual",
    runs: ({ task, as }) => steadily((task.index === 0 && as === "original" ? 900 : 10) * SECOND),
  });
  world.submit({ maps: 8 });
  world.offer("n1");
  world.offer("n2");
  for (const end of [10, 20, 30]) {
    world.advance(end * SECOND).offer("n2");
    // Three of four that have begun are done at 30 s, but not half of the phase.
    expect(world.copies()).toEqual([]);
  }
  world.advance(40 * SECOND).offer("n2");
  expect(world.copies()).toEqual(["map/0 n2"]);
  expect(world.launches("original")).toHaveLength(5);
});
