import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const HISTORIES = ["fixtures/spark/two-workers.ndjson", "fixtures/hadoop/json.jhist"];
const FLAGS = ["--try", "late,none", "--seeds", "4"];

async function whatif(...args: readonly string[]): Promise<string> {
  const shell = paperShell();
  await runProgram(["whatif", ...args, ...FLAGS], shell);
  return shell.out.text;
}

interface Row {
  readonly policy: string;
  readonly byAttempt: {
    readonly ms: number;
    readonly lowMs: number;
    readonly highMs: number;
    readonly slotShare: number;
  };
}

test("a month under a policy is the sum of its jobs, with the interval of their sum", async () => {
  const json = JSON.parse(await whatif(...HISTORIES, "-o", "json"));
  expect(json.policies.map(({ policy }: Row) => policy).sort()).toEqual(["late", "none"]);
  for (const { policy, jobs, responseMs, ms, lowMs, highMs, slotShare } of json.policies) {
    let [sum, response, below, above, slots, changed] = [0, 0, 0, 0, 0, 0];
    let count = 0;
    for (const job of json.jobs) {
      const row = job.rows.find((one: Row) => one.policy === policy);
      if (row === undefined) continue;
      const { byAttempt: shown }: Row = row;
      count += 1;
      sum += shown.ms;
      response += job.responseMs;
      below += (shown.ms - shown.lowMs) ** 2;
      above += (shown.highMs - shown.ms) ** 2;
      slots += job.slotMs;
      changed += shown.slotShare * job.slotMs;
    }
    expect([jobs, responseMs]).toEqual([count, response]);
    expect(ms).toBeCloseTo(sum, 6);
    expect(lowMs).toBeCloseTo(sum - Math.sqrt(below), 6);
    expect(highMs).toBeCloseTo(sum + Math.sqrt(above), 6);
    expect(slotShare).toBeCloseTo(changed / slots, 9);
  }
});

test("a job counts once, also where another history has moved its times", async () => {
  const [own = ""] = HISTORIES;
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-moved-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = readFileSync(own, "utf8");
  const moved = log.replaceAll(/\b\d{13}\b/g, (at) => String(Number(at) + 60_000));
  expect(moved).not.toBe(log);
  const other = join(folder, "moved.ndjson");
  writeFileSync(other, moved);
  const json = JSON.parse(await whatif(...HISTORIES, other, own, "-o", "json"));
  expect(json.jobs.map(({ history }: { history: string }) => history)).toEqual(HISTORIES);
});

const TRACES = "../shared/data/hadoop/rumen-golden";
const HAS_TRACES = existsSync(TRACES);
if (!HAS_TRACES) console.log(`skipped: a trace that Rumen has folded, since ${TRACES} is absent`);

test.skipIf(!HAS_TRACES)("a job of a trace and of its fold counts once", async () => {
  const named = ["folder-input-trace.json.gz", "goldFoldedTrace.json.gz"];
  const paths = named.map((name) => join(TRACES, name));
  const { jobs, unread } = JSON.parse(
    await whatif(...paths, "--job", "job_200910281128_10018", "-o", "json"),
  );
  expect([jobs.length, unread]).toEqual([1, []]);
});
