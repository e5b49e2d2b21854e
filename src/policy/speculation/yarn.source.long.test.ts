import { describe, expect, test } from "vitest";
import { EstimatorsWorld } from "../../../test/support/estimators-world.ts";
import { addMoment, deviationOf, meanOf, noMoments, removeMoment } from "../../base/moments.ts";

const run = (estimator: string, sets: readonly string[] = []): EstimatorsWorld =>
  new EstimatorsWorld(`yarn,estimator=${estimator}`, sets).run();

describe("TestRuntimeEstimators: 200 maps, 150 reduces, every fortieth three times slower", () => {
  test.each([
    ["testLegacyEstimator", "yarn-legacy", [291_000, 208_242, 140_999, 131_000]],
    ["testExponentialEstimator", "yarn-exponential", [291_000, 208_243, 141_003, 131_003]],
    [
      "the mode TIME_PER_UNIT_PROGRESS",
      "yarn-exponential-time",
      [291_000, 208_243, 141_003, 131_003],
    ],
    [
      "testSimpleExponentialEstimator",
      "yarn-simple-exponential",
      [291_000, 192_491, 118_071, 108_072],
    ],
  ])("%s: m0 at 160 s, m40 at 210, m80 at 260, m120 at 270; three succeed", (_, name, gains) => {
    const world = run(name);
    expect(world.successes).toBe(3);
    expect(world.speculations).toEqual([
      { atS: 160, task: "map/0", gainMs: gains[0] },
      { atS: 210, task: "map/40", gainMs: gains[1] },
      { atS: 260, task: "map/80", gainMs: gains[2] },
      { atS: 270, task: "map/120", gainMs: gains[3] },
    ]);
    expect([...world.copiesStarted.values()]).toEqual([202, 251, 260, 402]);
    expect(Object.fromEntries(world.won)).toEqual({ "map/0": 402, "map/40": 451, "map/80": 460 });
    expect(world.endedAtS).toBe(1201);
  });

  test("slowtaskthreshold decides nothing: a thousand deviations, and the same copies", () => {
    const sets = ["speculation.slowTaskThreshold=1000"];
    expect(run("yarn-legacy", sets).speculations).toEqual(run("yarn-legacy").speculations);
  });

  test("mended, a thousand deviations copy only while all that is done took equally long", () => {
    const sets = ["speculation.slowTaskThreshold=1000"];
    const world = new EstimatorsWorld("yarn-corrected", sets).run();
    expect(world.speculations.map(({ atS, task }) => `${atS} ${task}`)).toEqual(["160 map/0"]);
  });

  test("mended, the same three copies succeed", () => {
    const world = new EstimatorsWorld("yarn-corrected").run();
    expect(Object.fromEntries(world.won)).toEqual({ "map/0": 402, "map/40": 451, "map/80": 460 });
  });
});

describe("TestDataStatistics", () => {
  const moments = (...values: number[]) => {
    const all = noMoments();
    for (const value of values) addMoment(all, value);
    return all;
  };

  test("testSingleEntryDataStatistics: the mean of 17.29 is 17.29, with no deviation", () => {
    expect(meanOf(moments(17.29))).toBe(17.29);
    expect(deviationOf(moments(17.29))).toBe(0);
  });

  test("testMutiEntryDataStatistics: 17 and 29 have mean 23, deviation 6, outlier 29", () => {
    const both = moments(17, 29);
    expect(meanOf(both)).toBe(23);
    expect(deviationOf(both)).toBe(6);
    expect(meanOf(both) + 1 * deviationOf(both)).toBe(29);
  });

  test("testUpdateStatistics: once 17 has become 29, the mean is 29 and the variance 0", () => {
    const both = moments(17, 29);
    removeMoment(both, 17);
    addMoment(both, 29);
    expect(meanOf(both)).toBe(29);
    expect(deviationOf(both)).toBe(0);
  });
});
