import { describe, expect, test } from "vitest";
import { integer, nextFloat, randomState } from "../../../base/random.ts";
import { expectedTime, findMinLevel, type LevelFigures, speculativeValue } from "./min-level.ts";

/** §VI-A: two nodes per level with 32, 16, 8 and 4 containers. */
const TESTBED: readonly LevelFigures[] = [
  { level: 1, containers: 64, meanMs: 80 },
  { level: 2, containers: 32, meanMs: 40 },
  { level: 3, containers: 16, meanMs: 20 },
  { level: 4, containers: 8, meanMs: 10 },
];

const withMean = (level: number, meanMs: number | undefined): readonly LevelFigures[] =>
  TESTBED.map((one) => (one.level === level ? { ...one, meanMs } : one));

describe("Algorithm 3", () => {
  test("line 3: ExpT is the mean over the levels that may host, weighted by Pr(m)", () => {
    // Pr(4) = 8/24, Pr(3) = 16/24.
    expect(expectedTime(TESTBED, 3)).toBeCloseTo((8 * 10 + 16 * 20) / 24, 12);
    expect(expectedTime(TESTBED, 2)).toBeCloseTo((80 + 320 + 1280) / 56, 12);
    expect(expectedTime(TESTBED, 1)).toBeCloseTo((80 + 320 + 1280 + 5120) / 120, 12);
  });

  test("line 5: minL is the level at which ExpT is least, not the least ExpT", () => {
    expect(findMinLevel(TESTBED, 1)).toEqual({ minLevel: 4, expectedMs: 10 });
  });

  test("line 5: where higher levels are no faster, a lower one is chosen", () => {
    // Level 4 has turned slow: ExpT(3) = (8 x 90 + 16 x 20) / 24 = 43.3, ExpT(2) = 41.4.
    const found = findMinLevel(withMean(4, 90), 1);
    expect(found?.minLevel).toBe(2);
    expect(found?.expectedMs).toBeCloseTo((8 * 90 + 16 * 20 + 32 * 40) / 56, 12);
  });

  test("line 2: no level below the task's own is considered", () => {
    const slowTop = withMean(4, 90);
    expect(findMinLevel(slowTop, 3)?.minLevel).toBe(3);
    expect(findMinLevel(slowTop, 4)).toEqual({ minLevel: 4, expectedMs: 90 });
    expect(findMinLevel(TESTBED, 5)).toBeUndefined();
  });

  test("of levels with equal ExpT the lowest is chosen, because it has the most hosts", () => {
    const equal = TESTBED.map((one) => ({ ...one, meanMs: 30 }));
    expect(findMinLevel(equal, 2)).toEqual({ minLevel: 2, expectedMs: 30 });
  });

  test("so it is if their ExpT differs in the last bits of a double, as a mean does", () => {
    const dice = randomState(1, "levels");
    for (let draw = 0; draw < 2_000; draw++) {
      const meanMs = 1e3 + nextFloat(dice) * 1e5;
      const levels = [13, 8, 2].map((containers, index) => ({
        level: index + 1,
        containers: containers * (1 + integer(dice, 4)),
        meanMs,
      }));
      expect(findMinLevel(levels, 1)?.minLevel).toBe(1);
    }
  });

  test("a level where nothing has finished, or that has no container, is left out", () => {
    expect(expectedTime(withMean(4, undefined), 3)).toBe(20);
    expect(expectedTime(withMean(4, undefined), 4)).toBeUndefined();
    expect(findMinLevel(withMean(1, undefined).slice(0, 1), 1)).toBeUndefined();
    // Not level 1, though the levels above it are all that is known of it and above.
    expect(findMinLevel([{ level: 1, containers: 9, meanMs: undefined }, TESTBED[1]!], 1)).toEqual({
      minLevel: 2,
      expectedMs: 40,
    });
    const none = TESTBED.map((one) => (one.level === 4 ? { ...one, containers: 0 } : one));
    expect(findMinLevel(none, 1)?.minLevel).toBe(3);
    expect(
      findMinLevel(
        TESTBED.map((one) => ({ ...one, meanMs: undefined })),
        1,
      ),
    ).toBeUndefined();
  });
});

describe("§IV-C, the speculative value", () => {
  test("is the time saved on each level from minL on, by its share of all containers", () => {
    // 50 s are left: level 4 saves 40, level 3 saves 30; 120 containers in all.
    expect(speculativeValue(TESTBED, { minLevel: 4, timeLeftMs: 50 })).toBeCloseTo((8 * 40) / 120);
    expect(speculativeValue(TESTBED, { minLevel: 3, timeLeftMs: 50 })).toBeCloseTo(
      (8 * 40 + 16 * 30) / 120,
    );
  });

  test("is negative where the original ends first", () => {
    expect(speculativeValue(TESTBED, { minLevel: 4, timeLeftMs: 4 })).toBeCloseTo((8 * -6) / 120);
  });

  test("of a task that will never end is infinite, even if some level has no container", () => {
    const none = TESTBED.map((one) => (one.level === 3 ? { ...one, containers: 0 } : one));
    const timeLeftMs = Number.POSITIVE_INFINITY;
    expect(speculativeValue(none, { minLevel: 3, timeLeftMs })).toBe(timeLeftMs);
    expect(speculativeValue([], { minLevel: 3, timeLeftMs })).toBe(0);
  });
});
