import { beforeAll, describe, expect, test } from "vitest";
import { parseJournal, replay } from "../../src/core/journal/index.ts";
import type { SchedulerOptions } from "../../src/core/scheduler.ts";
import type { Action } from "../../src/model/action.ts";
import { restoreDiscipline } from "../../src/policy/discipline.ts";
import { REGISTRY } from "../../src/policy/registry.ts";
import { type Plan, planWorld } from "../simulate/plan.ts";
import { World } from "../simulate/world.ts";
import { eagerSettings } from "./eager.ts";
import { runOnEqualNodes } from "./equal-nodes.ts";

const SEEDS = [1, 2, 3];

const { disciplines, ...seats } = REGISTRY;

/** Every discipline that has a name, and every policy in its seat of another. */
const DISCIPLINES: readonly string[] = [
  ...disciplines.map(({ name }) => name),
  ...Object.entries(seats).flatMap(([seat, rows]) =>
    rows.map(({ policy }) => `late,${seat}=${policy.name}`),
  ),
];

/** What must be seen in the worlds of a discipline, or nothing has been tested of it. */
const ACTS: ReadonlyMap<string, readonly string[]> = new Map([
  ...disciplines
    .filter(({ speculation }) => speculation !== "none")
    .map(({ name }): [string, string[]] => [name, ["speculative"]]),
  ["mantri", ["speculative", "restart", "kill-restart", "replicate", "prefer"]],
  ["mantri-restart", ["speculative", "restart", "kill-restart"]],
  ["mantri-placement", ["prefer"]],
  ["mantri-protection", ["replicate"]],
  ["fair", ["speculative", "kill-requeue"]],
]);

describe.each(DISCIPLINES)("%s", (discipline) => {
  const sets = eagerSettings(discipline);
  const plans = SEEDS.map(
    (seed): Plan => ({ ...planWorld(seed), discipline, sets, seats: [], offersSlots: true }),
  );

  const worlds: World[] = [];

  // No launch on a lost node, caps hold, and all the other invariants.
  beforeAll(() => {
    worlds.push(...plans.map((plan) => run(plan)));
  });

  test("acts", () => {
    const acts = worlds.flatMap(({ journal }) => actsIn(journal));
    for (const wanted of ACTS.get(discipline) ?? []) expect(acts).toContain(wanted);
  });

  test("gives the same answers twice", () => {
    plans.forEach((plan, index) => {
      expect(run(plan).journal).toEqual(worlds[index]?.journal);
    });
  });

  test("decides the same when nobody wants to know why", () => {
    plans.forEach((plan, index) => {
      const silent = run(plan, { explain: false });
      expect(decisionsOf(silent.journal)).toEqual(decisionsOf(worlds[index]?.journal ?? []));
    });
  });

  test("has a memory that survives cloning at every step", () => {
    plans.forEach((plan, index) => {
      const cloned = run(plan, { memory: (memory) => structuredClone(memory) });
      expect(cloned.journal).toEqual(worlds[index]?.journal);
    });
  });

  test("is restored from the first line of a journal, which replays to the byte", () => {
    for (const { journal, steps } of worlds) {
      expect(replay(journal, restoreDiscipline)).toEqual({ kind: "same", steps });
    }
  });

  test("may have equal nodes permuted", () => {
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

function run(plan: Plan, options: SchedulerOptions = {}): World {
  const world = new World(plan, options);
  world.run();
  return world;
}

/** What was decided, without the reasons. */
function decisionsOf(journal: readonly string[]): readonly unknown[] {
  return [...parseJournal(journal).entries].flatMap((entry) => {
    if (entry.kind === "host") return [];
    const actions = entry.actions.filter(({ kind }) => kind !== "pass").map(withoutReason);
    return [[entry.event, actions]];
  });
}

function withoutReason(action: Action): unknown {
  return "why" in action ? { ...action, why: action.why.rule } : action;
}

/** Launches by their kind, kills by what follows them, and the kinds of all else. */
function actsIn(journal: readonly string[]): readonly string[] {
  return [...parseJournal(journal).entries].flatMap((entry) =>
    entry.kind === "host"
      ? []
      : entry.actions.map((action) => {
          if (action.kind === "launch") return action.as;
          return action.kind === "kill" ? `kill-${action.then}` : action.kind;
        }),
  );
}
