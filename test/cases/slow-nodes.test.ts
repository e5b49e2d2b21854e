import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "../cli/support/screen.ts";

const CASE = "../shared/cases/reports/s12b-slow-400.ndjson.gz";
if (!existsSync(CASE)) console.log(`skipped: a slow node of a case, since ${CASE} is absent`);

/** Each has a node that is surely slow; the lower end of what it cost was 0. */
const SLOW = [
  "fixtures/pairs/hadoop/none.jhist.gz",
  "fixtures/pairs/engine/none.ndjson.gz",
  "fixtures/spark/two-workers.ndjson",
];

async function exitCodeOf(path: string, rule: string): Promise<number> {
  return runProgram(["why", path, "--fail-on", rule], paperShell());
}

describe("a rule about slow nodes holds where a node is surely slow", () => {
  test.each(SLOW)("%s", async (path) => {
    expect(await exitCodeOf(path, "node>1%")).toBe(1);
    expect(await exitCodeOf(path, "node>90%")).toBe(0);
  });

  test.skipIf(!existsSync(CASE))(CASE, async () => {
    expect(await exitCodeOf(CASE, "node>5%")).toBe(1);
  });
});
