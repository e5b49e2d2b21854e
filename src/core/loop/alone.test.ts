import { expect, test } from "vitest";
import { World } from "../../../test/support/world.ts";
import { instant, nodeId } from "../../model/ids.ts";

test("a second success of an attempt that has been forgotten changes nothing", () => {
  const world = new World({ nodes: 1 });
  world.submit({ maps: 2 });
  const [first] = world.advance(15_000).events.filter(({ kind }) => kind === "attempt-succeeded");
  if (first === undefined) throw new Error("nothing has succeeded");
  const launches = world.launches();
  expect(world.step({ ...first, at: instant(15_000) })).toEqual([]);
  expect(world.launches()).toEqual(launches);
});

test("a success counts as progress of its node", () => {
  const world = new World({ nodes: 1 });
  world.submit({ maps: 2 });
  world.advance(15_000).look();
  expect(world.view.nodeProgress(nodeId(0))).toBe(1.5);
});

test("a task that has succeeded and gone from memory has no attempt", () => {
  const world = new World({ nodes: 1 });
  world.submit({ maps: 3 });
  const done = world.task("map", 0);
  world.advance(15_000);
  expect(world.view.isDone(done)).toBe(true);
  expect(world.view.attemptsOf(done)).toEqual([]);
  expect(world.view.runningOf(done)).toEqual([]);
});
