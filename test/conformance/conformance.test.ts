import { describe, expect, test } from "vitest";
import { REGISTRY } from "../../src/policy/registry.ts";
import { disciplineTests } from "../../src/testing/index.ts";
import { eagerSettings } from "./eager.ts";
import { runOnEqualNodes } from "./equal-nodes.ts";

const { disciplines, ...seats } = REGISTRY;

/** Every named discipline, and every policy in its seat of another discipline. */
const DISCIPLINES: readonly string[] = [
  ...disciplines.map(({ name }) => name),
  ...Object.entries(seats).flatMap(([seat, rows]) =>
    rows.map(({ policy }) => `late,${seat}=${policy.name}`),
  ),
];

/** The events that must occur in a discipline's worlds, or the tests would be empty. */
const ACTS: ReadonlyMap<string, readonly string[]> = new Map([
  ...disciplines
    .filter(({ speculation }) => speculation !== "none")
    .map(({ name }): [string, string[]] => [name, ["speculative"]]),
  ["mantri", ["speculative", "restart", "kill-restart", "replicate", "prefer"]],
  ["mantri-restart", ["speculative", "restart", "kill-restart"]],
  ["mantri-placement", ["prefer"]],
  ["mantri-protection", ["replicate"]],
  ["fair", ["speculative", "kill-requeue"]],
  ["elephant-preempt", ["speculative", "kill-requeue"]],
  ["late,order=local-preempt", ["kill-requeue"]],
]);

describe.each(DISCIPLINES)("%s", (discipline) => {
  const sets = eagerSettings(discipline);
  const acts = ACTS.get(discipline) ?? [];
  for (const { name, run } of disciplineTests({ registry: REGISTRY, discipline, sets, acts })) {
    test(name, run);
  }

  test("does not depend on the order of equal nodes", () => {
    const forward = runOnEqualNodes(discipline, ["n1", "n2", "n3", "n4", "n5"]);
    expect(forward.launches.length).toBeGreaterThan(8);
    for (const order of [
      ["n5", "n4", "n3", "n2", "n1"],
      ["n2", "n5", "n1", "n4", "n3"],
    ]) {
      expect(runOnEqualNodes(discipline, order)).toEqual(forward);
    }
  });
});
