import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-simulate-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function simulate(scenario: string, ...args: readonly string[]) {
  const shell = paperShell();
  const path = scenario.includes("/") ? scenario : `scenarios/${scenario}.json`;
  const code = await runProgram(["simulate", path, ...args], shell);
  // On a slow machine a study shows its progress.
  expect(shell.err.text).toMatch(/^(\d+ %, .*\n)*$/);
  expect(code).toBe(0);
  return shell.out.text;
}

interface Row {
  readonly label: string;
  readonly set: object;
  readonly swept?: { readonly value: number };
  readonly responseMs: { readonly mean: number };
  readonly faultsMissed: readonly object[];
}

interface Study {
  readonly about: string;
  readonly rows: readonly Row[];
}

async function study(scenario: string, ...args: readonly string[]): Promise<Study> {
  const read: Study = JSON.parse(await simulate(scenario, ...args, "-o", "json"));
  return read;
}

describe("--discipline", () => {
  test("takes the scenario's rows of that name with their settings, and prints them", async () => {
    const text = await simulate("five-nodes-in-trouble", "--discipline", "late", "--seeds", "1");
    expect(text).toContain(
      "Settings: detection.expiryMs=15000, speculation.runtimeMsMin=15000; all other parameters " +
        "have their\ndefaults.",
    );
    const whole = await study("five-nodes-in-trouble", "--seeds", "1");
    const { rows } = await study("five-nodes-in-trouble", "--discipline", "late", "--seeds", "1");
    expect(rows).toEqual(whole.rows.filter(({ label }) => label === "late"));
  });

  test("takes a row by its label where no discipline has that name", async () => {
    const label = "late without SlowNodeThreshold";
    const { rows } = await study("late-5.4.3", "--discipline", label);
    expect(rows.map((row) => [row.label, row.responseMs.mean])).toEqual([[label, 348_000]]);
  });

  test("another discipline runs with its defaults; the scenario's settings are named", async () => {
    const text = await simulate("five-nodes-in-trouble", "--discipline", "flink", "--seeds", "1");
    expect(text).toContain(
      "Settings: every parameter has its default. The scenario has no row flink; all of its " +
        "rows have\ndetection.expiryMs=15000 (add --set detection.expiryMs=15000 to compare).",
    );
  });

  test("a parameter of --set is no longer swept, and is in force", async () => {
    const args = ["--discipline", "late", "--set", "speculation.speculativeCap=0.3"];
    const { rows } = await study("late-5.4", ...args, "--seeds", "1");
    expect(rows.map(({ set, swept }) => ({ set, swept }))).toEqual([
      { set: { "speculation.speculativeCap": 0.3 }, swept: undefined },
    ]);
  });
});

test("a fault that came after the end of some runs is noted", async () => {
  const faults = [
    { kind: "pause", at: 0, node: "X", forMs: 1 },
    { kind: "kill", at: 245_000, node: "fast-*" },
  ];
  const chaos = join(folder, "faults.json");
  writeFileSync(chaos, JSON.stringify(faults));
  const text = await simulate("late-5.4.3", "--chaos", chaos);
  const note =
    /^note: fast-0, fast-1, fast-2 and 7 more were to be killed at 4 min 5 s, but the run/gm;
  expect(text.match(note)).toHaveLength(1);
  expect(text.replaceAll("\n", " ")).toMatch(/but the run under late ended at \d/);
  const { rows } = await study("late-5.4.3", "--chaos", chaos);
  expect(rows.map(({ faultsMissed }) => faultsMissed.length)).toEqual([0, 1]);
  expect(rows[1]?.faultsMissed[0]).toMatchObject({ fault: faults[1], at: 245_000, runs: 1 });
});

test("the first example of the help leads with late-5.4", () => {
  const source = readFileSync("src/cli/simulate.ts", "utf8");
  expect(source).toMatch(/EXAMPLES = \[\n {2}"simulate scenarios\/late-5\.4\.json",/);
});
