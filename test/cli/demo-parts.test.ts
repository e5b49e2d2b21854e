import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { gatherCorpus, writeRepeated } from "../../src/cli/demo/corpus.ts";
import { type DemoRun, pairsOf } from "../../src/cli/demo/gain.ts";
import { compareCounts, countPlainly, readCounts } from "../../src/cli/demo/plain-count.ts";
import {
  DEMO,
  type DemoPolicy,
  LATE,
  OFF,
  policiesOf,
  scaledParameters,
} from "../../src/cli/demo/plan.ts";
import { reportText } from "../../src/cli/demo/report.ts";
import { writeText } from "../../src/cli/demo/text.ts";
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

  test("is repeated whole and cut at blanks, so that no seam or cut makes new words", () => {
    const files = ["a", "b", "c"].map((name) => ({ path: join(folder, name), bytes: 7 }));
    const copies = writeRepeated({ text: Buffer.from("to be or\n"), files: 1 }, files);
    expect(copies).toBe(3);
    const written = files.map(({ path }) => readFileSync(path, "utf8"));
    expect(written).toEqual(["to be or\n", "to be or\n", "to be or\n"]);
    const one = countPlainly("to be or\n");
    expect(compareCounts(one, copies, countPlainly(written.join("")))).toEqual({
      kind: "equal",
      words: 3,
    });
  });

  test("keeps every word whole, however the files are cut", () => {
    const text = Buffer.from("größe ist\nnicht alles ");
    for (const bytes of [1, 4, 9, 11, 23, 50]) {
      const files = Array.from({ length: 5 }, (_, i) => ({
        path: join(folder, `cut-${i}`),
        bytes,
      }));
      const copies = writeRepeated({ text, files: 1 }, files);
      const counts = new Map<string, number>();
      for (const { path } of files) {
        for (const [word, count] of countPlainly(readFileSync(path, "utf8"))) {
          counts.set(word, (counts.get(word) ?? 0) + count);
        }
      }
      const one = countPlainly(text.toString());
      expect(compareCounts(one, copies, counts)).toEqual({ kind: "equal", words: 4 });
    }
  });

  test("is many short files that come first, and a long one for each node", () => {
    const directory = join(folder, "text");
    const text = writeText(directory, 12_000_000);
    const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(text.bytes);
    const [short, long] = [sizes.slice(0, DEMO.shortFiles), sizes.slice(DEMO.shortFiles)];
    expect(long).toHaveLength(DEMO.nodes * DEMO.slots);
    // The slow node ends its short file before another node ends a long one.
    expect(Math.max(...short) * DEMO.slowFactor).toBeLessThan(Math.min(...long));
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
  test("runs off and LATE first in turn, and both are equally patient with silence", () => {
    const names = [1, 2, 3].map((pair) => policiesOf(pair).map(({ name }) => name));
    expect(names).toEqual([
      ["none", "late"],
      ["late", "none"],
      ["none", "late"],
    ]);
    for (const { name, discipline } of [OFF, LATE]) {
      expect(discipline.speculation.policy.name).toBe(name);
      expect(discipline.detection).toEqual(OFF.discipline.detection);
    }
  });

  test("each scaled parameter stands beside its published value", () => {
    const rows = new Map(
      scaledParameters().map(({ name, here, published }) => [name, [here, published]]),
    );
    expect(rows.get("speculation.runtimeMsMin")?.[1]).toBe("60.0 s");
    expect(rows.get("speculation.speculativeCap")?.[1]).toBe("0.1");
    for (const [here, published] of rows.values()) expect(here).not.toBe(published);
  });
});

describe("a pair", () => {
  test("measures what LATE saved, whichever run came first", () => {
    const pairs = pairsOf([off(1, 6_000), late(1, 2_000), late(2, 4_000), off(2, 7_000)]);
    expect(pairs.map(({ number, first, gain }) => ({ number, first, gain }))).toEqual([
      { number: 1, first: "none", gain: { kind: "known", savedMs: 4_000, timesFaster: 3 } },
      { number: 2, first: "late", gain: { kind: "known", savedMs: 3_000, timesFaster: 1.75 } },
    ]);
  });

  test("tells nothing if a fault happened in only one of its runs", () => {
    const runs = [off(1, 6_000), { ...late(1, 2_000), faults: ["n2 slowed", "n3 killed"] }];
    const gain = { kind: "unknown", reason: "with speculation off this did not happen: n3 killed" };
    expect(pairsOf(runs)).toMatchObject([{ gain }]);
    expect(reportOf(runs)).toContain("No pair of runs can be compared.");
    expect(reportOf(runs)).toContain("Pair 1 tells nothing: with speculation off this did not");
    expect(reportOf(runs)).not.toMatch(/times as fast as/);
  });
});

describe("the report", () => {
  const good = [off(1, 12_400), late(1, 4_200), late(2, 4_000), off(2, 11_900)];

  test("begins with what the copies saved, as measured, and estimates nothing", () => {
    const lines = reportOf(good).split("\n");
    expect(lines[1]).toBe(
      "Copies saved 8.2 s and 7.9 s: LATE was 3.0 times as fast as without copies " +
        "(3.0 to 3.0 in 2 pairs).",
    );
    const cells = lines.filter((text) => /^ +\d/.test(text)).map((text) => text.split(/ {2,}/));
    expect(cells.map((row) => row.slice(1, 7))).toEqual([
      ["1", "off", "12.4 s", "4.2 s", "8.2 s", "3.0"],
      ["2", "LATE", "11.9 s", "4.0 s", "7.9 s", "3.0"],
    ]);
    expect(reportOf(good)).not.toMatch(/estimate|would have/);
  });

  test("gives the range of more than two pairs, and one pair alone", () => {
    const three = [...good, off(3, 9_000), late(3, 6_000)];
    expect(reportOf(three)).toContain("Copies saved 3.0 s to 8.2 s: LATE was 3.0 times as fast");
    expect(reportOf(good.slice(0, 2))).toContain("as fast as without copies (one pair of runs)");
  });

  test("says so where LATE ended later, and names the load that may be why", () => {
    const runs = [off(1, 6_000), late(1, 7_300), late(2, 3_000), off(2, 6_000)];
    const busy = reportOf(runs, { load: 15.2 });
    expect(busy).toContain("LATE ended first in 1 of 2 pairs: it was 1.4 times as fast as");
    expect(busy).toContain("Pair 1: LATE ended 1.3 s later than the run without copies.");
    expect(busy).toContain("(a load of 15.2 on 2 processors)");
    expect(busy).not.toContain("Copies saved");
    expect(reportOf(runs, { load: 0.1 })).toContain("Other work on the machine may have slowed");
  });

  test("credits no copy that has not won", () => {
    const none = { speculative: 0, speculativeWon: 0 };
    const by = (pair: number, ms: number, totals: object) => ({
      ...late(pair, ms),
      result: { ...late(pair, ms).result, totals: { ...late(pair, ms).result.totals, ...totals } },
    });
    const text = reportOf([off(1, 6_000), by(1, 5_800, none)]);
    expect(text).toContain("Pair 1: LATE made no copy. The 0.2 s are due to chance.");
    expect(text).not.toMatch(/Copies saved|makes the same copy/);
    const lost = reportOf([off(1, 6_000), by(1, 6_500, { speculative: 1, speculativeWon: 0 })]);
    expect(lost).toContain("LATE's 1 copy did not win.");
  });

  test("prints what a reader of the table subtracts", () => {
    // 4.24 s and 12.46 s: 8.22 s apart.
    const text = reportOf([off(1, 12_460), late(1, 4_240)]);
    expect(text).toContain("Copies saved 8.3 s:");
    expect(text).toMatch(/12\.5 s +4\.2 s +8\.3 s/);
    const equal = reportOf([off(1, 12_020), late(1, 12_040)]);
    expect(equal).toContain("Pair 1: the two runs took equally long.");
    expect(equal).not.toContain("-0.0 s");
  });

  test("names Hadoop's rule and the scene in which the two rules part", () => {
    const text = reportOf(good);
    expect(text).toContain("Hadoop's own rule makes the same copy of a map here.");
    expect(text).toContain("simulate scenarios/late-5.4.json  # where the two rules part");
  });

  test("ends with the next commands, for the run without copies, and fits into 80 columns", () => {
    const lines = reportOf(good, { width: 80 }).split("\n");
    expect(lines.slice(-4, -1)).toEqual([
      "Next:",
      "  npx broomwagon why 20261128-080943-none-2  # why it was late without copies",
      "  npx broomwagon page 20261128-080943-none-2  # the same run as a page",
    ]);
    for (const text of lines) expect(text.length).toBeLessThanOrEqual(80);
  });

  test("says which output is wrong", () => {
    const comparison = { kind: "different", word: "a", text: "a: counted 2, written 1" } as const;
    const text = reportOf([off(1, 6_000), { ...late(1, 2_000), comparison }]);
    expect(text).toContain("LATE, pair 1: WRONG OUTPUT: a: counted 2, written 1.");
  });
});

function reportOf(
  runs: readonly DemoRun[],
  { load = 0, width = 300 }: { readonly load?: number; readonly width?: number } = {},
): string {
  return reportText(runs, { picture: "runs.svg", load, processors: 2 }, width);
}

function off(pair: number, responseMs: number): DemoRun {
  return demoRun(OFF, pair, responseMs, { speculative: 0, speculativeWon: 0 });
}

function late(pair: number, responseMs: number): DemoRun {
  return demoRun(LATE, pair, responseMs, { speculative: 2, speculativeWon: 1 });
}

/** A run with one slow node; only the figures of the report matter. */
function demoRun(
  { name, title }: DemoPolicy,
  pair: number,
  responseMs: number,
  copies: Pick<DemoRun["result"]["totals"], "speculative" | "speculativeWon">,
): DemoRun {
  const id = `20261128-080943-${name}-${pair}`;
  const result: DemoRun["result"] = {
    ...emptyResult,
    discipline: name,
    id,
    journal: `.broomwagon/runs/${id}/journal.ndjson`,
    responseMs,
    totals: { ...emptyResult.totals, ...copies },
  };
  const comparison = { kind: "equal", words: 1 } as const;
  return { policy: name, title, pair, result, faults: ["n2 slowed"], comparison };
}
