import { describe, expect, test } from "vitest";
import { steadily, stuckAt } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { isBehind } from "./hadoop.ts";

const MINUTE = 60_000;

test("a gap of exactly 0.2 is enough for the source, and too small for the paper", () => {
  const exactly = { score: 1 / 3, meanProgress: 0.3 + 0.7 / 3, gap: 0.2 };
  expect(isBehind({ ...exactly, strict: false })).toBe(true);
  expect(isBehind({ ...exactly, strict: true })).toBe(false);
  expect(isBehind({ ...exactly, score: 0.333, strict: true })).toBe(true);
  expect(isBehind({ ...exactly, score: 0.334, strict: false })).toBe(false);
});

/** Ten maps; the last begins 59 s after the job, and makes no progress. */
function late(discipline: string): World {
  const world = new World({
    discipline,
    nodes: 11,
    slots: [1],
    slotKinds: ["map"],
    offers: "manual",
    runs: ({ task }) => (task.index === 9 ? stuckAt(0.1, 1000) : steadily(10_000)),
  });
  world.submit({ maps: 10 });
  for (let node = 1; node <= 9; node++) world.offer(`n${node}`);
  world.advance(59_000).offer("n10");
  return world;
}

describe("the minute of patience", () => {
  test("counts from the job's admission in the source", () => {
    const world = late("hadoop");
    world.advance(MINUTE - 1).offer("n11");
    expect(world.refusals()).toEqual(["too-young"]);
    world.advance(MINUTE).offer("n11");
    expect(world.copies()).toEqual(["map/9 n11"]);
  });

  test("counts from the attempt's own start in the paper", () => {
    const world = late("hadoop-paper");
    world.advance(59_000 + MINUTE - 1).offer("n11");
    expect(world.copies()).toEqual([]);
    world.advance(59_000 + MINUTE).offer("n11");
    expect(world.copies()).toEqual(["map/9 n11"]);
  });
});

/** Six of ten maps are stuck; four nodes are done and ask. */
function stuck(options: {
  racks?: number;
  replicas?: (index: number) => readonly string[];
}): World {
  const world = new World({
    discipline: "hadoop",
    nodes: 12,
    racks: options.racks ?? 1,
    slots: [1],
    slotKinds: ["map"],
    offers: "manual",
    runs: ({ task }) => (task.index < 6 ? stuckAt(0.1, 1000) : steadily(10_000)),
  });
  const { replicas } = options;
  world.submit({ maps: 10, ...(replicas === undefined ? {} : { replicas }) });
  for (let node = 1; node <= 10; node++) world.offer(`n${node}`);
  world.advance(2 * MINUTE);
  return world;
}

describe("which straggler", () => {
  test("the first that was launched, if none is nearer to its data", () => {
    const world = stuck({});
    for (const node of ["n7", "n8", "n9"]) world.offer(node);
    expect(world.copies()).toEqual(["map/0 n7", "map/1 n8", "map/2 n9"]);
  });

  test("the one with its data on the node, then on the rack, then the first launched", () => {
    // n1, n3, .. are in one rack, n2, n4, .. in the other; n11 and n12 have run nothing.
    const world = stuck({
      racks: 2,
      replicas: (index) => (index === 4 ? ["n11"] : index === 3 ? ["n12"] : []),
    });
    world.offer("n11");
    world.offer("n10");
    world.offer("n9");
    const [first, second, third] = world.copies();
    expect(first).toBe("map/4 n11");
    expect(second).toBe("map/3 n10");
    expect(third).toBe("map/0 n9");
  });

  test("all of them, while nodes ask: there is no cap", () => {
    const world = stuck({});
    for (const node of ["n7", "n8", "n9", "n10", "n11", "n12"]) world.offer(node);
    expect(world.copies()).toHaveLength(6);
  });

  test("no task twice, and none where it runs already", () => {
    const world = new World({
      discipline: "hadoop,sharing=fifo-plain",
      nodes: 3,
      slots: [2],
      slotKinds: ["map"],
      offers: "manual",
      runs: ({ task }) => (task.index === 0 ? stuckAt(0.1, 1000) : steadily(10_000)),
    });
    world.submit({ maps: 4 });
    world.offer("n1");
    world.offer("n2");
    world.advance(2 * MINUTE).offer("n1", [1]);
    expect(world.copies()).toEqual([]);
    expect(world.refusals()).toContain("has-run-here");
    world.offer("n2");
    expect(world.copies()).toEqual(["map/0 n2"]);
    world.offer("n3");
    expect(world.copies()).toEqual(["map/0 n2"]);
    expect(world.refusals()).toContain("already-speculated");
  });
});
