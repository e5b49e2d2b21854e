import { expect, test } from "vitest";
import { World } from "../../../test/support/world.ts";
import { foundAfter } from "./fixed-expiry.ts";

const lostAt = (sets: readonly string[], silentAt: number): number | undefined => {
  const world = new World({ sets, nodes: 2 });
  world.submit({ maps: 400 });
  world.advance(silentAt).silence("n1");
  world.advance(1_500_000);
  return world.actions.find(({ action }) => action.kind === "declare-lost")?.at;
};

test("a node is lost after 600 s of silence", () => {
  expect(lostAt([], 50_000)).toBe(650_000);
});

test("a node is lost after the silence that is set", () => {
  expect(lostAt(["detection.expiryMs=10000"], 50_000)).toBe(60_000);
});

test("with looks every 200 s, the silence is found out at the next", () => {
  expect(lostAt(["detection.checkEveryMs=200000"], 50_000)).toBe(800_000);
  const hadoop = { expiryMs: 600_000, checkEveryMs: 200_000 };
  expect(foundAfter({ since: 0, ...hadoop })).toBe(600_000);
  expect(foundAfter({ since: 1, ...hadoop })).toBe(799_999);
});

test("where nobody ever looks, no node is lost", () => {
  expect(lostAt(["detection.checkEveryMs=Infinity"], 50_000)).toBeUndefined();
});

test("a node that speaks in time is not lost", () => {
  const world = new World({ nodes: 2 });
  world.submit({ maps: 400 });
  world.advance(50_000).silence("n1");
  world.advance(600_000).hear("n1");
  world.advance(1_000_000);
  expect(world.actions.some(({ action }) => action.kind === "declare-lost")).toBe(false);
});
