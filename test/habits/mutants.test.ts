import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { changesOf } from "../../tools/mutants/changes.ts";
import { draw } from "../../tools/mutants/draw.ts";
import { JUDGED } from "../../tools/mutants/judged.ts";
import { LISTED, listed } from "../../tools/mutants/listed.ts";
import { keyOf, mutantOf, mutated } from "../../tools/mutants/mutant.ts";
import { readRepository } from "../../tools/tidy.ts";

const files = readRepository(fileURLToPath(new URL("../..", import.meta.url)));
const drawn = draw(files, 1);

describe("the mutants that a seed draws", () => {
  test("are the same each time, and others under another seed", () => {
    const keys = drawn.map(keyOf);
    expect(draw(files, 1).map(keyOf)).toEqual(keys);
    expect(draw(files, 2).map(keyOf)).not.toEqual(keys);
  });

  test("are in files that decide, one for each line", () => {
    for (const { path } of drawn) expect(path).toMatch(/^src\/(policy|core|model)\//);
    for (const { path } of drawn) expect(path).not.toMatch(/\.test\.ts$|\/journal\//);
    expect(new Set(drawn.map(({ path, line }) => `${path}:${line}`)).size).toBe(drawn.length);
  });

  test("change exactly one line", () => {
    const texts = new Map(files.map((file) => [file.path, file]));
    for (const mutant of drawn) {
      const file = texts.get(mutant.path)!;
      const [before, after] = [file.text.split("\n"), mutated(file, mutant).split("\n")];
      const differing = before.flatMap((line, i) => (line === after[i] ? [] : [i + 1]));
      expect([after.length, differing]).toEqual([before.length, [mutant.line]]);
    }
  });
});

test("each operator has its changes, and messages, types, bounds and assertions have none", () => {
  const text = `
    export const LIMITS = params({ most: { default: 3, max: 9, about: "at most 9" } });
    export function isSlow(ms: 1 | 2, all: number[]): boolean {
      assert(ms > 0, "a time");
      if (all.length === 0) return false;
      note(ms);
      if (ms < 0) throw new RangeError("less than 0");
      return !(ms * 2 >= Math.max(...all)) && all.some((one) => one < 0.5);
    }`;
  const file = { path: "src/core/slow.ts", text };
  expect(changesOf(file).map((change) => mutantOf(file, change).after)).toMatchInlineSnapshot(`
    [
      "export const LIMITS = params({ most: { default: 2, max: 9, about: "at most 9" } });",
      "export const LIMITS = params({ most: { default: 4, max: 9, about: "at most 9" } });",
      "",
      "",
      "if (!(all.length === 0)) return false;",
      "if (all.length !== 0) return false;",
      "if (all.length === 1) return false;",
      "if (all.length === 0) return true;",
      "",
      "",
      "if (!(ms < 0)) throw new RangeError("less than 0");",
      "if (ms <= 0) throw new RangeError("less than 0");",
      "if (ms >= 0) throw new RangeError("less than 0");",
      "if (ms < 1) throw new RangeError("less than 0");",
      "return (ms * 2 >= Math.max(...all)) && all.some((one) => one < 0.5);",
      "return !(ms / 2 >= Math.max(...all)) && all.some((one) => one < 0.5);",
      "return !(ms * 1 >= Math.max(...all)) && all.some((one) => one < 0.5);",
      "return !(ms * 3 >= Math.max(...all)) && all.some((one) => one < 0.5);",
      "return !(ms * 2 < Math.max(...all)) && all.some((one) => one < 0.5);",
      "return !(ms * 2 > Math.max(...all)) && all.some((one) => one < 0.5);",
      "return !(ms * 2 >= Math.min(...all)) && all.some((one) => one < 0.5);",
      "return !(ms * 2 >= Math.max(...all)) || all.some((one) => one < 0.5);",
      "return !(ms * 2 >= Math.max(...all)) && all.every((one) => one < 0.5);",
      "return !(ms * 2 >= Math.max(...all)) && all.some((one) => one <= 0.5);",
      "return !(ms * 2 >= Math.max(...all)) && all.some((one) => one >= 0.5);",
      "return !(ms * 2 >= Math.max(...all)) && all.some((one) => one < (0.5 * 0.8));",
      "return !(ms * 2 >= Math.max(...all)) && all.some((one) => one < (0.5 * 1.25));",
    ]
  `);
});

test("every mutant of the fixed list has its place in the code", () => {
  expect(listed(files)).toHaveLength(LISTED.length);
});

test("every judged survivor can be drawn, and its reason is a sentence", () => {
  const all = files.flatMap((file) =>
    JUDGED.some(({ path }) => path === file.path)
      ? changesOf(file).map((change) => mutantOf(file, change))
      : [],
  );
  for (const { path, before, after, reason } of JUDGED) {
    const found = all.filter(
      (one) => one.path === path && one.before === before && one.after === after,
    );
    expect(found, `${path}: ${before} -> ${after}`).not.toEqual([]);
    expect(reason).toMatch(/^[A-Z`].*\.$/);
  }
});

test("a dropped statement without braces leaves an empty one", () => {
  const text = `
    export function all(list: number[]): void {
      for (const one of list) note(one);
      if (list.length > 2) note(0);
    }`;
  const file = { path: "src/core/all.ts", text };
  const after = changesOf(file).map((change) => mutantOf(file, change).after);
  expect(after).toContain("for (const one of list) ;");
  expect(after).toContain("if (list.length > 2) ;");
});
