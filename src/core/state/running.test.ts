import { afterEach, describe, expect, test, vi } from "vitest";
import { stuckAt } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { phaseId } from "../../model/ids.ts";
import { AttemptTable } from "./attempt-table.ts";

const MAPS = phaseId(0);
const NODES = 500;

/** All maps run, under a policy that looks at them. */
function busy(): World {
  const world = new World({
    discipline: "late,sharing=fifo-plain",
    nodes: NODES,
    slots: [4],
    slotKinds: ["map"],
    runs: () => stuckAt(0.5, 1000),
  });
  world.submit({ maps: 4 * NODES - 1 });
  return world.advance(2_000);
}

/** The number of attempts that the core looks up. */
function lookedUp(look: () => void): number {
  const find = vi.spyOn(AttemptTable.prototype, "find");
  look();
  const { length } = find.mock.calls;
  find.mockRestore();
  return length;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a look at running tasks", () => {
  test("costs no more than the tasks that it has seen", () => {
    const { view } = busy();
    expect(lookedUp(() => [...view.runningTasks(MAPS)])).toBeGreaterThanOrEqual(4 * NODES - 1);
    const first = lookedUp(() => {
      for (const _ of view.runningTasks(MAPS)) break;
      for (const _ of view.oldestRunning(MAPS, "launch")) break;
    });
    expect(first).toBeLessThan(10);
  });

  test("over all scores is made once while no attempt begins or ends", () => {
    const world = busy();
    const { view } = world;
    const twice = (): void => {
      view.meanProgress(MAPS);
      for (const _ of view.oldestRunning(MAPS, "work")) break;
    };
    expect(lookedUp(twice)).toBeLessThan(4 * NODES + 10);
    world.advance(9_000);
    expect(lookedUp(() => view.meanProgress(MAPS))).toBeLessThan(10);
    world.submit({ maps: 1 });
    expect(lookedUp(() => view.meanProgress(MAPS))).toBeGreaterThanOrEqual(4 * NODES - 1);
  });
});
