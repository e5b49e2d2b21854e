import { expect, test } from "vitest";
import { missedBySample } from "./support/sampled.ts";

test("the interval of a sample holds the answer of the whole job", () => {
  expect(missedBySample([1], { policies: ["yarn"], seeds: 4 }).missed).toEqual([]);
});
