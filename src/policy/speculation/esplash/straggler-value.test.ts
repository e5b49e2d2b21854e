import { describe, expect, test } from "vitest";
import { rateDeficit, stragglerValue, timeDeficit } from "./straggler-value.ts";

const ONE = { timeCoefficient: 1, rateCoefficient: 1, averaged: false };

describe("§IV-B, estimated execution time", () => {
  test("the excess over the mean, in standard deviations", () => {
    expect(timeDeficit({ estimatedMs: 160, meanMs: 100, deviationMs: 20 })).toBe(3);
  });

  test("tasks estimated below the mean, or at it, are excluded", () => {
    expect(timeDeficit({ estimatedMs: 40, meanMs: 100, deviationMs: 20 })).toBe(0);
    expect(timeDeficit({ estimatedMs: 100, meanMs: 100, deviationMs: 20 })).toBe(0);
  });

  test("a task that will never end is infinitely late", () => {
    const estimatedMs = Number.POSITIVE_INFINITY;
    expect(timeDeficit({ estimatedMs, meanMs: 100, deviationMs: 20 })).toBe(estimatedMs);
  });
});

describe("§IV-B, progress rate", () => {
  test("the level's gain over the task's, as a multiple", () => {
    expect(rateDeficit({ own: 0.05, level: 0.2 })).toBe(4);
    expect(rateDeficit({ own: 0.2, level: 0.2 })).toBe(1);
  });

  test("a stuck task where others move is infinitely behind", () => {
    expect(rateDeficit({ own: 0, level: 0.2 })).toBe(Number.POSITIVE_INFINITY);
  });

  test("a stuck task among stuck tasks is like the others", () => {
    expect(rateDeficit({ own: 0, level: 0 })).toBe(1);
  });
});

describe("§IV-B, the straggler value", () => {
  const tasks = [
    { time: 3, rate: 4 },
    { time: 0, rate: 1 },
  ];

  test("is the sum of both terms over the running tasks", () => {
    expect(stragglerValue(tasks, ONE)).toBe(8);
  });

  test("weighs the terms with their coefficients", () => {
    expect(stragglerValue(tasks, { ...ONE, timeCoefficient: 2 })).toBe(11);
    expect(stragglerValue(tasks, { ...ONE, rateCoefficient: 2 })).toBe(13);
  });

  test("averaged, does not grow with the node's containers", () => {
    expect(stragglerValue(tasks, { ...ONE, averaged: true })).toBe(4);
    expect(stragglerValue([...tasks, ...tasks], { ...ONE, averaged: true })).toBe(4);
    expect(stragglerValue([...tasks, ...tasks], ONE)).toBe(16);
  });

  test("a term without weight counts nothing, infinite or not", () => {
    const stuck = [{ time: Number.POSITIVE_INFINITY, rate: Number.POSITIVE_INFINITY }];
    expect(stragglerValue(stuck, { ...ONE, timeCoefficient: 0, rateCoefficient: 0 })).toBe(0);
    expect(stragglerValue(stuck, { ...ONE, timeCoefficient: 0 })).toBe(Number.POSITIVE_INFINITY);
  });

  test("of a node without tasks is 0", () => {
    expect(stragglerValue([], { ...ONE, averaged: true })).toBe(0);
  });
});
