import { describe, expect, test } from "vitest";
import { TrueJob } from "../../test/diagnose/support/true-job.ts";
import { REGISTRY } from "../policy/registry.ts";
import { fitted } from "./fitted.ts";
import {
  differInCopiesAlone,
  disciplineOf,
  judgesNodes,
  nameOf,
  outcomeOf,
  withoutCopies,
} from "./trial.ts";

const named = (policy: string) => ({ policy, sets: [] });

describe("a discipline without its copies", () => {
  const job = new TrueJob(6, 0);
  const fit = fitted(job.logOf(job.run("none", 1)));
  const ask = { luck: "again", rho: 0, seed: 1 } as const;

  test.each([
    ["spark-3.5", "dryad", "late-0.21", "flink", "yarn", "yarn-corrected", "spark-4"],
    ["hadoop", "hadoop-paper", "late", "late-early", "mantri-restart", "esplash", "mapreduce"],
  ])("makes none: %s, %s, %s, %s, %s, %s, %s", (...policies) => {
    for (const policy of policies) {
      const discipline = disciplineOf(withoutCopies(named(policy)));
      expect([policy, outcomeOf(fit, discipline, ask).copies]).toEqual([policy, 0]);
    }
  });

  test("keeps its other seats, and the settings of these", () => {
    const trial = { policy: "mantri", sets: ["speculation.gamma=1", "estimator.windowPeriods=3"] };
    const without = withoutCopies(trial);
    expect(without.sets).toEqual(["estimator.windowPeriods=3"]);
    const { order, speculation } = disciplineOf(without);
    expect([order.policy.name, speculation.policy.name]).toEqual(["largest-first", "none"]);
    expect(withoutCopies(named("speculation = late, order=spark")).policy).toBe(
      "order=spark,speculation=none",
    );
    expect(withoutCopies(named("fair,speculation=none")).policy).toBe("fair,speculation=none");
  });
});

describe("two disciplines differ in copies alone", () => {
  const differ = (a: string, b: string) => differInCopiesAlone(named(a), named(b));

  test("if they take the same tasks in the same order", () => {
    for (const policy of ["late", "yarn", "spark-4", "mantri-restart", "fair"]) {
      expect([policy, differ(policy, "none")]).toEqual([policy, true]);
    }
    expect(differ("mantri", "mantri-order,data=mantri-protect")).toBe(true);
  });

  test("but not with another order, data policy, sharing or setting of these", () => {
    for (const policy of ["mantri", "late,order=spark", "elephant-copies", "none,sharing=fair"]) {
      expect([policy, differ(policy, "none")]).toEqual([policy, false]);
    }
    const one = { policy: "late,order=spark", sets: ["order.nodeWaitMs=1"] };
    expect(differInCopiesAlone(one, named("late,order=spark"))).toBe(false);
  });

  test("nor where a user has written a policy, which may look at anything", () => {
    const [speculation] = REGISTRY.speculation.map((row) => ({ ...row, file: "own.ts" }));
    if (speculation === undefined) throw new Error("no policies");
    const own = { ...REGISTRY, speculation: [speculation, ...REGISTRY.speculation.slice(1)] };
    expect(differInCopiesAlone(named("none"), named("late"), own)).toBe(false);
  });
});

test("every named discipline is known to judge nodes, or not to", () => {
  const judges = REGISTRY.disciplines
    .map(({ name }) => name)
    .filter((name) => judgesNodes(named(name)));
  for (const name of ["late", "late-0.21", "esplash", "mantri", "flink"]) {
    expect(judges).toContain(name);
  }
  for (const name of ["none", "hadoop", "yarn", "spark-4", "dryad", "fair"]) {
    expect(judges).not.toContain(name);
  }
});

test("a trial's name has its settings", () => {
  expect(nameOf(named("late"))).toBe("late");
  const sets = ["speculation.quantile=0.5", "speculation.multiplier=2"];
  expect(nameOf({ policy: "spark-4", sets })).toBe("spark-4 (quantile=0.5, multiplier=2)");
});
