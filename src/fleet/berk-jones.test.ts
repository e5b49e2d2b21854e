import { describe, expect, test } from "vitest";
import { nextFloat, randomState } from "../base/random.ts";
import { chanceOfEvidence, evidenceOf } from "./berk-jones.ts";

describe("the evidence of many jobs", () => {
  test("is that of the most unlikely number of them, three at least", () => {
    const luck = Array.from({ length: 37 }, (_, n) => (n + 4) / 41);
    expect(evidenceOf([1e-3, 1e-3, ...luck])).toMatchObject({ count: 0 });
    const three = evidenceOf([1e-4, 2e-4, 1e-3, ...luck]);
    // 40 choose 3 triples, each with a chance of 1e-9.
    expect(three.evidence).toBeCloseTo(-Math.log(9_880e-9), 1);
    expect(three.count).toBe(3);
    expect(evidenceOf([1e-3, 1e-3, 1e-3, 1e-3, ...luck]).count).toBe(4);
    expect(evidenceOf([])).toEqual({ evidence: 0, count: 0 });
  });

  test("has the chance with which luck makes as much", () => {
    const random = randomState(1, "berk-jones");
    const draws = 20_000;
    for (const jobs of [3, 12, 40]) {
      const evidences = Array.from(
        { length: draws },
        () =>
          evidenceOf(Float64Array.from({ length: jobs }, () => nextFloat(random)).sort()).evidence,
      ).sort((a, b) => b - a);
      for (const rank of [60, 120, 300]) {
        const chance = chanceOfEvidence(jobs, evidences[rank - 1] ?? 0);
        // Three standard deviations of a count.
        expect(Math.abs(chance * draws - rank)).toBeLessThan(3 * Math.sqrt(rank));
      }
    }
    // Of three jobs there is but one number.
    expect(chanceOfEvidence(3, 9)).toBeCloseTo(Math.exp(-9), 12);
  });
});
