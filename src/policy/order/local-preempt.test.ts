import { describe, expect, test } from "vitest";
import { failsAfter, steadily } from "../../../test/support/curves.ts";
import { type Launch, World, type WorldOptions } from "../../../test/support/world.ts";

const DISCIPLINE = "none,sharing=fifo-plain,order=local-preempt";
const SECOND = 1000;

/** The first attempt of map 0 fails after ten seconds; every other attempt takes 100 s. */
const runs = ({ task, as }: Launch) =>
  task.index === 0 && as === "original" ? failsAfter(10 * SECOND) : steadily(100 * SECOND);

/** The kills of the world: the task that gives way, and the task for which it does. */
const kills = (world: World): readonly string[] =>
  world.actions.flatMap(({ at, action }) => {
    if (action.kind !== "kill" || action.for === undefined) return [];
    const { index } = world.view.task(world.view.attempt(action.attempt).task);
    return [`${at / SECOND} s: ${index} for ${world.view.task(action.for).index}`];
  });

/** A job whose map 0 has its data on n1, where it fails, and on n2, beside map 1. */
const failing = (options: WorldOptions = {}, homes: readonly string[] = ["n1", "n2"]): World => {
  const world = new World({ discipline: DISCIPLINE, nodes: 3, slots: [1, 0], runs, ...options });
  const places = [homes, ["n2"], ["n3"], ["n1"], ["n2"]];
  world.submit({ maps: 5, replicas: (index) => places[index] ?? [] });
  return world;
};

describe("a failed map", () => {
  test("has a slot beside its data at once, and the attempt there waits again", () => {
    const world = failing();
    world.advance(10 * SECOND);
    expect(kills(world)).toEqual(["10 s: 1 for 0"]);
    expect(world.launches().at(-1)).toBe("map/0 retry n2");
    world.finish();
    expect(world.launches("rerun")).toHaveLength(1);
  });

  test("counts as no failure of the task that gives way", () => {
    const world = failing();
    world.advance(10 * SECOND);
    const gave = world.view.task(world.view.attempt(world.attempt("map", 1)).task);
    expect(world.view.failures(gave.id)).toBe(0);
    expect(world.view.restarts(gave.id)).toBe(0);
  });

  test("has the attempt killed that has done the least", () => {
    const world = new World({
      discipline: DISCIPLINE,
      nodes: 3,
      slots: [1, 0],
      offers: "manual",
      runs,
    });
    world.submit({ maps: 3, replicas: (at) => [["n1", "n2", "n3"], ["n2"], ["n3"]][at] ?? [] });
    for (const [seconds, node] of [
      ["0", "n1"],
      ["4", "n2"],
      ["7", "n3"],
    ] as const) {
      world.advance(Number(seconds) * SECOND).offer(node);
    }
    world.advance(10 * SECOND);
    expect(kills(world)).toEqual(["10 s: 2 for 0"]);
  });

  test.each<[string, WorldOptions, readonly string[]]>([
    ["the node where it failed", {}, ["n1"]],
    [
      "a node whose attempt will be done before the work lost is done again",
      {
        sets: ["order.worth=10"],
      },
      ["n1", "n2"],
    ],
    ["a node whose attempt has given way before", { sets: ["order.yieldsMax=0"] }, ["n1", "n2"]],
  ])("kills no attempt on %s", (_, options, homes) => {
    const world = failing(options, homes);
    world.advance(11 * SECOND);
    expect(kills(world)).toEqual([]);
  });

  test("kills no attempt on a node with a slot that is about to be free", () => {
    const world = failing({ slots: [2, 0], offers: "manual" });
    world.offer("n1", [1, 0]);
    world.offer("n2", [1, 0]);
    world.advance(11 * SECOND);
    expect(kills(world)).toEqual([]);
  });

  test("kills no attempt on a host without slot offers", () => {
    const world = failing({ setup: { capabilities: ["requests", "kill-restart"] } });
    world.advance(11 * SECOND);
    expect(kills(world)).toEqual([]);
  });
});

describe("kills come to an end", () => {
  test("two failed tasks with the same nodes do not kill each other", () => {
    const both = ({ task, as }: Launch) =>
      task.index < 2 && as === "original"
        ? failsAfter((10 + task.index) * SECOND)
        : steadily(100 * SECOND);
    const world = new World({ discipline: DISCIPLINE, nodes: 3, slots: [1, 0], runs: both });
    const homes = [["n1", "n3"], ["n2", "n3"], ["n3"]];
    world.submit({ maps: 3, replicas: (index) => homes[index] ?? [] });
    world.advance(60 * SECOND);
    expect(kills(world)).toEqual(["10 s: 2 for 0"]);
  });

  test("a task gives way as often as `yieldsMax` says", () => {
    const yieldsOf = (yieldsMax: number): number => {
      const all = ({ task, as }: Launch) =>
        task.index < 6 && as === "original"
          ? failsAfter((10 + 20 * task.index) * SECOND)
          : steadily((task.index === 6 ? 500 : 5) * SECOND);
      const world = new World({
        discipline: DISCIPLINE,
        nodes: 7,
        slots: [1, 0],
        sets: [`order.yieldsMax=${yieldsMax}`],
        runs: all,
      });
      world.submit({
        maps: 7,
        replicas: (index) => (index === 6 ? ["n7"] : [`n${index + 1}`, "n7"]),
      });
      world.advance(200 * SECOND);
      return kills(world).length;
    };
    expect([0, 1, 2, 3].map(yieldsOf)).toEqual([0, 1, 2, 3]);
  });

  test("an attempt that runs again after the host's kill does not give way", () => {
    const kindOf = (world: World) => world.launches().at(-1);
    const world = failing();
    world.advance(5 * SECOND).kill(world.attempt("map", 1));
    expect(kindOf(world)).toBe("map/1 rerun n2");
    world.advance(10 * SECOND);
    expect(kills(world)).toEqual([]);
  });

  test("a pre-empted task does not count as failed", () => {
    const world = failing({ sets: ["order.shortShare=0"] });
    world.advance(60 * SECOND);
    expect(kills(world)).toEqual(["10 s: 1 for 0"]);
  });
});

describe("a kept slot", () => {
  test("is launched on before the sharing policy is asked", () => {
    const world = failing({ discipline: `${DISCIPLINE},sharing=fair` });
    world.submit({ name: "other", pool: "other", maps: 3, replicas: () => ["n2"] });
    world.advance(10 * SECOND);
    expect(world.launches().at(-1)).toBe("job1/map/0 retry n2");
  });

  test("keeps its task from slots elsewhere, for `waitMs` at most", () => {
    const world = new World({
      discipline: DISCIPLINE,
      nodes: 4,
      slots: [1, 0],
      offers: "manual",
      sets: ["order.waitMs=5000"],
      runs: () => steadily(200 * SECOND),
    });
    world.submit({ name: "long", maps: 2, inputBytes: 1e9, replicas: () => ["n1"] });
    world.offer("n1");
    world.offer("n2");
    world.advance(20 * SECOND);
    world.submit({ name: "short", maps: 1, inputBytes: 1e6, replicas: () => ["n1"] });
    expect(kills(world)).toEqual(["20 s: 0 for 0"]);
    world.advance(21 * SECOND).offer("n3");
    expect(world.launches()).toHaveLength(2);
    world.advance(26 * SECOND).offer("n4");
    world.advance(30 * SECOND);
    expect(world.launches().slice(2)).toEqual(["long/map/0 rerun n4", "short/map/0 original n3"]);
  });
});

describe("a short map", () => {
  const shortBeside = (options: WorldOptions, priority: "normal" | "low" = "normal"): World => {
    const long = ({ phase }: Launch) => steadily((phase === "map" ? 200 : 10) * SECOND);
    const world = new World({
      discipline: DISCIPLINE,
      nodes: 4,
      slots: [1, 0],
      runs: long,
      ...options,
    });
    const maps = Math.min(options.nodes ?? 4, 4);
    world.submit({ name: "long", maps, inputBytes: 2000, replicas: (at) => [`n${at + 1}`] });
    world.advance(20 * SECOND);
    const phase = {
      name: "short",
      tasks: 3,
      slots: ["map"],
      inputBytes: 100,
      replicas: () => ["n2", "n3"],
    };
    world.submit({ name: "short", priority, phases: [phase] });
    return world;
  };

  test("has a long attempt killed beside its data", () => {
    const world = shortBeside({});
    expect(kills(world)).toEqual(["20 s: 2 for 0", "20 s: 1 for 1"]);
    expect(world.launches().slice(4)).toEqual([
      "short/short/0 original n3",
      "short/short/1 original n2",
    ]);
  });

  test("leaves the other job as many slots as its own job has then", () => {
    const world = shortBeside({ nodes: 3 });
    expect(kills(world)).toEqual(["20 s: 2 for 0"]);
  });

  test.each<[string, WorldOptions, "normal" | "low"]>([
    ["if no task counts as short", { sets: ["order.shortShare=0"] }, "normal"],
    ["if it takes a larger share of the time left", { sets: ["order.shortShare=0.05"] }, "normal"],
    ["if its job has a lower priority", {}, "low"],
    ["while a slot is free elsewhere", { nodes: 5 }, "normal"],
  ])("kills no attempt %s", (_, options, priority) => {
    expect(kills(shortBeside(options, priority))).toEqual([]);
  });
});
