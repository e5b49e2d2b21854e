import { expect, test } from "vitest";
import { runsAll } from "../support/cases.ts";
import { missedBySample } from "./support/sampled.ts";

/** TESTS=all asks ten jobs, in four minutes. */
const JOBS = runsAll ? 10 : 2;

test("the interval of a sample holds the answers of whole jobs", { timeout: 1_200_000 }, () => {
  const policies = ["spark-4", "yarn", "mantri"];
  const jobs = Array.from({ length: JOBS }, (_, n) => 11 + n);
  const { missed, asked } = missedBySample(jobs, { policies, seeds: 10 });
  console.log(`${missed.length} of ${asked} answers outside their intervals: ${missed.join("; ")}`);
  expect(missed.length / asked).toBeLessThanOrEqual(0.1);
});
