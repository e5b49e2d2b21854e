import { describe, expect, test } from "vitest";
import { instant } from "../../../model/ids.ts";
import { beginForecast, type Forecast, readForecast } from "./forecast.ts";

const PARAMS = { skipInitials: 12, compat: true };

interface Run {
  readonly lambdaMs: number;
  /** Progress made in the second that ends now. */
  readonly stepAt: (progress: number, reading: number) => number;
}

/** A reading each second, from the second second on, until all is done. */
function squaredErrors({ lambdaMs, stepAt }: Run): number {
  let forecast = beginForecast(instant(1_000), lambdaMs);
  let progress = 0;
  for (let reading = 0; progress <= 1; reading++) {
    const at = instant(2_000 + reading * 1_000);
    forecast = readForecast(forecast, { at, progress }, PARAMS);
    progress += stepAt(progress, reading);
  }
  return forecast.last?.squaredErrors ?? Number.NaN;
}

const quarter = (progress: number): number => Math.trunc(progress / 0.25);

describe("TestSimpleExponentialForecast", () => {
  test("testSimpleExponentialForecastLinearInc: a steady rate is forecast", () => {
    expect(squaredErrors({ lambdaMs: 10_000, stepAt: () => 0.005 })).toBeLessThan(1e-6);
  });

  test("testSimpleExponentialForecastLinearDec: so is one that falls by quarters", () => {
    const rates = [0.005, 0.004, 0.002, 0.001];
    const stepAt = (progress: number): number => rates[quarter(progress)] ?? 0.001;
    expect(squaredErrors({ lambdaMs: 800, stepAt })).toBeLessThan(1e-6);
  });

  test("testSimpleExponentialForecastZeros: so is one that stands still for a while", () => {
    const rates = [0.005, 0.004, 0.002, 0];
    const stepAt = (progress: number, reading: number): number =>
      reading > 1_000 ? 0.003 : (rates[quarter(progress)] ?? 0.003);
    expect(squaredErrors({ lambdaMs: 800, stepAt })).toBeLessThan(1e-6);
  });
});

/** After these readings, as [ms since the start, progress]. */
function after(readings: readonly (readonly [number, number])[], params = PARAMS): Forecast {
  let forecast = beginForecast(instant(10_000), 5_000);
  for (const [ms, progress] of readings) {
    forecast = readForecast(forecast, { at: instant(10_000 + ms), progress }, params);
  }
  return forecast;
}

test("the first reading is forecast to continue; each later one pulls by 1 - e^(-Δt/λ)", () => {
  expect(after([[1_000, 0.1]]).last?.forecast).toBeCloseTo(1e-4, 12);
  const second = after([
    [1_000, 0.1],
    [6_000, 0.2],
  ]).last;
  const alpha = 1 - Math.exp(-1);
  expect(second?.forecast).toBeCloseTo(alpha * 2e-5 + (1 - alpha) * 1e-4, 12);
  expect(second?.squaredErrors).toBeCloseTo(8e-5 * 8e-5, 18);
  expect(second?.index).toBe(2);
});

test("a repeated reading counts once, and a late one is ignored", () => {
  const once = after([[1_000, 0.1]]);
  const twice = after([
    [1_000, 0.1],
    [1_000, 0.1],
    [500, 0.05],
  ]);
  expect(twice).toEqual(once);
});

const CORRECTION = [
  [1_000, 0.1],
  [2_000, 0.2],
  [2_000, 0.3],
] as const;

test("a second reading at one time replaces the first, but has no weight", () => {
  const { last } = after(CORRECTION);
  expect(last).toMatchObject({ raw: 0.3, index: 2 });
  expect(last?.forecast).toBeCloseTo(1e-4, 12);
});

test("mended, it has the weight of the time since the reading before", () => {
  const { last } = after(CORRECTION, { ...PARAMS, compat: false });
  const alpha = 1 - Math.exp(-0.2);
  expect(last?.forecast).toBeCloseTo(alpha * 2e-4 + (1 - alpha) * 1e-4, 12);
});

test("λ grows once, to the time that the skipped readings took", () => {
  const readings = Array.from({ length: 14 }, (_, index) => [1_000 * (index + 1), 0.01 * index]);
  const lambdas = readings.map((_, index) => {
    const until = readings
      .slice(0, index + 1)
      .map(([ms = 0, progress = 0]) => [ms, progress] as const);
    return after(until).lambdaMs;
  });
  expect(lambdas.slice(10)).toEqual([5_000, 5_000, 13_000, 13_000]);
});
