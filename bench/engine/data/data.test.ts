import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Chance } from "./chance.ts";
import { FREQUENT_LITERAL, writeProse } from "./prose.ts";
import { Ranks } from "./ranks.ts";
import { writeRecords } from "./records.ts";
import { writeFacts, writeGroups } from "./table.ts";
import { writeWords } from "./text.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "data-"));
});
afterEach(() => rmSync(place, { recursive: true }));

function made(write: (path: string) => void): string {
  const path = join(place, "made");
  write(path);
  return readFileSync(path, "latin1");
}

const linesOf = (text: string): readonly string[] => text.trimEnd().split("\n");

test("a seed gives the same bytes, another seed others", () => {
  const text = (seed: number) => made((path) => writeWords(path, { bytes: 1e4, words: 100, seed }));
  expect(text(1)).toBe(text(1));
  expect(text(1)).not.toBe(text(2));
});

test("words: of the vocabulary's size, a space between two, whole lines", () => {
  const text = made((path) => writeWords(path, { bytes: 1e5, words: 100, seed: 1 }));
  expect(text).toMatch(/^([a-z]+( [a-z]+){5,18}\n)+$/);
  expect(new Set(text.trim().split(/\s/)).size).toBe(100);
});

test("ranks come as often as their weights say", () => {
  const ranks = new Ranks(Float64Array.of(1, 2, 5));
  const chance = new Chance(1);
  const often = [0, 0, 0];
  for (let i = 0; i < 80_000; i++) often[ranks.draw(chance)]! += 1;
  for (const [rank, weight] of [1, 2, 5].entries()) {
    expect(Math.abs(often[rank]! / 10_000 - weight)).toBeLessThan(0.1);
  }
});

test("prose: about 40 of 100 lines hold the frequent literal", () => {
  const lines = linesOf(made((path) => writeProse(path, { bytes: 1e6, seed: 1 })));
  const matching = lines.filter((line) => line.includes(FREQUENT_LITERAL)).length;
  expect(matching / lines.length).toBeGreaterThan(0.36);
  expect(matching / lines.length).toBeLessThan(0.44);
});

test("records: lines of 100 bytes", () => {
  const text = made((path) => writeRecords(path, { lines: 300, seed: 1 }));
  expect(text).toMatch(/^([!-~]{10} \d{20} [A-Z]{67}\n){300}$/);
});

test("tables: each key has one group, and facts have no other keys", () => {
  const [heading, ...groups] = linesOf(made((path) => writeGroups(path, { keys: 50, seed: 1 })));
  expect(heading).toBe("k,g");
  const keys = groups.map((line) => Number(line.split(",")[0]));
  expect(keys.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, key) => key));
  const facts = linesOf(made((path) => writeFacts(path, { rows: 500, keys: 50, seed: 1 })));
  expect(facts).toHaveLength(501);
  expect(facts.slice(1).every((line) => /^([0-9]|[1-4][0-9]),\d{1,3}$/.test(line))).toBe(true);
});
