import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { gatherCorpus, writeRepeated } from "../../src/cli/demo/corpus.ts";
import { compareCounts, countPlainly, readCounts } from "../../src/cli/demo/plain-count.ts";
import { demoFaults, demoRuns, scaledParameters } from "../../src/cli/demo/plan.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-demo-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the text", () => {
  test("is gathered from what is installed, the same each time, and is text", () => {
    const [once, again] = [gatherCorpus(300_000), gatherCorpus(300_000)];
    expect(once.text.equals(again.text)).toBe(true);
    expect(once.text.length).toBeGreaterThanOrEqual(300_000);
    expect(once.files).toBeGreaterThan(1);
    expect(once.text.includes(0)).toBe(false);
  });

  test("is repeated whole, so that no word is made at the seams", async () => {
    const path = join(folder, "text.txt");
    const copies = writeRepeated({ text: Buffer.from("to be or\n"), files: 1 }, path, 20);
    expect(copies).toBe(3);
    expect(readFileSync(path, "utf8")).toBe("to be or\nto be or\nto be or\n");
    expect(await countPlainly(path)).toEqual(
      new Map([
        ["to", 3],
        ["be", 3],
        ["or", 3],
      ]),
    );
  });
});

describe("the plain count", () => {
  test("knows the letters of all alphabets, and no case", async () => {
    const path = join(folder, "letters.txt");
    writeFileSync(path, "Größe größe, x1 naïve\nЖук");
    expect([...(await countPlainly(path))]).toEqual([
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
    expect(compareCounts(plain, readCounts(output))).toEqual({ kind: "equal", words: 3 });
    expect(compareCounts(new Map([...plain, ["d", 1]]), readCounts(output))).toMatchObject({
      kind: "different",
      text: "d: counted 1, written 0",
    });
    writeFileSync(join(output, "part-00001"), "c\t4\nc\t3\n");
    expect(compareCounts(plain, readCounts(output)).kind).toBe("different");
  });
});

describe("the plan", () => {
  test("both runs have the same faults and the same patience with silence", () => {
    const [off, late] = demoRuns();
    expect(off.discipline.speculation.policy.name).toBe("none");
    expect(late.discipline.speculation.policy.name).toBe("late");
    expect(off.discipline.detection).toEqual(late.discipline.detection);
    expect(demoFaults(5000).map(({ kind, at }) => [kind, at])).toEqual([
      ["slow", 0],
      ["kill", 5000],
    ]);
  });

  test("each parameter that is scaled down stands beside what was published", () => {
    const rows = new Map(
      scaledParameters().map(({ name, here, published }) => [name, [here, published]]),
    );
    expect(rows.get("speculation.runtimeMsMin")?.[1]).toBe("60.0 s");
    expect(rows.get("detection.expiryMs")?.[1]).toBe("10 min 0 s");
    for (const [here, published] of rows.values()) expect(here).not.toBe(published);
  });
});
