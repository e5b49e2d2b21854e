import { describe, expect, test } from "vitest";
import { nextFloat, randomState } from "../base/random.ts";
import type { Change } from "./change.ts";
import type { WhatIf } from "./document.ts";
import { summed, summedText } from "./summed.ts";

const change = (ms: number, half: number, slotShare: number): Change => ({
  ...{ rho: 0, ms, lowMs: ms - half, highMs: ms + half, slotShare, copies: 1, wins: 1 },
});

const answer = (rows: Readonly<Record<string, Change>>, slotMs: number) => ({
  found: {
    responseMs: 100_000,
    rows: Object.entries(rows).map(([policy, byAttempt]) => ({ policy, byAttempt })),
  } as unknown as WhatIf,
  slotMs,
});

describe("a policy over several jobs", () => {
  const jobs = [
    answer({ late: change(-20_000, 3_000, 0.1), none: change(0, 0, 0) }, 300_000),
    answer({ late: change(-5_000, 4_000, 0), none: change(0, 0, 0) }, 100_000),
    // No answer for this job.
    answer({}, 100_000),
  ];

  test("saves the sum, with errors that add up as squares, and slot time by weight", () => {
    expect(summed(jobs)).toEqual([
      {
        ...{ policy: "late", jobs: 2, responseMs: 200_000, ms: -25_000 },
        ...{ lowMs: -30_000, highMs: -20_000, slotShare: expect.closeTo(0.075, 12) },
      },
      {
        ...{ policy: "none", jobs: 2, responseMs: 200_000, ms: 0 },
        ...{ lowMs: 0, highMs: 0, slotShare: 0 },
      },
    ]);
  });

  test("is left out where some job has no answer for it", () => {
    const more = [...jobs, answer({ none: change(0, 0, 0) }, 1)];
    expect(summed(more).map(({ policy }) => policy)).toEqual(["none"]);
  });

  test("in a sentence", () => {
    const [late] = summed(jobs);
    const said = "jobs under late: 25.0 s less [20.0, 30.0] of 200 s (13 %), 8 % more slot time.";
    expect(late && summedText(late, 2)).toBe(`These 2 ${said}`);
    // One has no answer.
    expect(late && summedText(late, 3)).toBe(`2 of these 3 ${said}`);
  });

  test("has an interval that holds the sum of what is true as often as each job's does", () => {
    const random = randomState(5, "summed");
    const normal = (): number =>
      Array.from({ length: 12 }, () => nextFloat(random)).reduce((a, b) => a + b, -6);
    const draws = 2_000;
    let held = 0;
    for (let draw = 0; draw < draws; draw++) {
      const errors = Array.from({ length: 15 }, (_, job) => (1 + job) * 1_000 * normal());
      // Each job truly saves 10 s.
      const jobs = errors.map((error, job) => {
        const half = 1.96 * (1 + job) * 1_000;
        return answer({ late: change(-10_000 + error, half, 0) }, 1);
      });
      const [late] = summed(jobs);
      if (late !== undefined && late.lowMs <= -150_000 && late.highMs >= -150_000) held += 1;
    }
    // Three standard deviations about 95 %.
    expect(held / draws).toBeGreaterThan(0.935);
    expect(held / draws).toBeLessThan(0.965);
  });
});
