import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Link } from "./link.ts";

let directory = "";
let now = 0;
const open = (): Link => new Link(join(directory, "link"), () => now);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "broomwagon-link-"));
  now = 1_000;
});
afterEach(() => rmSync(directory, { recursive: true }));

/** An idle link lets 10 ms through at once. */
const BURST_MS = 10;

test("readers that do not know each other take turns", () => {
  open().setRate(100);
  const [first, second] = [open(), open()];
  expect(first.reserve(50_000)).toBe(1_500 - BURST_MS);
  expect(second.reserve(20_000)).toBe(1_700 - BURST_MS);
  now = 1_200;
  expect(first.reserve(10_000)).toBe(1_800 - BURST_MS);
});

test("a late reader reads all earlier reservations", () => {
  open().setRate(100);
  const early = open();
  for (let i = 0; i < 1_000; i++) early.reserve(100);
  expect(open().reserve(100)).toBe(1_000 + 1_001 - BURST_MS);
});

test("an idle link saves up only its burst", () => {
  open().setRate(100);
  const reader = open();
  reader.reserve(1_000);
  now = 60_000;
  expect(reader.reserve(1_000)).toBe(60_010 - BURST_MS);
  expect(reader.reserve(1_000)).toBe(60_020 - BURST_MS);
});

test("a change of the rate applies to later reservations", () => {
  const master = open();
  master.setRate(100);
  const reader = open();
  reader.reserve(100_000);
  now = 1_500;
  master.setRate(50);
  // 50,000 bytes were left, which take 1,000 ms now.
  expect(reader.reserve(50_000)).toBe(3_500 - BURST_MS);
});

test("bytes are taken in chunks of 20 ms, so that readers take turns", () => {
  open().setRate(100);
  const reader = open();
  reader.reserve(1);
  expect(reader.chunkBytes).toBe(2_000);
});
