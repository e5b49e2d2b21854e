import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { defined } from "../../src/base/assert.ts";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-simulate-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function simulate(scenario: string, ...args: readonly string[]) {
  const shell = paperShell();
  const path = scenario.includes("/") ? scenario : `scenarios/${scenario}.json`;
  const code = await runProgram(["simulate", path, ...args], shell);
  expect(shell.out.text).not.toContain("\n\n\n");
  // On a slow machine a study shows its progress.
  expect(shell.err.text).toMatch(/^(\d+ %, .*\n|The journal is .*\n)*$/);
  expect(code).toBe(0);
  return shell.out.text;
}

interface Measured {
  readonly measures: { readonly copies: number };
  readonly phases: readonly { readonly phase: string; readonly measures: object }[];
}

interface Row extends Measured {
  readonly label: string;
  readonly set: object;
  readonly swept?: { readonly value: number };
  readonly responseMs: { readonly mean: number };
  readonly speculative: { readonly launched: { readonly mean: number } };
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

describe("--set", () => {
  test("changes the rows that have the parameter, and leaves the others as they are", async () => {
    const set = ["--set", "speculation.speculativeCap=0"];
    const [plain, changed] = [await study("one-straggler"), await study("one-straggler", ...set)];
    expect(changed.rows.map(({ set }) => set)).toEqual([{}, { "speculation.speculativeCap": 0 }]);
    expect(changed.rows[0]).toEqual(plain.rows[0]);
    expect(changed.rows[1]?.responseMs.mean).toBe(plain.rows[0]?.responseMs.mean);
  });

  test("keeps the published figures of the rows that it does not change", async () => {
    const text = await simulate(
      "late-5.4",
      "--seeds",
      "1",
      "--set",
      "speculation.speculativeCap=1",
    );
    expect(text).toMatch(/^native .* 247\.0 /m);
  });

  test("is an error where no row has the parameter", async () => {
    const shell = paperShell();
    const path = "scenarios/one-straggler.json";
    const code = await runProgram(["simulate", path, "--set", "speculation.cap=1"], shell);
    expect([code, shell.err.text]).toEqual([
      2,
      "error: --set speculation.cap=1: no policy of none, late has this parameter; did you mean " +
        "speculation.speculativeCap?\n",
    ]);
  });
});

describe("--journal", () => {
  const journalOf = async (...args: readonly string[]) => {
    const journal = join(folder, "last.ndjson");
    const shell = paperShell();
    await runProgram(["simulate", ...args, "--journal", journal], shell);
    const replayed = paperShell();
    await runProgram(["replay", journal, "-o", "json"], replayed);
    return { said: shell.err.text, story: JSON.parse(replayed.out.text) };
  };

  test("records the last row of the table, and says which that is", async () => {
    const { said, story } = await journalOf("scenarios/one-straggler.json");
    expect(said).toBe("The journal is that of the last row: LATE, seed 1.\n");
    expect(story.actions).toMatchObject({ "launch speculative": 3 });
  });

  test("records the last value of a sweep", async () => {
    const { said, story } = await journalOf("scenarios/late-5.4.json", "--seeds", "1");
    expect(said).toContain("the last row: late, speculation.speculativeCap=1, seed 1.\n");
    const { rows } = await study("late-5.4", "--seeds", "1");
    expect(story.actions["launch speculative"]).toBe(rows.at(-1)?.speculative.launched.mean);
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

describe("what the papers measure", () => {
  async function ofJournal(journal: string): Promise<Measured> {
    const shell = paperShell();
    expect(await runProgram(["why", journal, "-o", "json"], shell)).toBe(0);
    const { measures, phases }: Measured = JSON.parse(shell.out.text);
    const known = phases.map(({ phase, measures: of }) => ({ phase, measures: of }));
    return { measures, phases: known };
  }

  test.each([
    ["sort-stragglers", "late"],
    ["late-4-locality", "late"],
    ["one-straggler", "none"],
  ])("%s under %s has the measures of its journal", async (scenario, discipline) => {
    const journal = join(folder, `${scenario}.ndjson`);
    const args = ["--discipline", discipline, "--seeds", "1", "--journal", journal];
    const { rows } = await study(scenario, ...args);
    const { measures, phases } = defined(rows.at(-1), "a row");
    expect({ measures, phases }).toEqual(await ofJournal(journal));
    expect(measures).toHaveProperty("copies");
  });

  test("a row has the mean over its runs, and a single row has the table of outliers", async () => {
    const { rows } = await study("sort-stragglers", "--seeds", "3");
    for (const { measures, speculative } of rows) {
      expect(measures.copies).toBeCloseTo(speculative.launched.mean, 9);
    }
    const text = await simulate("sort-stragglers", "--seeds", "1", "--discipline", "none");
    expect(text).toMatch(/^outliers of +share of tasks/m);
    expect(text).toMatch(/^tasks beside their data: \d+ %, in its rack: \d+ %/m);
  });
});
