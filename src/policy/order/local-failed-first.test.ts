import { describe, expect, test } from "vitest";
import { failsAfter, steadily } from "../../../test/support/curves.ts";
import { type Launch, World, type WorldOptions } from "../../../test/support/world.ts";

const DISCIPLINE = "none,sharing=fifo-plain,order=local-failed-first";

/** The first attempt of map 0 fails after a second; tasks without a time take a day. */
const runs = ({ task, as }: Launch) =>
  task.index === 0 && as === "original" ? failsAfter(1000) : steadily(86_400_000);

/** Map 0 has its input on n1, where it fails, and on the given nodes. */
const failed = (homes: readonly string[], options: WorldOptions = {}): World => {
  const world = new World({
    discipline: DISCIPLINE,
    nodes: 4,
    slots: [1, 0],
    offers: "manual",
    setup: { askAgainMs: 1000 },
    runs,
    ...options,
  });
  world.submit({ maps: 9, replicas: (index) => (index === 0 ? ["n1", ...homes] : ["n3", "n4"]) });
  world.offer("n1", [1, 0]);
  return world.advance(1000);
};

describe("a failed map", () => {
  test("goes before untried maps where its data are", () => {
    const world = failed(["n3"]);
    world.offer("n3");
    expect(world.launches().at(-1)).toBe("map/0 retry n3");
  });

  test("leaves slots elsewhere to the others", () => {
    const world = failed(["n3"]);
    world.offer("n2");
    expect(world.launches().at(-1)).toBe("map/1 original n2");
  });

  test("goes anywhere once it has waited for the configured time", () => {
    const launchedAt = (set: string) => {
      const world = failed(["n3"], { sets: [`order.waitMs=${set}`] });
      world.advance(4999).offer("n2");
      const early = world.launches().at(-1);
      world.advance(5001).offer("n4");
      return [early, world.launches().at(-1)];
    };
    expect(launchedAt("4000")).toEqual(["map/1 original n2", "map/0 retry n4"]);
    const world = failed(["n3"], { sets: ["order.waitMs=4000"] });
    world.advance(5000).offer("n2");
    expect(world.launches().at(-1)).toBe("map/0 retry n2");
  });

  test.each<readonly [string, readonly string[], (world: World) => void]>([
    ["is the one where it failed", [], () => {}],
    ["is silent", ["n3"], (world) => world.silence("n3")],
    [
      "is gone",
      ["n3"],
      (world) => world.step({ at: world.at, kind: "node-left", node: world.node("n3") }),
    ],
  ])("does not wait for a node with its data that %s", (_, homes, happens) => {
    const world = failed(homes);
    happens(world);
    world.offer("n2");
    expect(world.launches().at(-1)).toBe("map/0 retry n2");
  });

  test("does not run where it failed", () => {
    const world = failed(["n3"]);
    world.offer("n1", [1, 0]);
    expect(world.launches().at(-1)).toBe("map/1 original n1");
  });
});

test("a failed task without data goes first, wherever the slot is", () => {
  const world = new World({
    discipline: DISCIPLINE,
    nodes: 3,
    slots: [1, 0],
    offers: "manual",
    runs,
  });
  world.submit({ maps: 5 });
  world.offer("n1");
  world.advance(1000).offer("n2");
  expect(world.launches().at(-1)).toBe("map/0 retry n2");
});

test("of two failed maps with data on the node, the one that failed more often goes first", () => {
  const failing = ({ task, as, node }: Launch) => {
    if (task.index === 1) return failsAfter(1000);
    return as === "original" && node === "n1" ? failsAfter(3000) : steadily(86_400_000);
  };
  const world = new World({
    discipline: DISCIPLINE,
    nodes: 4,
    slots: [2, 0],
    offers: "manual",
    runs: failing,
  });
  world.submit({ maps: 2, replicas: () => ["n1", "n2", "n3"] });
  world.offer("n1");
  world.advance(1000).offer("n2", [1, 0]);
  world.advance(3000).offer("n3", [1, 0]);
  expect(world.launches().slice(2)).toEqual(["map/1 retry n2", "map/1 retry n3"]);
});

test("a lost output is recomputed beside its input, with the wait of a failed map", () => {
  const world = new World({
    discipline: DISCIPLINE,
    nodes: 4,
    slots: [1, 1],
    offers: "manual",
    setup: { askAgainMs: 1000 },
    sets: ["order.waitMs=3000"],
    runs: ({ phase }) => steadily(phase === "map" ? 1000 : 86_400_000),
  });
  world.submit({ maps: 1, reduces: 1, replicas: () => ["n1", "n3"] });
  world.offer("n1", [1, 0]);
  world.advance(60_000).offer("n4", [0, 1]);
  world.step({
    at: world.at,
    kind: "output-lost",
    task: world.task("map", 0),
    node: world.node("n1"),
  });
  world.offer("n2", [1, 0]);
  expect(world.launches()).toHaveLength(2);
  expect(world.advance(62_999).launches()).toHaveLength(2);
  expect(world.advance(63_000).launches().at(-1)).toBe("map/0 recompute n2");
});

test("an output that readers missed is recomputed beside its input, too", () => {
  const world = new World({
    discipline: DISCIPLINE,
    nodes: 4,
    slots: [1, 1],
    offers: "manual",
    runs: ({ phase }) => steadily(phase === "map" ? 1000 : 86_400_000),
  });
  world.submit({ maps: 1, reduces: 1, replicas: () => ["n1", "n3"] });
  world.offer("n1", [1, 0]);
  world.advance(60_000).offer("n4", [0, 1]);
  world.offer("n2", [1, 0]);
  const reader = world.attempt("reduce", 0);
  const missed = { kind: "fetch-failed", reader, output: world.task("map", 0) } as const;
  for (let report = 1; report <= 3; report++) {
    world.step({ at: world.at, ...missed, from: world.node("n1") });
  }
  expect(world.launches()).toHaveLength(2);
  world.offer("n3", [1, 0]);
  expect(world.launches().at(-1)).toMatch(/map\/0 \w+ n3/);
});

test("a failed map does not wait for a node that is closed to its job", () => {
  const world = new World({
    discipline: DISCIPLINE,
    nodes: 6,
    slots: [4, 0],
    offers: "manual",
    runs: ({ node, as }) =>
      node === "n3" || as === "original" ? failsAfter(1000) : steadily(86_400_000),
  });
  world.submit({ maps: 5, replicas: (index) => (index === 0 ? ["n1", "n3"] : ["n3", "n4"]) });
  world.offer("n1", [1, 0]);
  world.offer("n3");
  // Four failures have closed n3.
  world.advance(1000).offer("n2", [1, 0]);
  expect(world.launches("retry")).toEqual(["map/0 retry n2"]);
});

test("nothing is remembered of outputs whose job has ended", () => {
  let memories: unknown[] = [];
  const memory = (one: unknown): unknown => {
    memories.push(one);
    return one;
  };
  const runs = ({ phase }: Launch) => steadily(phase === "map" ? 1000 : 5000);
  const world = new World({ discipline: DISCIPLINE, nodes: 2, slots: [1, 1], memory, runs });
  world.submit({ maps: 2, reduces: 1 });
  world.advance(2000);
  const task = world.task("map", 0);
  world.step({ at: world.at, kind: "output-lost", task, node: world.node("n1") });
  world.finish();
  memories = [];
  world.look();
  expect(JSON.stringify(memories, (_, one) => (one instanceof Map ? [...one] : one))).toContain(
    '"outputLostAt":[]',
  );
});
