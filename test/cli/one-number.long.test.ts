import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import type { Compare } from "../../src/diagnose/compare/compare.ts";
import type { Why } from "../../src/diagnose/document.ts";
import { plain, span } from "../../src/diagnose/figures.ts";
import type { PageHead } from "../../src/report/page/document.ts";
import type { WhatIf } from "../../src/whatif/document.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { paperShell } from "./support/screen.ts";

/** Of every format that the repository has, with and without copies, slow nodes and failures. */
const HISTORIES = [
  "fixtures/hadoop/json.jhist",
  "fixtures/hadoop/binary.jhist",
  "fixtures/spark/two-workers.ndjson",
  "fixtures/pairs/spark/1-off.ndjson.zst",
  "fixtures/pairs/spark/on.ndjson.zst",
  "fixtures/pairs/hadoop/none.jhist.gz",
  "fixtures/pairs/hadoop/stock.jhist.gz",
  "fixtures/pairs/hadoop/late.jhist.gz",
  "fixtures/pairs/engine/none.ndjson.gz",
  "fixtures/pairs/engine/late.ndjson.gz",
];
const temporary = temporaryDirectory();

async function broomwagon(...args: readonly string[]): Promise<string> {
  const shell = paperShell(10_000);
  const code = await runProgram(args, shell);
  // Of a what-if, 1 says that the simulator does not reproduce the job.
  expect([0, 1], shell.err.text).toContain(code);
  return shell.out.text;
}

/** The answers of all commands to the same questions. */
interface Answers {
  readonly why: Why;
  readonly text: string;
  readonly page: PageHead;
  readonly compare: Compare;
  readonly whatif: WhatIf;
  readonly listed: {
    readonly responseMs: number;
    readonly delayMs: number;
    readonly attempts: number;
    readonly causes: readonly { readonly cause: string; readonly ms: number }[];
  };
}

async function answersTo(path: string): Promise<Answers> {
  const out = join(temporary, "page.json");
  const json = async (...args: readonly string[]) =>
    JSON.parse(await broomwagon(...args, "-o", "json"));
  await broomwagon("report", path, "--format", "json", "--out", out);
  const page: PageHead = JSON.parse(readFileSync(out, "utf8"));
  return {
    why: await json("why", path),
    text: await broomwagon("why", path),
    page,
    compare: await json("compare", path, path),
    whatif: await json("whatif", path, "--try", "none", "--seeds", "2"),
    listed: (await json("why", path, "--jobs", "--no-cache")).jobs[0],
  };
}

const copiesOf = ({ copies }: Why): number => copies?.made ?? 0;

/** Without its evidence, of which the page has a longer list. */
const topOf = ({ causes: [top] }: Why) => top && { ...top, evidence: [] };

describe.each(HISTORIES)("one number for a question about %s:", (path) => {
  let found: Answers;
  beforeAll(async () => {
    found = await answersTo(path);
  });

  test("how long it took, and how much of that was lost", () => {
    const { why, text, page, compare, whatif, listed } = found;
    const { responseMs, delayMs } = why;
    expect(page.why).toMatchObject({ responseMs, delayMs });
    expect(listed).toMatchObject({ responseMs, delayMs });
    expect([compare.a.responseMs, compare.b.responseMs]).toEqual([responseMs, responseMs]);
    expect(whatif.responseMs).toBe(responseMs);
    const [headline = ""] = text.split("\n");
    expect(headline).toContain(span(responseMs));
    if (delayMs > 0.01 * responseMs) expect(headline).toContain(span(delayMs));
  });

  test("which attempts and copies it had", () => {
    const { why, page, compare, listed } = found;
    expect(page.why?.job.attempts).toBe(why.job.attempts);
    expect(listed.attempts).toBe(why.job.attempts);
    expect(page.why?.copies).toEqual(why.copies);
    expect([compare.a.copies, compare.b.copies]).toEqual([copiesOf(why), copiesOf(why)]);
    if (copiesOf(why) > 0) expect(found.text).toMatch(new RegExp(`^${copiesOf(why)} cop`, "m"));
  });

  test("how many slots", () => {
    const { why, page, text } = found;
    expect(page.why?.slots).toEqual(why.slots);
    expect(page.slotsKnown).toBe(why.slots.isRecorded);
    expect(page.rows.length).toBe(why.slots.most);
    const own = why.sizes.find(({ slots }) => slots === why.slots.most);
    expect(text).toContain(`${why.slots.most}: ${span(own?.responseMs ?? Number.NaN)}`);
  });

  test("what cost most, and between which bounds", () => {
    const { why, text, page, compare, listed } = found;
    const top = topOf(why);
    expect(page.why && topOf(page.why)).toEqual(top);
    const { cause, ms, lowMs = 0, highMs = 0 } = top ?? { cause: "", ms: 0 };
    const own = <T extends { readonly cause: string }>(rows: readonly T[]) =>
      rows.find((row) => row.cause === cause);
    expect(own(listed.causes)?.ms ?? 0).toBe(ms);
    if (ms === 0) return;
    expect(own(compare.causes)).toMatchObject({ aMs: ms, bMs: ms, changeMs: 0 });
    expect(text).toMatch(new RegExp(` ${plain(ms)} +${plain(lowMs)} to ${plain(highMs)}`));
  });

  test("in which words", () => {
    expect(found.page.why?.verdict).toBe(found.why.verdict);
    expect(found.text.startsWith(found.why.verdict.split("\n")[0] ?? "?")).toBe(true);
  });
});
