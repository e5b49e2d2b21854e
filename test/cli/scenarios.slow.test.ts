import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

interface Row {
  readonly label: string;
  readonly swept?: { readonly value: number | boolean };
  readonly responseMs: { readonly mean: number };
}

interface Study {
  readonly about: string;
  readonly rows: readonly Row[];
}

async function study(scenario: string): Promise<Study> {
  const shell = paperShell();
  await runProgram(["simulate", `scenarios/${scenario}.json`, "-o", "json"], shell);
  const read: Study = JSON.parse(shell.out.text);
  return read;
}

/** Each shipped scenario: the rows, in whole seconds, that its `about` promises over all seeds. */
const PROMISES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "late-5.4": { none: 737, native: 244, "late at 0.1": 225, "late at 0.2": 164 },
  "esplash-5": { "esplash at false": 284, "esplash at true": 274 },
  "late-2.2": { hadoop: 386, "hadoop, no reduce copies": 383 },
  "late-4.1": { late: 480, "lowest rate first": 540 },
  "late-4-copies": { late: 561, "late at 2": 399 },
  "late-4-locality": { late: 313, "late, nearest at 0.2": 279 },
  "one-straggler": { "speculation off": 952, LATE: 399 },
  "late-5.4.3": { "late without SlowNodeThreshold": 348, late: 240 },
  "sort-stragglers": { none: 717, hadoop: 271, late: 308, "late after 15 s": 262 },
  "slots-beside-the-data": {
    "hadoop's order": 168,
    "local-failed-first": 169,
    "local-preempt, failed tasks": 160,
    "local-preempt": 130,
  },
  "mantri-under-fair": {
    none: 255,
    hadoop: 196,
    late: 199,
    mantri: 171,
    "none, share alone": 351,
    "hadoop, share alone": 267,
    "late, share alone": 266,
    "mantri, share alone": 250,
  },
  "five-nodes-in-trouble": { hadoop: 297, "late-early": 322 },
};

const nameOf = ({ label, swept }: Row): string =>
  swept === undefined ? label : `${label} at ${swept.value}`;

describe("a shipped scenario says what to expect", () => {
  test("every scenario is tested here", () => {
    const files = readdirSync("scenarios").filter((name) => name.endsWith(".json"));
    expect(files.map((name) => name.replace(".json", "")).sort()).toEqual(
      Object.keys(PROMISES).sort(),
    );
  });

  test.each(Object.entries(PROMISES))("%s", async (name, promised) => {
    const { about, rows } = await study(name);
    expect(about).toContain("Expect ");
    for (const [row, seconds] of Object.entries(promised)) {
      expect(about).toContain(`${seconds} s`);
      const found = rows.find((each) => nameOf(each) === row);
      expect([row, Math.round((found?.responseMs.mean ?? 0) / 1000)]).toEqual([row, seconds]);
    }
  });

  test("five nodes in trouble have no winner: the two named rows are the extremes", async () => {
    const { rows } = await study("five-nodes-in-trouble");
    const means = rows.map(({ responseMs }) => Math.round(responseMs.mean / 1000));
    expect([Math.min(...means), Math.max(...means)]).toEqual([297, 322]);
  });
});
