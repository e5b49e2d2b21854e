import { describe, expect, test } from "vitest";
import { REGISTRY } from "../../src/policy/registry.ts";
import { type Run, steadily, stuckAt } from "../support/curves.ts";
import { World } from "../support/world.ts";

/** eSplash judges nodes by other attempts there, and there are none here. */
const JUDGE_NODES = ["esplash", "esplash-printed"];

const CRAWL_MS = 3_000_000;

/** Ten nodes, twenty maps of 10 s, and reduces that wait for all of them. */
function worldUnder(discipline: string): World {
  return new World({
    discipline: `${discipline},sharing=fifo-plain`,
    nodes: 10,
    slots: [1, 1],
    explain: false,
    runs: ({ as, phase, task }): Run => {
      // The reduces copy, and wait for missing outputs.
      if (phase === "reduce") return stuckAt(0.3, 1_000);
      return steadily(as === "recompute" && task.index === 0 ? CRAWL_MS : 10_000);
    },
  });
}

const speculating = REGISTRY.disciplines.filter(
  ({ name, speculation }) => speculation !== "none" && !JUDGE_NODES.includes(name),
);

describe("a map that is recomputed because its output was lost is copied like any other", () => {
  test.each(speculating.map(({ name }) => name))("%s", (discipline) => {
    const world = worldUnder(discipline);
    world.submit({ maps: 20, reduces: 5 });
    // All maps are done, and the reduces have begun.
    world.advance(20_500);
    world.step({ at: world.at, kind: "node-left", node: world.node("n1") });
    // Mantri waits until a reader misses the output, which the host reports.
    const reader = world.attempt("reduce", 1);
    for (const index of [0, 10]) {
      const output = world.task("map", index);
      if (world.view.outputNodes(output).length > 0) continue;
      const from = world.node("n1");
      world.step({ at: world.at, kind: "fetch-failed", reader, output, from });
    }
    expect(world.launches("recompute").length).toBeGreaterThan(0);
    world.advance(350_000);
    expect(world.copies().filter((copy) => copy.startsWith("map/0 "))).not.toEqual([]);
  });
});
