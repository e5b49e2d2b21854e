import { describe, expect, test } from "vitest";
import { instant } from "../../model/ids.ts";
import { NO_AMOUNTS, type ProgressSource } from "../../model/progress.ts";
import { ProgressTimes } from "./progress-times.ts";

const report = (at: number, score: number): ProgressSource => ({
  kind: "reported",
  ...NO_AMOUNTS,
  at: instant(at),
  changedAt: instant(at),
  stage: 0,
  score,
});

const curve = (from: number, score: number, perMs: number): ProgressSource => ({
  kind: "curve",
  startedAt: instant(100),
  reportEvery: 0,
  segments: [
    {
      from: instant(from),
      stage: 0,
      at: { ...NO_AMOUNTS, score },
      perMs: { ...NO_AMOUNTS, score: perMs },
    },
  ],
});

describe("each twelfth of the progress", () => {
  test("is reached between two reports, in a straight line", () => {
    const times = new ProgressTimes(100);
    times.see(report(700, 0.5), 700);
    times.see(report(1_900, 0.75), 1_900);
    const reached = times.end(2_000, false)?.map((ms) => Math.round(ms));
    expect(reached?.slice(0, 9)).toEqual([100, 200, 300, 400, 500, 600, 1_000, 1_400, 1_800]);
    expect(reached?.slice(9)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  test("is reached at the end of an attempt that succeeded", () => {
    const times = new ProgressTimes(0);
    times.see(report(600, 0.5), 600);
    expect(times.end(660, true)?.slice(-6)).toEqual([610, 620, 630, 640, 650, 660]);
  });

  test("follows a curve until a new one replaces it", () => {
    const times = new ProgressTimes(100);
    times.see(curve(100, 0, 1 / 1_200), 100);
    times.see(curve(400, 0.25, 1 / 2_400), 400);
    const reached = times.end(800, false);
    expect(reached?.map((ms) => Math.round(ms)).slice(0, 5)).toEqual([100, 200, 300, 500, 700]);
    expect(reached?.filter((ms) => ms >= 0)).toHaveLength(5);
  });

  test("is unknown without a report, whatever the end", () => {
    const times = new ProgressTimes(0);
    times.see(report(0, 0), 0);
    expect(times.end(500, true)).toBeUndefined();
  });
});
