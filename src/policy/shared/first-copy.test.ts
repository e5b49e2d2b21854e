import { describe, expect, test } from "vitest";
import { type Run, steadily } from "../../../test/support/curves.ts";
import { type Launch, World } from "../../../test/support/world.ts";

const SECOND = 1000;

/** Of twelve maps, the two on n1 are slow. */
const runs = ({ task }: Launch): Run => steadily((task.index < 2 ? 10_000 : 50) * SECOND);

const worldUnder = (discipline: string): World => {
  const world = new World({
    discipline: `${discipline},sharing=fifo-plain`,
    sets: discipline === "late" ? ["speculation.slowNodeThreshold=0"] : [],
    nodes: 11,
    slots: [3],
    slotKinds: ["map"],
    offers: "manual",
    setup: { statisticsEvery: 1000 },
    runs,
  });
  world.submit({ maps: 12 });
  world.offer("n1", [2]);
  for (let node = 2; node <= 11; node++) world.offer(`n${node}`, [1]);
  return world.advance(100 * SECOND);
};

describe.each(["late", "hadoop-paper", "dryad"])(
  "under %s, which looks once in a second",
  (name) => {
    test("the stragglers of a look are copied on all nodes that ask", () => {
      const world = worldUnder(name);
      world.offer("n3", [1]);
      world.advance(100.05 * SECOND).offer("n4", [1]);
      expect(world.copies()).toHaveLength(2);
    });

    test("an attempt that began after the look is not copied: another was slow", () => {
      const world = worldUnder(name);
      world.offer("n1", [1]);
      expect(world.refusals()).toEqual(["has-run-here"]);
      world.advance(100.1 * SECOND).kill(world.attempt("map", 1));
      world.offer("n1", [1]);
      expect(world.launches("rerun")).toEqual(["map/1 rerun n1"]);
      world.advance(100.2 * SECOND).offer("n3", [1]);
      world.offer("n4", [1]);
      expect(world.copies()).toEqual(["map/0 n3"]);
    });
  },
);
