import { describe, expect, test } from "vitest";
import { curveOf } from "./curve.ts";

const EVEN = Array.from({ length: 12 }, () => 100);

describe("a progress curve", () => {
  test("adds up the time in each twelfth of the progress", () => {
    expect(curveOf(EVEN, 1_200, 1)?.slice(0, 3)).toEqual([100, 200, 300]);
  });

  // At a kill Hadoop fills the splits up to the twelfth.
  test("of a killed attempt ends where its reading ended", () => {
    const uneven = EVEN.map((ms, index) => ms + 10 * index);
    const curve = curveOf(uneven, 2_000, 0.3);
    expect(curve?.slice(0, 4)).toEqual([100, 210, 330, Number.NaN]);
    expect(curve?.slice(3).every(Number.isNaN)).toBe(true);
  });

  test("of a killed attempt ends before the splits that are even", () => {
    const filled = [3_678, 3_146, 1_322, 1_102, 586, 64, 65, 64, 64, 65, 64, 65];
    expect(curveOf(filled, 11_000, 0.6)?.filter((ms) => ms >= 0)).toEqual([
      3_678, 6_824, 8_146, 9_248,
    ]);
    expect(curveOf(EVEN, 1_200, 0.6)).toBeUndefined();
  });

  test("is absent if the attempt's reading is unknown, or 0", () => {
    expect(curveOf(EVEN, 1_200, undefined)).toBeUndefined();
    expect(curveOf(EVEN, 1_200, 0)).toBeUndefined();
  });

  test("is absent without twelve splits, or if they are -1 or 0", () => {
    expect(curveOf(undefined, 1_200, 1)).toBeUndefined();
    expect(curveOf([100], 1_200, 1)).toBeUndefined();
    expect(
      curveOf(
        EVEN.map(() => -1),
        1_200,
        1,
      ),
    ).toBeUndefined();
    expect(
      curveOf(
        EVEN.map(() => 0),
        1_200,
        1,
      ),
    ).toBeUndefined();
  });

  test("that counts from the assignment on ends with the attempt", () => {
    const splits = [3_000, ...EVEN.slice(1)];
    const curve = curveOf(splits, 1_300, 1);
    expect([curve?.[0], curve?.[11]]).toEqual([200, 1_300]);
    expect(curveOf(splits, 600, 1)?.[0]).toBe(0);
  });
});
