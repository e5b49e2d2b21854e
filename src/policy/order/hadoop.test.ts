import { expect, test } from "vitest";
import { failsAfter, steadily } from "../../../test/support/curves.ts";
import { type Launch, World } from "../../../test/support/world.ts";

/** The given tasks fail the given number of times, after a second; the others take ten. */
const failing = (times: Readonly<Record<number, number>>) => {
  const failed = new Map<number, number>();
  return ({ task }: Launch) => {
    const before = failed.get(task.index) ?? 0;
    if (before >= (times[task.index] ?? 0)) return steadily(10_000);
    failed.set(task.index, before + 1);
    return failsAfter(1000);
  };
};

const tasks = (world: World): string[] =>
  world.launches().map((launch) => launch.split(" ")[0] ?? "");

test("tasks that have not been tried are in the order of their index", () => {
  const world = new World({ nodes: 1 });
  world.submit({ maps: 3 });
  world.finish();
  expect(tasks(world)).toEqual(["map/0", "map/1", "map/2"]);
});

test("a failed task comes before the others, so that a bug ends its job early", () => {
  const world = new World({ nodes: 1, runs: failing({ 0: 4 }) });
  world.submit({ maps: 9 });
  world.finish();
  expect(tasks(world)).toEqual(["map/0", "map/0", "map/0", "map/0"]);
});

test("of two failed tasks the one with more failures comes first, then the smaller index", () => {
  const world = new World({ nodes: 4, offers: "manual", runs: failing({ 0: 1, 1: 1, 2: 2 }) });
  world.submit({ maps: 3 });
  world.offer("n3");
  world.offer("n2");
  world.offer("n1");
  world.advance(1000).offer("n4");
  expect(world.launches().at(-1)).toBe("map/0 retry n4");
  const again = new World({ nodes: 4, offers: "manual", runs: failing({ 0: 2, 1: 1 }) });
  again.submit({ maps: 2 });
  again.offer("n1");
  again.advance(1000).offer("n2");
  again.advance(1500).offer("n1");
  again.advance(3000);
  expect(tasks(again)).toEqual(["map/0", "map/0", "map/1"]);
  again.offer("n3");
  expect(again.launches().at(-1)).toBe("map/0 retry n3");
});

test("a task does not run where it has failed", () => {
  const world = new World({ nodes: 3, offers: "manual", runs: failing({ 0: 1 }) });
  world.submit({ maps: 1 });
  world.offer("n1");
  world.advance(1000).offer("n1");
  expect(world.launches()).toEqual(["map/0 original n1"]);
  world.offer("n2");
  expect(world.launches()).toEqual(["map/0 original n1", "map/0 retry n2"]);
});

test("a task that has failed on every node may run anywhere again", () => {
  const world = new World({ nodes: 2, runs: failing({ 0: 2 }) });
  world.submit({ maps: 1 });
  world.finish();
  expect(world.launches().map((launch) => launch.split(" ")[2])).toEqual(["n1", "n2", "n1"]);
});

test("a failed task ignores locality: it goes before a task whose data are on the node", () => {
  const world = new World({ nodes: 2, racks: 2, offers: "manual", runs: failing({ 5: 1 }) });
  world.submit({ maps: 6, replicas: (index) => [index === 5 ? "n1" : "n2"] });
  world.offer("n1");
  world.advance(1000).offer("n2");
  expect(world.launches()).toEqual(["map/5 original n1", "map/5 retry n2"]);
});

test("a map whose output was lost with its node comes before maps that were never tried", () => {
  const world = new World({ nodes: 2, slots: [1, 1] });
  world.submit({ maps: 200, reduces: 1 });
  world.advance(10_500).silence("n1");
  world.advance(640_000);
  const again = world.launches().indexOf("map/0 recompute n2");
  // n1 is lost at 610.5 s; the next two slots of n2 go to the tasks that were on n1.
  expect(world.launches().slice(again, again + 2)).toEqual([
    "map/0 recompute n2",
    "map/2 rerun n2",
  ]);
});

test("a killed reduce goes back to its place by index", () => {
  const world = new World({ nodes: 1, slots: [0, 2], discipline: "none,sharing=fifo-plain" });
  world.submit({ maps: 0, reduces: 6 });
  world.advance(5000).kill(world.attempt("reduce", 1));
  world.advance(10_000);
  expect(tasks(world)).toEqual(["reduce/0", "reduce/1", "reduce/1", "reduce/2"]);
});
