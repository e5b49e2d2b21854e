import { expect, test } from "vitest";
import { World } from "../../../test/support/world.ts";
import { instant } from "../../model/ids.ts";

test("a second success of an attempt that has been forgotten changes nothing", () => {
  const world = new World({ nodes: 1 });
  world.submit({ maps: 2 });
  const [first] = world.advance(15_000).events.filter(({ kind }) => kind === "attempt-succeeded");
  if (first === undefined) throw new Error("nothing has succeeded");
  const launches = world.launches();
  expect(world.step({ ...first, at: instant(15_000) })).toEqual([]);
  expect(world.launches()).toEqual(launches);
});
