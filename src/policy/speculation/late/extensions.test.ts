import { describe, expect, test } from "vitest";
import { steadily } from "../../../../test/support/curves.ts";
import { World } from "../../../../test/support/world.ts";
import { isAlmostAsLong } from "./extensions.ts";

const SECOND = 1000;

describe("further copies", () => {
  /** Of twelve maps one takes 900 s wherever it runs; another node asks each minute. */
  function copiesWith(copiesMax: number): number {
    const world = new World({
      discipline: "late",
      sets: ["slowNodeThreshold=0", "speculativeCap=1", `copiesMax=${copiesMax}`].map(
        (set) => `speculation.${set}`,
      ),
      nodes: 12,
      slots: [1],
      slotKinds: ["map"],
      offers: "manual",
      runs: ({ task }) => steadily((task.index === 0 ? 900 : 20) * SECOND),
    });
    world.submit({ maps: 12 });
    for (let node = 1; node <= 12; node++) world.offer(`n${node}`);
    world.advance(60 * SECOND).offer("n2");
    // The copy is as slow as its original, but has not run for a minute yet.
    world.advance(119 * SECOND).offer("n3");
    world.advance(121 * SECOND).offer("n4");
    world.advance(182 * SECOND).offer("n5");
    return world.copies().length;
  }

  test.each([1, 2, 3])(
    "a task whose copies are slow as well, for a minute each, gets another: at most %d",
    (copiesMax) => expect(copiesWith(copiesMax)).toBe(copiesMax),
  );
});

describe("the attempts that have almost as long left as the longest", () => {
  test.each([
    [0, [100, 100, 90], [false, false, false]],
    [0.2, [100, 80, 79], [true, true, false]],
    [1, [100, 1, 0], [true, true, true]],
    [0.5, [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 5], [true, true, false]],
    [1, [Number.POSITIVE_INFINITY, 5], [true, true]],
  ])("within %d of %j", (nearerWithin, lefts, expected) => {
    const [longestMs = Number.NaN] = lefts;
    const almost = lefts.map((leftMs) => isAlmostAsLong({ nearerWithin }, leftMs, longestMs));
    expect(almost).toEqual(expected);
  });
});
