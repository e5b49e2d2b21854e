import { describe, expect, test } from "vitest";
import { addMoment, noMoments } from "../../../base/moments.ts";
import { instant } from "../../../model/ids.ts";
import { defaultsOf } from "../../policy.ts";
import type { Forecast } from "./forecast.ts";
import {
  type SimpleExponentialParams,
  simpleExponentialModel,
  yarnSimpleExponential,
} from "./simple-exponential.ts";

const COMPAT = defaultsOf(yarnSimpleExponential);
const MENDED = { ...COMPAT, compat: false };

/** The given number of reports, one per second from 1 s on, with 1 % each. */
function reported(count: number, params: SimpleExponentialParams): Forecast {
  let forecast = simpleExponentialModel.begin(params, instant(1_000));
  for (let i = 1; i <= count; i++) {
    const reading = { at: instant(1_000 + 1_000 * i), progress: i / 100 };
    forecast = simpleExponentialModel.read(params, forecast, reading);
  }
  return forecast;
}

describe("the end", () => {
  const end = (count: number, params: SimpleExponentialParams): number | undefined =>
    simpleExponentialModel.end(params, reported(count, params));

  test("follows a rate of 1e-10 until the 25th report, and then the forecast", () => {
    expect(end(0, COMPAT)).toBeUndefined();
    expect(end(24, COMPAT)).toBeCloseTo(25_000 + 0.76e10, -3);
    expect(end(25, COMPAT)).toBeCloseTo(101_000, -1);
  });

  test("mended, follows the average rate until then", () => {
    expect(end(10, MENDED)).toBeCloseTo(101_000, -1);
  });

  test("mended, is equally far off after a report at the start, which has no rate", () => {
    const begun = simpleExponentialModel.begin(MENDED, instant(1_000));
    const reading = { at: instant(1_000), progress: 0 };
    const forecast = simpleExponentialModel.read(MENDED, begun, reading);
    expect(simpleExponentialModel.end(MENDED, forecast)).toBe(1_000 + 1e10);
  });
});

describe("a new copy", () => {
  const newCopy = (params: SimpleExponentialParams, ...durations: number[]): number => {
    const moments = noMoments();
    for (const duration of durations) addMoment(moments, duration);
    return simpleExponentialModel.newCopyMs(params, moments);
  };

  test("takes no time while one duration is known; mended, it takes as long as that one", () => {
    expect(newCopy(COMPAT, 60_000)).toBe(0);
    expect(newCopy(MENDED, 60_000)).toBe(60_000);
  });

  test("takes the mean, its interval of 95 %, and half a deviation or a quarter", () => {
    const interval = 23 + (1.96 * 6) / Math.sqrt(2);
    expect(newCopy(COMPAT, 17, 29)).toBeCloseTo(interval + 3, 9);
    const wide = 50 + (1.96 * 50) / Math.sqrt(2);
    expect(newCopy(COMPAT, 0, 100)).toBeCloseTo(wide + 25, 9);
    const wider = 25 + 1.96 * Math.sqrt(1_875 / 4);
    expect(newCopy(COMPAT, 0, 0, 0, 100)).toBeCloseTo(wider * 1.25, 9);
  });
});

test("an attempt is stalled while its reports are fresh; mended, once they are stale", () => {
  const stalled = (params: SimpleExponentialParams, count: number, afterMs: number) =>
    simpleExponentialModel.isStalled?.(
      params,
      reported(count, params),
      instant(1_000 + 1_000 * count + afterMs),
    );
  expect([359_999, 360_000].map((ms) => stalled(COMPAT, 25, ms))).toEqual([true, false]);
  expect(stalled(COMPAT, 24, 1_000)).toBe(false);
  expect([360_000, 360_001].map((ms) => stalled(MENDED, 3, ms))).toEqual([false, true]);
  const slow = { ...COMPAT, lambdaMs: 200_000 };
  expect([399_999, 400_000].map((ms) => stalled(slow, 25, ms))).toEqual([true, false]);
});
