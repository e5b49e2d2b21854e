import { expect, test } from "vitest";
import { TrueJob } from "../../test/diagnose/support/true-job.ts";
import { ROLE } from "../diagnose/schedule/planned.ts";
import { REGISTRY } from "../policy/registry.ts";
import { fitted } from "./fitted.ts";
import { idleParts } from "./idle-parts.ts";
import { disciplineOf, outcomeOf } from "./trial.ts";

const made = new TrueJob(4, 0);
const fit = fitted(made.logOf(made.run("none", 1)));
const idle = (...policies: readonly string[]) =>
  idleParts(
    fit,
    policies.map((policy) => ({ policy, sets: [] })),
  );

test("parts that decide about other jobs, racks or losses are named with the reason", () => {
  expect(idle("none", "late", "spark-4")).toEqual([]);
  expect(idle("fair", "capacity")).toEqual([
    "sharing=fair (fair) and sharing=capacity (capacity) can do nothing here: the job has the " +
      "cluster alone.",
  ]);
  expect(idle("elephant-copies", "mantri-protection", "mantri-restart")).toEqual([
    "data=copy-outputs (elephant-copies) and data=mantri-protect (mantri-protection) can do " +
      "nothing here: no node is lost, and no output.",
  ]);
  expect(idle("late,order=local-preempt")).toEqual([
    "order=local-preempt (late,order=local-preempt) can do nothing here: no task has a place, as " +
      "recorded times include where its data lay.",
  ]);
  expect(idle("late,data=mantri-placement")).toEqual([
    "data=mantri-placement (late,data=mantri-placement) can do nothing here: there are no links " +
      "between racks.",
  ]);
});

test("an order for attempts that failed has something to do where attempts failed", () => {
  expect(idle("elephant-remedy").join(" ")).toContain("order=local-failed-first");
  const { plan, ...parts } = fitted(made.logOf(made.run("none", 1)));
  plan.role.fill(ROLE.fails, 0, 2);
  const trials = [{ policy: "elephant-remedy", sets: [] }];
  expect(idleParts({ plan, ...parts }, trials).join(" ")).not.toContain("local-failed-first");
});

// The sentence must be true: with the part, or with what stands in its place, the run is the same.
const ALIKE = ["fair", "capacity", "elephant-copies", "elephant-remedy", "elephant-preempt"];
test.each([...ALIKE, "mantri-protection"])("%s runs as its speculation alone", (policy) => {
  const { speculation } = REGISTRY.disciplines.find(({ name }) => name === policy) ?? {};
  expect(speculation).toBeDefined();
  const alone = String(speculation);
  for (const seed of [1, 2, 3]) {
    const ask = { luck: "again", rho: 0, seed } as const;
    const [whole, plain] = [policy, alone].map((one) =>
      outcomeOf(fit, disciplineOf({ policy: one, sets: [] }), ask),
    );
    expect(whole).toEqual(plain);
  }
});
