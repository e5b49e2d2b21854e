import { describe, expect, test } from "vitest";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { runW1, W1_SIZES } from "./w1-model.ts";

const S = { sumJct: 246_211_424, makespan: 13_346_436, tasks: 100_000 };
const M = { sumJct: 2_188_627_006, makespan: 13_545_839, tasks: 1_000_000 };

describe("workload W1, against the sums that every other simulator gives", () => {
  test("the kernel alone agrees to the digit at 100,000 tasks", () => {
    expect(runW1(W1_SIZES.S, { mode: "kernel" })).toEqual(S);
  });

  test("the kernel alone agrees to the digit at a million tasks", () => {
    expect(runW1(W1_SIZES.M, { mode: "kernel" })).toEqual(M);
  });

  test("the whole scheduler agrees to the digit at 100,000 tasks", () => {
    const discipline = parseDiscipline("none,sharing=fifo-plain");
    expect(runW1(W1_SIZES.S, { mode: "full", discipline })).toEqual(S);
  });
});
