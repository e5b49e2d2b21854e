import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { HeldValues } from "./held-values.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-held-"));
afterAll(() => rmSync(root, { recursive: true }));

const path = join(root, "held");
const values = [1, "two", { three: [3, null] }, new Uint8Array(4), undefined, "x".repeat(500)];

test("values that fit stay in memory", () => {
  const held = new HeldValues(values, path, 10_000);
  expect([held.isWritten, existsSync(path)]).toEqual([false, false]);
  expect([[...held], [...held]]).toEqual([values, values]);
});

test("others are written, and can be walked any number of times, also in part", () => {
  const held = new HeldValues(values, path, 200);
  expect([held.isWritten, existsSync(path)]).toEqual([true, true]);
  for (const value of held) if (value === "two") break;
  expect([[...held], [...held]]).toEqual([values, values]);
  held.close();
  expect(existsSync(path)).toBe(false);
});
