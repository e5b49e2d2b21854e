import { expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { REGISTRY } from "../registry.ts";

/** A job with a straggler that every policy would copy. */
function worldOf(policy: string, speculate?: boolean): World {
  const world = new World({
    discipline: `none,speculation=${policy},sharing=fifo-plain`,
    nodes: 8,
    slots: [1],
    slotKinds: ["map"],
    runs: ({ task, as }) => steadily(as === "original" && task.index === 0 ? 900_000 : 20_000),
  });
  world.submit({ maps: 16, ...(speculate === undefined ? {} : { speculate }) });
  world.advance(300_000);
  return world;
}

const policies = REGISTRY.speculation
  .map(({ policy }) => policy.name)
  .filter((name) => name !== "none");

/** Copies, and restarts. */
const second = (world: World): string[] =>
  world.launches().filter((launch) => !launch.includes(" original "));

test.each(policies)("%s copies no task of a job that forbids it, and says so", (policy) => {
  expect(second(worldOf(policy))).toHaveLength(1);
  expect(second(worldOf(policy, true))).toHaveLength(1);
  const forbidden = worldOf(policy, false);
  expect(second(forbidden)).toEqual([]);
  expect(new Set(forbidden.refusals())).toEqual(new Set(["job-forbids-copies"]));
});
