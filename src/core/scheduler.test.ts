import { expect, test } from "vitest";
import { steadily } from "../../test/support/curves.ts";
import { World } from "../../test/support/world.ts";
import { instant } from "../model/ids.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import { type SpeculationPolicy, use } from "../policy/policy.ts";

const LOOK_EVERY_MS = 60_000;

/** Looks by itself once a minute; its interest in idle slots has the core ask again every 3 s. */
const watchful: SpeculationPolicy<object, { looks: number[] }> = {
  name: "watchful",
  source: "this test",
  params: {},
  needs: [],
  remember: () => ({ looks: [] }),
  onIdleSlot: () => [],
  scan({ memory, view }) {
    memory.looks.push(view.now);
    return [{ kind: "wake", at: instant(view.now + LOOK_EVERY_MS) }];
  },
};

function looksOf(jobs: readonly { readonly at: number; readonly takesMs: number }[]): number[] {
  const looks: number[][] = [];
  const policy = {
    ...watchful,
    remember: () => {
      const memory = watchful.remember();
      looks.push(memory.looks);
      return memory;
    },
  };
  const world = new World({
    discipline: { ...parseDiscipline("none,sharing=fifo-plain"), speculation: use(policy) },
    nodes: 2,
    runs: ({ task }) => steadily(jobs[task.phase]?.takesMs ?? 0),
  });
  for (const { at } of jobs) {
    world.advance(at);
    world.submit({ maps: 1 });
  }
  world.finish();
  expect(world.actions.filter(({ action }) => action.kind === "wake").length).toBeGreaterThan(40);
  return looks.flat();
}

test("a policy looks by itself at the first step with a live job, then only when it is due", () => {
  expect(looksOf([{ at: 0, takesMs: 200_000 }])).toEqual([0, 60_000, 120_000, 180_000]);
});

test("when no job is live the timers stop, and the next job makes the policy look at once", () => {
  const jobs = [
    { at: 0, takesMs: 90_000 },
    { at: 400_000, takesMs: 70_000 },
  ];
  expect(looksOf(jobs)).toEqual([0, 60_000, 400_000, 460_000]);
});

test("a policy hears of a node's new slots", () => {
  const heard: string[] = [];
  const policy: typeof watchful = {
    ...watchful,
    hears: { "node-resized": (_, { kind }) => void heard.push(kind) },
  };
  const world = new World({
    discipline: { ...parseDiscipline("none,sharing=fifo-plain"), speculation: use(policy) },
    nodes: 1,
  });
  world.step({ at: instant(0), kind: "node-resized", node: world.node("n1"), slots: [] });
  expect(heard).toEqual(["node-resized"]);
});
