import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "../cli/support/screen.ts";
import { checkTrace } from "../support/journal-trace.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-journal-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a journal's trace has the attempts, times and ends of its facts", () => {
  test.each([
    ["scenarios/one-straggler.json", "late"],
    ["scenarios/five-nodes-in-trouble.json", "hadoop"],
  ])("of the simulator: %s under %s", async (scenario, discipline) => {
    const path = join(folder, `${discipline}.ndjson`);
    const shell = paperShell();
    const flags = ["--discipline", discipline, "--seeds", "1", "--journal", path];
    expect([await runProgram(["simulate", scenario, ...flags], shell), shell.err.text]).toEqual([
      0,
      "",
    ]);
    const { jobs } = checkTrace(path);
    const [job] = jobs;
    expect(job?.outcome).toBe("succeeded");
    expect(job?.slots.length).toBeGreaterThan(0);
    expect(job?.phases.every(({ attempts }) => attempts.curves !== undefined)).toBe(true);
    expect(job?.settings.values.speculation).toBe(discipline);
  });

  test.each(
    ["", "yarn/"].flatMap((sub) =>
      readdirSync(`test/replay/${sub}`)
        .filter((name) => name.endsWith(".ndjson"))
        .map((name) => `test/replay/${sub}${name}`),
    ),
  )("as recorded: %s", (path) => {
    checkTrace(path);
  });
});
