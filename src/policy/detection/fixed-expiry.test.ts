import { expect, test } from "vitest";
import { World } from "../../../test/support/world.ts";
import { foundAfter } from "./fixed-expiry.ts";

const lostAt = (sets: readonly string[], silentAt: number, seed = 1): number | undefined => {
  const world = new World({ sets, nodes: 2, setup: { seed } });
  world.submit({ maps: 400 });
  world.advance(silentAt).silence("n1");
  world.advance(1_500_000);
  return world.actions.find(({ action }) => action.kind === "declare-lost")?.at;
};

test("a node is lost after 600 s of silence", () => {
  expect(lostAt([], 50_000)).toBe(650_000);
});

test("a node is lost after the configured silence", () => {
  expect(lostAt(["detection.expiryMs=10000"], 50_000)).toBe(60_000);
});

test("with looks every 200 s, the silence is noticed at the next look", () => {
  expect(lostAt(["detection.checkEveryMs=200000"], 50_000)).toBe(800_000);
  const hadoop = { expiryMs: 600_000, checkEveryMs: 200_000, firstLookMs: 0 };
  expect(foundAfter({ since: 0, ...hadoop })).toBe(600_000);
  expect(foundAfter({ since: 1, ...hadoop })).toBe(799_999);
  expect(foundAfter({ since: 1, ...hadoop, firstLookMs: 150_000 })).toBe(749_999);
});

test("where the first look is drawn, a silence is noticed within one interval", () => {
  const drawn = ["detection.checkEveryMs=200000", "detection.drawsFirstLook=true"];
  const found = Array.from({ length: 40 }, (_, seed) => lostAt(drawn, 50_000, seed) ?? Number.NaN);
  for (const at of found) {
    expect(at).toBeGreaterThanOrEqual(650_000);
    expect(at).toBeLessThan(850_000);
  }
  expect(Math.max(...found) - Math.min(...found)).toBeGreaterThan(150_000);
  expect(lostAt(drawn, 50_000, 7)).toBe(found[7]);
});

test("the same looks notice two silent nodes", () => {
  const sets = ["detection.checkEveryMs=200000", "detection.drawsFirstLook=true"];
  const world = new World({ sets, nodes: 3, setup: { seed: 5 } });
  world.submit({ maps: 400 });
  world.advance(50_000).silence("n1");
  world.advance(50_001).silence("n2");
  world.advance(1_500_000);
  const at = world.actions.filter(({ action }) => action.kind === "declare-lost");
  expect(at).toHaveLength(2);
  expect(at[0]?.at).toBe(at[1]?.at);
});

test("without looks no node is lost", () => {
  expect(lostAt(["detection.checkEveryMs=Infinity"], 50_000)).toBeUndefined();
});

test("a node that is heard in time is not lost", () => {
  const world = new World({ nodes: 2 });
  world.submit({ maps: 400 });
  world.advance(50_000).silence("n1");
  world.advance(600_000).hear("n1");
  world.advance(1_000_000);
  expect(world.actions.some(({ action }) => action.kind === "declare-lost")).toBe(false);
});
