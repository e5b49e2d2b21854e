import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Unit } from "../../reproduce/experiment.ts";
import { UnitStore } from "./store.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "broomwagon-store-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const unit = (key: string, work: Unit["work"] = 1): Unit => ({ key, cost: 1, work });
const file = (): string => join(folder, "units", "late.ndjson");

function using<T>(version: string, use: (store: UnitStore) => T): T {
  const store = new UnitStore(folder, "late", version);
  try {
    return use(store);
  } finally {
    store.close();
  }
}

test("a kept outcome is found again, also by the next session", () => {
  using("v1", (store) => {
    expect(store.find(unit("a"))).toBeUndefined();
    store.keep(unit("a"), { outcome: { seconds: [1, 2] }, ms: 7 });
    expect(store.find(unit("a"))).toMatchObject({ outcome: { seconds: [1, 2] }, ms: 7 });
  });
  expect(using("v1", (store) => store.find(unit("a")))).toMatchObject({
    outcome: { seconds: [1, 2] },
    ms: 7,
  });
  expect(using("v1", (store) => store.find(unit("b")))).toBeUndefined();
});

test("outcomes of another program or of other data are dropped", () => {
  using("v1", (store) => store.keep(unit("a"), { outcome: 1, ms: 1 }));
  expect(using("v2", (store) => store.find(unit("a")))).toBeUndefined();
  expect(readFileSync(file(), "utf8")).toBe("");
});

test("a unit with the same name but other work is another unit", () => {
  using("v1", (store) => store.keep(unit("a", { seed: 1 }), { outcome: 1, ms: 1 }));
  expect(using("v1", (store) => store.find(unit("a", { seed: 2 })))).toBeUndefined();
});

test("a half-written line, left when the program died, costs only itself", () => {
  using("v1", (store) => {
    store.keep(unit("a"), { outcome: 1, ms: 1 });
    store.keep(unit("b"), { outcome: 2, ms: 1 });
  });
  appendFileSync(file(), '{"key":"c","of":"v1');
  using("v1", (store) => {
    expect(store.find(unit("a"))?.outcome).toBe(1);
    expect(store.find(unit("c"))).toBeUndefined();
    store.keep(unit("c"), { outcome: 3, ms: 1 });
  });
  expect(
    using("v1", (store) => ["a", "b", "c"].map((key) => store.find(unit(key))?.outcome)),
  ).toEqual([1, 2, 3]);
});
