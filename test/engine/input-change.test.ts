import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { RunError } from "broomwagon/engine";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { wordCount } from "./support/jobs.ts";
import { textOf } from "./support/text.ts";
import { Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 0, bytes: 0 });
afterAll(() => workshop.remove());

const PLAIN = join(workshop.input, "a.txt");
const COMPRESSED = join(workshop.input, "b.txt.gz");

// More than one read.
const TEXT = textOf({ bytes: 3_000_000, seed: 5 });
beforeEach(() => {
  workshop.clear();
  writeFileSync(PLAIN, TEXT);
  writeFileSync(COMPRESSED, gzipSync(TEXT, { level: 1 }));
});

/** Changes the input when its first record has been read. */
const meddling = (what: string): string =>
  workshop.job(
    "meddling",
    `import fs from "node:fs";
let lines = 0;
${wordCount()}`.replace(
      'ctx.count("lines");',
      `ctx.count("lines");\nif (++lines === 1) { ${what}; }`,
    ),
  );

const BEFORE = "expected the \\d+ bytes that it had when the job began, found \\d+";

const AS_IT_WAS = "expected the file as it was when the job began, found it modified since";

describe("an input file that changes while it is read", () => {
  test.each([
    { what: "shrinks", file: PLAIN, does: "fs.truncateSync(ctx.file, 100)", says: BEFORE },
    { what: "grows empty", file: PLAIN, does: "fs.truncateSync(ctx.file, 0)", says: BEFORE },
    {
      what: "is written to in place",
      file: PLAIN,
      does: 'fs.writeSync(fs.openSync(ctx.file, "r+"), "X", 0)',
      says: AS_IT_WAS,
    },
    {
      what: "is compressed and touched",
      file: COMPRESSED,
      does: "fs.utimesSync(ctx.file, 1, 1)",
      says: AS_IT_WAS,
    },
    {
      what: "is replaced by one of the same size",
      file: PLAIN,
      does: 'fs.copyFileSync(ctx.file, ctx.file + "x"); fs.renameSync(ctx.file + "x", ctx.file)',
      says: "expected the file that was there when the job began, found another in its place",
    },
    {
      what: "is compressed and shrinks",
      file: COMPRESSED,
      does: "fs.truncateSync(ctx.file, 1000)",
      says: BEFORE,
    },
    {
      what: "vanishes before its other splits are read",
      file: PLAIN,
      does: "fs.rmSync(ctx.file, { force: true })",
      says: "this input file is gone",
    },
    {
      what: "is another by then",
      file: PLAIN,
      does: 'fs.rmSync(ctx.file, { force: true }); fs.writeFileSync(ctx.file, "another")',
      says: BEFORE,
    },
  ])("and $what ends the job at once, and is named", async ({ file, does, says }) => {
    const error: unknown = await workshop
      .run(meddling(does), { nodes: 1, input: [file], splitBytes: 2_500_000 })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof RunError)) throw error;
    const { result } = error;
    expect(result.failure?.message).toMatch(new RegExp(`^${file}: ${says}`));
    // A retry could not help, so there is none.
    expect(result.totals).toMatchObject({ failed: 1 });
    expect(existsSync(workshop.output)).toBe(false);
  });
});

test("an input file that vanishes when all of it has been opened is read to its end", async () => {
  const job = meddling("fs.rmSync(ctx.file, { force: true })");
  const { result } = await workshop.run(job, { nodes: 1, input: [PLAIN], splitBytes: 5_000_000 });
  expect(existsSync(PLAIN)).toBe(false);
  expect(result.counters.lines).toBe(TEXT.split("\n").length - 1);
  expect(result.totals.failed).toBe(0);
  writeFileSync(PLAIN, TEXT);
  rmSync(COMPRESSED);
  await workshop.checkOutput(workshop.job("word-count", wordCount()));
});
