import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SETUP_DEFAULTS, type Setup } from "../../core/state/setup.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { RUN_DEFAULTS, recordOptions } from "../../run/options.ts";
import { RunDirectory } from "../../run/run-directory.ts";
import { readKilledRun } from "./killed-run.ts";
import { JournalFile } from "./master/journal-file.ts";

let parent = "";
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "broomwagon-remains-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

const discipline = parseDiscipline("late");
const setup: Setup = {
  ...{ ...SETUP_DEFAULTS, seed: 1, capabilities: [], discipline },
  ...{ slotKinds: ["map", "reduce"], racks: ["rack-1"] },
};

/**
 * The journal of a run whose master was killed after `lines` lines, and resumed after as many more.
 */
function journal(lines: number): RunDirectory {
  const run = RunDirectory.make(parent, new Date("2026-03-01T12:00:00Z"));
  const options = recordOptions({
    ...RUN_DEFAULTS,
    job: { file: "job.ts" },
    input: [],
    discipline,
  });
  for (const goesOn of [false, true]) {
    const file = new JournalFile(run.journal, setup, { explain: true, goesOn });
    if (!goesOn) file.host({ at: 0, kind: "run", id: run.id, options });
    for (let at = 1; at < lines; at++)
      file.host({ at, kind: "fault", node: "n1", what: "killed", fault: "kill", is: "begin" });
    if (goesOn) file.close();
    else file.flush();
  }
  return run;
}

test("a journal that was written by two masters is consistent", () => {
  for (const lines of [1, 29, 30, 31, 32, 33, 70]) {
    expect(readKilledRun(journal(lines)).options).toMatchObject({ job: { file: "job.ts" } });
  }
});

test("a journal with missing lines is not resumed", () => {
  const run = journal(70);
  const all = readFileSync(run.journal, "utf8").split("\n");
  writeFileSync(run.journal, all.toSpliced(40, 2).join("\n"));
  expect(() => readKilledRun(run)).toThrow(
    "journal.ndjson:64: the journal is damaged: expected 65 lines above, found 63",
  );
});
