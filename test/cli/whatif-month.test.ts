import { expect, test } from "vitest";
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
