import { expect, test } from "vitest";
import { type Plan, planWorld } from "../../src/testing/plan.ts";
import { cutPlan, unknownCut } from "./cuts.ts";
import { runWorld } from "./run-world.ts";
import { shrink } from "./shrink.ts";

const tasksIn = (plan: Plan): number =>
  plan.jobs
    .flatMap(({ phases }) => phases)
    .map(({ tasks }) => tasks.length)
    .reduce((sum, tasks) => sum + tasks, 0);

/** A world with several jobs, phases and nodes. */
const SEED = 1;

test("everything irrelevant to a break is cut: two nodes and three tasks are left", () => {
  const plan = planWorld(SEED);
  expect([plan.jobs.length, plan.nodes.length].every((count) => count > 2)).toBe(true);
  const breaks = (cuts: readonly string[]) => {
    const less = cutPlan(plan, cuts);
    const tasks = tasksIn(less);
    const isBroken = less.nodes.length >= 2 && tasks >= 3;
    return isBroken ? { problem: `job1/phase0/2 of ${tasks} waits` } : undefined;
  };
  const shrunk = shrink(plan, breaks, Number.POSITIVE_INFINITY);
  const left = cutPlan(plan, shrunk?.cuts ?? []);
  expect(left.nodes.length).toBe(2);
  expect(tasksIn(left)).toBe(3);
  expect(new Set(Object.values(left.chances))).toEqual(new Set([0]));
});

test("a different problem is no reason to cut, and a sound world has nothing to cut", () => {
  const plan = planWorld(SEED);
  const breaks = (cuts: readonly string[]) => ({ problem: cuts.length === 0 ? "one" : "two" });
  expect(shrink(plan, breaks, Number.POSITIVE_INFINITY)?.cuts).toEqual([]);
  expect(shrink(plan, () => undefined, Number.POSITIVE_INFINITY)).toBeUndefined();
});

test.each(["job:0", "node:1", "phase:0.0", "tasks:0.3=1", "calm,even", "prompt,current"])(
  "without %s the world runs, its ids are dense, and less is left of it",
  (cut) => {
    const cuts = cut.split(",");
    const whole = planWorld(SEED);
    const plan = cutPlan(whole, cuts);
    const phases = plan.jobs.flatMap((job) => job.phases);
    const tasks = phases.flatMap((phase) => [...phase.tasks]);
    expect(phases.map(({ id }) => Number(id))).toEqual([...phases.keys()]);
    expect(tasks.map(({ id }) => Number(id))).toEqual([...tasks.keys()]);
    expect(plan.nodes.map(({ id }) => Number(id))).toEqual([...plan.nodes.keys()]);
    expect(plan).not.toEqual(whole);
    expect(runWorld(SEED, { cuts }).steps).toBeGreaterThan(0);
  },
);

test("a cut of nothing is unknown", () => {
  const plan = planWorld(SEED);
  const known = ["job:0", "node:1", "phase:0.0", "tasks:0.3=1", "calm", "chance:fail"];
  expect(unknownCut(plan, known)).toBeUndefined();
  for (const cut of ["nonsense", "job:99", "tasks:99.0=1", "tasks:0.3", "node:-1", ""]) {
    expect(unknownCut(plan, [...known, cut])).toBe(cut);
  }
});
