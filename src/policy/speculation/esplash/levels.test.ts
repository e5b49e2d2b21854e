import { describe, expect, test } from "vitest";
import { nextFloat, randomState } from "../../../base/random.ts";
import { nodeId } from "../../../model/ids.ts";
import { configuredLevel, levelsFault } from "./configured-levels.ts";
import { findLevels, type LevelParams } from "./levels.ts";

const PARAMS: LevelParams = { k: 2, starts: 10, coverage: 0.75, scaled: true };

/** One row per type of task: the time of each node, or undefined. */
function levelsOf(
  rows: readonly (readonly (number | undefined)[])[],
  params: Partial<LevelParams> = {},
): readonly (number | undefined)[] | undefined {
  const nodes = (rows[0] ?? []).map((_, index) => nodeId(index));
  const types = rows.map(
    (row) =>
      new Map(row.flatMap((time, node) => (time === undefined ? [] : [[nodeId(node), time]]))),
  );
  const state = randomState(1);
  const chance = { random: () => nextFloat(state) };
  const found = findLevels(types, nodes, { ...PARAMS, ...params }, chance);
  return found && nodes.map((node) => found.get(node));
}

describe("levels found by performance", () => {
  test("1 is the slowest", () => {
    expect(levelsOf([[10, 50, 11, 52]])).toEqual([2, 1, 2, 1]);
  });

  test("a type is a dimension once enough of the nodes have finished one", () => {
    // By the second type alone, the first two nodes would be told apart from the others.
    const rows = [
      [10, 50, 11, 52],
      [100, 100, undefined, undefined],
    ];
    expect(levelsOf(rows, { coverage: 0.75 })).toEqual([2, 1, 2, 1]);
    expect(levelsOf(rows.slice(1), { coverage: 0.75 })).toBeUndefined();
    expect(levelsOf(rows.slice(1), { coverage: 0.5, k: 1 })).toEqual([1, 1, undefined, undefined]);
  });

  test("a node with an incomplete vector gets its level from its finished types", () => {
    const rows = [
      [10, 50, 11, 52, 12],
      [20, 90, 21, 88, undefined],
    ];
    expect(levelsOf(rows)).toEqual([2, 1, 2, 1, 2]);
    expect(levelsOf([rows[0]!.with(4, 49), rows[1]!])).toEqual([2, 1, 2, 1, 1]);
  });

  test("a node that has finished nothing has no level", () => {
    expect(levelsOf([[10, 50, 11, undefined]])).toEqual([2, 1, 2, undefined]);
  });

  test("nothing is known before the first finished task", () => {
    expect(levelsOf([[undefined, undefined]], { coverage: 0 })).toBeUndefined();
    expect(levelsOf([[undefined, undefined]])).toBeUndefined();
  });

  test("scaled, a type of seconds counts as much as one of minutes", () => {
    // By 40 s of 640 there are two and two; by 2 s of 4 the first is alone.
    const rows = [
      [600, 605, 640, 645],
      [2, 4, 4.1, 4.2],
    ];
    expect(levelsOf(rows, { scaled: false })).toEqual([2, 2, 1, 1]);
    expect(levelsOf(rows, { scaled: true })).toEqual([2, 1, 1, 1]);
  });

  test("k is the maximum number of levels", () => {
    expect(levelsOf([[10, 20, 40, 80]], { k: 4 })).toEqual([4, 3, 2, 1]);
    expect(levelsOf([[10, 20, 40, 80]], { k: 1 })).toEqual([1, 1, 1, 1]);
    expect(levelsOf([[10, 10, 10, 10]], { k: 4 })).toEqual([1, 1, 1, 1]);
  });
});

describe("levels given by the administrator", () => {
  test("are by name, with * for anything; the first match wins", () => {
    const text = "slow-*:1, fast-7:3, fast-*:2";
    expect(configuredLevel(text, "slow-12")).toBe(1);
    expect(configuredLevel(text, "fast-7")).toBe(3);
    expect(configuredLevel(text, "fast-71")).toBe(2);
    expect(configuredLevel(text, "other")).toBeUndefined();
    expect(configuredLevel("a.b*:1,*:2", "axb1")).toBe(2);
    expect(configuredLevel("", "other")).toBeUndefined();
    expect([levelsFault(text), levelsFault("")]).toEqual([undefined, undefined]);
  });

  test.each(["slow", "slow:0", "slow:x", ":1", "slow:1,", "slow:1.5", "a b:1"])(
    "%j is refused",
    (text) => {
      expect(levelsFault(text)).toMatch(/^expected NAME:LEVEL/);
    },
  );
});
