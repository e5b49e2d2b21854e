import { describe, expect, test } from "vitest";
import { TrueJob } from "../../test/diagnose/support/true-job.ts";
import { REGISTRY } from "../policy/registry.ts";
import { fitted } from "./fitted.ts";
import { disciplineOf, judgesNodes, nameOf, outcomeOf, withoutCopies } from "./trial.ts";

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

  test("keeps its other seats", () => {
    const seats = (policy: string) => disciplineOf(withoutCopies(named(policy)));
    expect(seats("mantri").order.policy.name).toBe("largest-first");
    expect(seats("late").speculation.policy.name).toBe("late");
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
