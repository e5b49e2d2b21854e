import { describe, expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { World, type WorldOptions } from "../../../test/support/world.ts";

/** n1 and n3 are on r1, n2 and n4 on r2; only n1 runs a reduce when its map ends. */
const copies = (sets: readonly string[] = [], options: WorldOptions = {}): readonly string[] => {
  const world = new World({
    discipline: "none,sharing=fifo-plain,data=copy-outputs",
    sets,
    nodes: 4,
    racks: 2,
    slots: [1, 1],
    offers: "manual",
    runs: ({ phase, task }) => steadily(phase === "map" ? 1000 + task.index * 1000 : 60_000),
    ...options,
  });
  world.submit({ maps: 3, reduces: 1, start: { when: "pipelined" } });
  world.offer("n1");
  world.offer("n2");
  world.offer("n3", [1, 0]);
  world.advance(10_000);
  return world.actions.flatMap(({ action }) =>
    action.kind === "replicate"
      ? [`${world.view.task(action.task).index} to r${action.to + 1}`]
      : [],
  );
};

describe("an output is copied", () => {
  test("if a reader on its node consumes it, to a node of the same rack", () => {
    expect(copies()).toEqual(["0 to r1"]);
  });

  test("wherever its readers are, if none are selected", () => {
    expect(copies(["data.selective=false"])).toEqual(["0 to r1", "1 to r2", "2 to r1"]);
  });

  test("to the next rack, if it must leave its own", () => {
    expect(copies(["data.selective=false", "data.sameRack=false"])).toEqual([
      "0 to r2",
      "1 to r1",
      "2 to r2",
    ]);
  });
});

test("an output without readers is not copied", () => {
  const world = new World({
    discipline: "none,sharing=fifo-plain,data=copy-outputs",
    sets: ["data.selective=false"],
  });
  world.submit({ maps: 3 });
  world.finish();
  expect(world.actions.some(({ action }) => action.kind === "replicate")).toBe(false);
});

test("a host that cannot replicate is refused", () => {
  const setup = { capabilities: ["slot-offers" as const] };
  expect(() => new World({ discipline: "none,data=copy-outputs", setup })).toThrow(
    /needs replicate/,
  );
});

test("an output that is lost without a copy is recomputed at once, as in Hadoop", () => {
  const world = new World({
    discipline: "none,sharing=fifo-plain,data=copy-outputs",
    nodes: 2,
    slots: [1, 1],
    runs: ({ phase }) => steadily(phase === "map" ? 1000 : 60_000),
  });
  world.submit({ maps: 2, reduces: 1 });
  world.advance(5000);
  world.step({
    at: world.at,
    kind: "output-lost",
    task: world.task("map", 1),
    node: world.node("n2"),
  });
  expect(world.launches("recompute")).toHaveLength(1);
});
