import { describe, expect, test } from "vitest";
import { TrueJob } from "../../test/diagnose/support/true-job.ts";
import { fitted } from "./fitted.ts";
import { fixedRho, rhoOfLog, rhoOfRuns } from "./rho.ts";

/** The mean estimate over jobs whose late tasks are late by nature with this chance. */
function estimates(rho: number): readonly number[] {
  return [4, 5, 6, 11, 13].flatMap((seed) => {
    const job = new TrueJob(seed, rho);
    const [a, b] = [1, 2].map((run) => fitted(job.logOf(job.run("none", run))));
    const found = a === undefined || b === undefined ? undefined : rhoOfRuns(a, b);
    return found?.value ?? [];
  });
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe("rho of two runs", () => {
  test("is near 0 if bad luck belongs to attempts, and near 1 if it belongs to tasks", () => {
    expect(mean(estimates(0))).toBeLessThan(0.2);
    expect(mean(estimates(1))).toBeGreaterThan(0.8);
  });

  test("its bounds contain its value, and few late tasks leave them far apart", () => {
    const job = new TrueJob(6, 0.5);
    const [a, b] = [1, 2].map((run) => fitted(job.logOf(job.run("none", run))));
    if (a === undefined || b === undefined) throw new Error("two runs");
    const found = rhoOfRuns(a, b);
    if (found?.value === undefined) throw new Error("a late task");
    expect(found.low).toBeLessThanOrEqual(found.value);
    expect(found.high).toBeGreaterThanOrEqual(found.value);
    expect(found.high - found.low).toBeGreaterThan(0.1);
  });
});

test("a log whose tasks ran once does not determine rho", () => {
  const job = new TrueJob(4, 0.5);
  expect(rhoOfLog(fitted(job.logOf(job.run("none", 1))))).toBeUndefined();
});

test("a given rho has no range", () => {
  expect(fixedRho(0.3)).toMatchObject({ from: "flag", low: 0.3, high: 0.3, value: 0.3 });
});
