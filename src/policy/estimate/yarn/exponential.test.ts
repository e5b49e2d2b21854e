import { describe, expect, test } from "vitest";
import { instant } from "../../../model/ids.ts";
import { defaultsOf } from "../../policy.ts";
import { type ExponentialParams, exponentialModel, yarnExponential } from "./exponential.ts";

const START = 5_000;

/** The estimated end after these reports, as [time, progress]. */
function endAfter(
  reports: readonly (readonly [number, number])[],
  change: Partial<ExponentialParams> = {},
): number | undefined {
  const params = { ...defaultsOf(yarnExponential), ...change };
  let state = exponentialModel.begin(params, instant(START));
  for (const [at, progress] of reports) {
    const reading = { at: instant(at), progress: Math.fround(progress) };
    state = exponentialModel.read(params, state, reading);
  }
  return exponentialModel.end(params, state);
}

describe("bug for bug", () => {
  test("without a report there is no estimate", () => {
    expect(endAfter([])).toBeUndefined();
  });

  test("the first report is lost: the attempt ends when a long does", () => {
    expect(endAfter([[10_000, 0.5]])).toBe(Number(2n ** 63n - 1n));
  });

  test("the second report overflows a long: a rate below 0, an end far in the past", () => {
    const reports = [
      [10_000, 0.25],
      [15_000, 0.5],
    ] as const;
    expect(endAfter(reports)).toBeLessThan(-9e18);
  });

  test("the third report is the first that counts", () => {
    const reports = [
      [10_000, 0.25],
      [15_000, 0.5],
      [20_000, 0.75],
    ] as const;
    expect(endAfter(reports)).toBe(25_000);
  });

  const slowing = [
    [6_000, 0],
    [7_000, 0.1],
    [17_000, 0.5],
    [27_000, 0.6],
  ] as const;

  test("after a slow-down the estimate is of a faster task: e^(+Δt/λ) is above 1", () => {
    const weight = Math.exp(10 / 60);
    const rate = 4e-5 * weight + 1e-5 * (1 - weight);
    expect(rate).toBeGreaterThan(4e-5);
    expect(endAfter(slowing)).toBeCloseTo(27_000 + 0.4 / rate, -1);
  });

  test("mended, the estimate is of a slower task", () => {
    const weights = [Math.exp(-1 / 60), Math.exp(-10 / 60)] as const;
    let rate = 0 * weights[0] + 1e-4 * (1 - weights[0]);
    rate = rate * weights[1] + 4e-5 * (1 - weights[1]);
    rate = rate * weights[1] + 1e-5 * (1 - weights[1]);
    expect(endAfter(slowing, { compat: false })).toBeCloseTo(27_000 + 0.4 / rate, -2);
  });

  test("a task that stands still has no estimate and seems fine; mended, it never ends", () => {
    const still = [
      [6_000, 0],
      [7_000, 0.1],
      [8_000, 0.1],
    ] as const;
    expect(endAfter(still)).toBeUndefined();
    const never = [
      [6_000, 0],
      [9_000, 0],
    ] as const;
    expect(endAfter(never, { compat: false })).toBe(Number.POSITIVE_INFINITY);
  });

  test("a late report, or one with less progress, is ignored", () => {
    const reports = [
      [10_000, 0.25],
      [15_000, 0.5],
      [20_000, 0.75],
    ] as const;
    expect(endAfter([...reports, [20_000, 0.9], [22_000, 0.7]])).toBe(25_000);
  });
});

describe("time per progress", () => {
  const reports = [
    [10_000, 0.25],
    [15_000, 0.5],
    [20_000, 0.75],
  ] as const;

  test("one rate gives the same end", () => {
    expect(endAfter(reports, { rate: false })).toBe(25_000);
  });

  test("standing still makes the estimate infinite, then NaN: its end is its last report", () => {
    const still = [...reports, [21_000, 0.75] as const];
    expect(endAfter(still, { rate: false })).toBeUndefined();
    const twice = [...still, [22_000, 0.75] as const];
    expect(endAfter(twice, { rate: false })).toBe(22_000);
  });

  test("mended, standing still makes it longer, and progress makes it shorter again", () => {
    const mended = { rate: false, compat: false };
    const before = endAfter(reports, mended) ?? 0;
    const still = endAfter([...reports, [21_000, 0.75]], mended) ?? 0;
    const on = endAfter([...reports, [21_000, 0.75], [51_000, 0.95]], mended) ?? 0;
    expect(still).toBeGreaterThan(before + 10_000);
    expect(on - 51_000).toBeLessThan(still - 21_000);
  });
});
