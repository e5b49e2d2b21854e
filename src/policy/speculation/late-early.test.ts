import { expect, test } from "vitest";
import { slowOriginals } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { taskId } from "../../model/ids.ts";
import { late, lateEarly } from "./late.ts";

const SECOND = 1000;

/** Four nodes, ten maps of 50 s; the first takes 900 s, so that the others need three waves. */
function phase(discipline: string, ...sets: string[]): World {
  const world = new World({
    discipline: `${discipline},sharing=fifo-plain`,
    sets,
    nodes: 4,
    slots: [1],
    slotKinds: ["map"],
    runs: slowOriginals(50, { 0: 900 }),
  });
  world.submit({ maps: 10 });
  return world;
}

test("Mantri §6.3: LATE waits until all tasks have started, late-early does not", () => {
  expect(
    phase("late")
      .advance(149 * SECOND)
      .copies(),
  ).toEqual([]);
  expect(
    phase("late")
      .advance(150 * SECOND)
      .copies(),
  ).toEqual(["map/0 n2"]);
  const early = phase("late-early").advance(99 * SECOND);
  expect(early.copies()).toEqual([]);
  early.advance(100 * SECOND);
  expect(early.copies()).toEqual(["map/0 n2"]);
  // One task still waits when the others have their slots.
  expect(early.launches("original")).toHaveLength(9);
});

test("Mantri §6.3: late-early is identical in all other ways: parameters, patience, cap", () => {
  expect(lateEarly.params).toBe(late.params);
  expect(lateEarly.onIdleSlot).toBe(late.onIdleSlot);
  expect(phase("late-early", "speculation.speculativeCap=0").finish()).toBe(
    phase("late", "speculation.speculativeCap=0").finish(),
  );
  const patient = phase("late-early", "speculation.runtimeMsMin=120000");
  expect(patient.advance(149 * SECOND).copies()).toEqual([]);
  expect(patient.advance(150 * SECOND).copies()).toEqual(["map/0 n2"]);
});

test("Mantri §6.3: an early copy takes the slot of a waiting task", () => {
  const waiting = (discipline: string): number => {
    const view = phase(discipline)
      .advance(100 * SECOND)
      .look();
    return view.counts(view.task(taskId(0)).phase).waiting;
  };
  expect(waiting("late")).toBe(0);
  expect(waiting("late-early")).toBe(1);
});
