import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { restoreDiscipline } from "../../src/policy/discipline.ts";
import { checkBooks } from "./every-book.ts";
import { checkWorlds } from "./worlds.ts";

const textOf = (path: string): string => {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
};

const inFolder = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /\.ndjson(\.gz)?$/.test(name))
    .map((name) => `${folder}/${name}`);

const JOURNALS = [
  ...inFolder("fixtures/page"),
  ...inFolder("fixtures/pairs/engine"),
  ...inFolder("test/replay/yarn"),
];

test.each(JOURNALS)("all books say the same of each attempt: %s", (path) => {
  checkBooks(textOf(path).trimEnd().split("\n"), restoreDiscipline);
});

test("also of a journal that is cut off", () => {
  const lines = textOf("fixtures/pairs/engine/late.ndjson.gz").trimEnd().split("\n");
  for (const share of [0.3, 0.7]) {
    checkBooks(lines.slice(0, Math.floor(share * lines.length)), restoreDiscipline);
  }
});

test("also of random worlds, in some of which attempts are lost", () => {
  expect(checkWorlds({ first: 0, count: 20 })).toBeGreaterThan(0);
});
