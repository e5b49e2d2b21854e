import { expect, test } from "vitest";
import { steadily, stuckAt } from "../../../../test/support/curves.ts";
import { World } from "../../../../test/support/world.ts";

test("levels may have any number, such as megahertz", () => {
  const world = new World({
    discipline: "esplash",
    slotKinds: ["container"],
    slots: [1],
    sets: ["speculation.levels=n1:12000,n*:20000"],
    runs: ({ task, as }) =>
      task.index === 1 && as === "original" ? stuckAt(0.1, 1000) : steadily(60_000),
  });
  world.submit({ phases: [{ name: "map", tasks: 4, slots: ["container"] }] });
  // Before anything has finished, every level below is looked up.
  expect(() => world.advance(50_000)).not.toThrow();
  expect(world.refusals()).toContain("nothing-finished");
  world.advance(80_000);
  expect(world.copies()).toHaveLength(1);
});
