import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { whatIf, why } from "../../src/index.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { paperShell } from "./support/screen.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-default-job-"));
const journal = join(folder, "journal.ndjson");
afterAll(() => rmSync(folder, { recursive: true }));

async function broomwagon(...args: readonly string[]): Promise<string> {
  const shell = paperShell();
  expect(await runProgram(args, shell), shell.err.text).toBe(0);
  return shell.out.text;
}

const jsonOf = async (...args: readonly string[]) => JSON.parse(await broomwagon(...args));

// Two jobs, of which the longer one is not the one that lost most.
const LOST_MOST = "count-0";
const LONGEST = "count-1";

beforeAll(async () => {
  const scenario = "scenarios/five-nodes-in-trouble.json";
  await broomwagon("simulate", scenario, "--discipline", "late", "--journal", journal);
  const { jobs } = await openTrace(journal);
  const [longest] = jobs.toSorted(
    (a, b) => b.endedAt - b.submittedAt - (a.endedAt - a.submittedAt),
  );
  expect(longest?.id).toBe(LONGEST);
});

/** The job that a command means, where none is named; with `--job`, if one is. */
const MEANT: Readonly<Record<string, (flags: readonly string[]) => Promise<string>>> = {
  why: async (flags) =>
    (await jsonOf("why", journal, "--no-intervals", "-o", "json", ...flags)).job.id,
  whatif: async (flags) =>
    (await jsonOf("whatif", journal, "--try", "none", "--seeds", "2", "-o", "json", ...flags)).job,
  compare: async (flags) =>
    (await jsonOf("compare", journal, journal, "-o", "json", ...flags)).b.id,
  "compare, the first run": async (flags) =>
    (await jsonOf("compare", journal, journal, "-o", "json", ...flags)).a.id,
  report: async (flags) => (await reported(...flags)).why.job.id,
  "report --against": async (flags) =>
    (await reported("--against", journal, ...flags)).compare.a.id,
};

async function reported(...flags: readonly string[]) {
  const out = join(folder, "page.json");
  await broomwagon("report", journal, "--no-intervals", "--format", "json", "--out", out, ...flags);
  return JSON.parse(readFileSync(out, "utf8"));
}

test.each(Object.entries(MEANT))("%s means the job that lost most", async (_, meant) => {
  expect(await meant([])).toBe(LOST_MOST);
});

test.each(Object.entries(MEANT))("%s means the job that --job names", async (_, meant) => {
  expect(await meant(["--job", LONGEST])).toBe(LONGEST);
});

test("so do the functions of the library", async () => {
  const [explained, tried] = [
    await why(journal, { intervals: false }),
    await whatIf(journal, { try: "none", seeds: 2 }),
  ];
  expect([explained.job.id, tried.job]).toEqual([LOST_MOST, LOST_MOST]);
});
