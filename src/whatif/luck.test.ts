import { expect, test } from "vitest";
import { randomState } from "../base/random.ts";
import { drawLuck, type LuckPool, meanLuck, otherPool, sharesLike } from "./luck.ts";

const pool: LuckPool = {
  usual: Float64Array.of(0.9, 1, 1.1),
  bad: Float64Array.of(3),
  badShare: 0.1,
  known: { phase: { bad: 10, attempts: 100 }, job: { bad: 20, attempts: 200 } },
  jobShares: sharesLike({ bad: 20, attempts: 200 }),
};

const another = (of: LuckPool, n: number): LuckPool =>
  otherPool(of, n, { ofJob: randomState(n, "job"), chance: randomState(n, "phase") });

test("draws are bad with the pool's chance", () => {
  const chance = randomState(1, "draws");
  const drawn = Array.from({ length: 10_000 }, () => drawLuck(pool, chance));
  const bad = drawn.filter((ratio) => ratio === 3).length / drawn.length;
  expect(bad).toBeCloseTo(0.1, 1);
  expect(drawn.reduce((a, b) => a + b, 0) / drawn.length).toBeCloseTo(meanLuck(pool), 1);
});

test("the pools of other possible runs spread around this run's pool", () => {
  const shares = Array.from({ length: 500 }, (_, n) => another(pool, n).badShare);
  expect(shares.reduce((a, b) => a + b, 0) / shares.length).toBeCloseTo(0.1, 2);
  expect(Math.min(...shares)).toBeLessThan(0.06);
  expect(Math.max(...shares)).toBeGreaterThan(0.15);
});

test("a log without bad luck does not prove that there is none", () => {
  const none = { bad: 0, attempts: 100 };
  const known = { phase: none, job: none };
  const jobShares = sharesLike(none);
  const lucky: LuckPool = { ...pool, bad: new Float64Array(0), badShare: 0, known, jobShares };
  expect(drawLuck(lucky, randomState(1))).toBeLessThan(1.2);
  const shares = Array.from({ length: 500 }, (_, n) => another(lucky, n).badShare);
  expect(Math.max(...shares)).toBeGreaterThan(0.005);
  expect(shares.reduce((a, b) => a + b, 0) / shares.length).toBeLessThan(0.005);
});

test("a phase without ratios takes the expected time", () => {
  const empty: LuckPool = {
    usual: new Float64Array(0),
    bad: new Float64Array(0),
    badShare: 0,
    known: { phase: { bad: 0, attempts: 0 }, job: { bad: 0, attempts: 0 } },
    jobShares: new Float64Array(0),
  };
  expect(drawLuck(empty, randomState(1))).toBe(1);
});
