import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { gatherCorpus, writeRepeated } from "../../src/cli/demo/corpus.ts";
import { type DemoRun, gainOf } from "../../src/cli/demo/gain.ts";
import { compareCounts, countPlainly, readCounts } from "../../src/cli/demo/plain-count.ts";
import { demoPolicies, scaledParameters } from "../../src/cli/demo/plan.ts";
import { reportText } from "../../src/cli/demo/report.ts";
import { emptyResult } from "./support/empty-result.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-demo-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the text", () => {
  test("is gathered from installed packages, the same each time, and is text", () => {
    const [once, again] = [gatherCorpus(300_000), gatherCorpus(300_000)];
    expect(once.text.equals(again.text)).toBe(true);
    expect(once.text.length).toBeGreaterThanOrEqual(300_000);
    expect(once.files).toBeGreaterThan(1);
    expect(once.text.includes(0)).toBe(false);
  });

  test("is repeated whole, so that the seams make no new words", () => {
    const path = join(folder, "text.txt");
    const copies = writeRepeated({ text: Buffer.from("to be or\n"), files: 1 }, path, 20);
    expect(copies).toBe(3);
    expect(readFileSync(path, "utf8")).toBe("to be or\nto be or\nto be or\n");
    const one = countPlainly("to be or\n");
    const whole = countPlainly(readFileSync(path, "utf8"));
    expect(compareCounts(one, copies, whole)).toEqual({ kind: "equal", words: 3 });
  });
});

describe("the plain count", () => {
  test("knows the letters of all alphabets, and ignores case", () => {
    expect([...countPlainly("Größe größe, x1 naïve\nЖук")]).toEqual([
      ["größe", 2],
      ["x", 1],
      ["naïve", 1],
      ["жук", 1],
    ]);
  });

  test("sees a word that is missing, counted wrongly, or written twice", () => {
    const output = join(folder, "out");
    mkdirSync(output);
    writeFileSync(join(output, "part-00000"), "a\t1\nb\t2\n");
    writeFileSync(join(output, "part-00001"), "c\t3\n");
    writeFileSync(join(output, "_SUCCESS"), "");
    const plain = new Map([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ]);
    expect(compareCounts(plain, 1, readCounts(output))).toEqual({ kind: "equal", words: 3 });
    expect(compareCounts(new Map([...plain, ["d", 1]]), 1, readCounts(output))).toMatchObject({
      kind: "different",
      text: "d: counted 1, written 0",
    });
    writeFileSync(join(output, "part-00001"), "c\t4\nc\t3\n");
    expect(compareCounts(plain, 1, readCounts(output)).kind).toBe("different");
  });
});

describe("the plan", () => {
  test("compares off, Hadoop's rule and LATE, equally patient with silence", () => {
    const policies = demoPolicies();
    const names = policies.map(({ discipline }) => discipline.speculation.policy.name);
    expect(names).toEqual(["none", "hadoop", "late"]);
    for (const { discipline } of policies) {
      expect(discipline.detection).toEqual(policies[0]?.discipline.detection);
    }
  });

  test("each scaled parameter stands beside its published value", () => {
    const rows = new Map(
      scaledParameters().map(({ name, here, published }) => [name, [here, published]]),
    );
    expect(rows.get("speculation.runtimeMsMin")?.[1]).toBe("60.0 s");
    expect(rows.get("speculation.lagMs")?.[1]).toBe("60.0 s");
    for (const [here, published] of rows.values()) expect(here).not.toBe(published);
  });
});

describe("the gain", () => {
  const run = (policy: string, round: number, responseMs: number, faults = ["n2 slowed"]) =>
    demoRun({ policy, round, responseMs, faults });
  const off = [run("none", 1, 6_000), run("none", 2, 8_000)];

  test("compares runs of one round, and keeps every ratio", () => {
    const late = [run("late", 1, 2_000), run("late", 2, 4_000)];
    const gain = gainOf([...off, ...late], "late", "none");
    expect(gain).toEqual({ kind: "known", ratios: [3, 2], median: 2.5 });
  });

  test("is unknown if a fault happened in only one run of a pair", () => {
    const late = [run("late", 1, 2_000), run("late", 2, 4_000, ["n2 slowed", "n3 killed"])];
    expect(gainOf([...off, ...late], "late", "none")).toEqual({
      kind: "unknown",
      reason: 'in run 2 of "none" this did not happen: n3 killed',
    });
    const text = reportText([...off, ...late], "runs.svg", 80);
    expect(text).toContain("late: no ratio, because the faults differed");
    expect(text).not.toMatch(/late: \d/);
  });

  test("heads the report, with its spread", () => {
    const late = [run("late", 1, 2_000), run("late", 2, 4_000)];
    const [, first] = reportText([...off, ...late], "runs.svg", 100).split("\n");
    const spread = "(2.0 to 3.0 in 2 pairs of runs)";
    expect(first).toBe(`late: 2.5 times as fast as without speculation ${spread}.`);
  });
});

/** A run with one slow node; only the figures of the gain matter. */
function demoRun(query: {
  readonly policy: string;
  readonly round: number;
  readonly responseMs: number;
  readonly faults: readonly string[];
}): DemoRun {
  const { policy, round, responseMs, faults } = query;
  const result = { ...emptyResult, discipline: policy, responseMs };
  return { policy, title: policy, round, result, faults, comparison: { kind: "equal", words: 1 } };
}
