import { describe, expect, test } from "vitest";
import { steadily } from "../../../../test/support/curves.ts";
import { World, type WorldOptions } from "../../../../test/support/world.ts";
import { parseDiscipline } from "../../discipline.ts";
import { type Estimator, use } from "../../policy.ts";
import { lookEveryMs } from "./look.ts";

const SECOND = 1000;

/** One map slot per node. */
const worldOf = (options: WorldOptions): World =>
  new World({ discipline: "mantri-restart", slots: [1], slotKinds: ["map"], ...options });

/** The given numbers of nodes and tasks; some of the tasks have begun. */
interface AtOnce {
  readonly nodes: number;
  readonly maps: number;
  readonly begun?: number;
}

/** t_new depends on the node, t_rem is given, and one slot is idle at a time. */
function told(of: {
  readonly newCopyS: (node: string | undefined) => number;
  readonly timeLeftS: (task: number, now: number) => number;
  /** How long tasks take; default: longer than the test. */
  readonly takesS?: (task: number) => number;
}): { readonly atOnce: (of: AtOnce) => World } {
  const estimator: Estimator = {
    name: "told",
    source: "tests",
    params: {},
    needs: [],
    steady: false,
    remember: () => null,
    timeLeft: ({ view }, id) => {
      const { index } = view.task(view.attempt(id).task);
      return of.timeLeftS(index, view.now / SECOND) * SECOND;
    },
    newCopy({ view }, _, node) {
      const name = node === undefined ? undefined : view.node(node).name;
      return { kind: "point", at: of.newCopyS(name) * SECOND };
    },
  };
  const discipline = { ...parseDiscipline("mantri-restart"), estimator: use(estimator) };
  const atOnce = ({ nodes, maps, begun = maps }: AtOnce): World => {
    const world = worldOf({
      discipline,
      nodes,
      offers: "manual",
      runs: ({ task }) => steadily((of.takesS?.(task.index) ?? 1000) * SECOND),
    });
    world.submit({ maps });
    for (let node = 1; node <= begun; node++) world.offer(`n${node}`);
    return world;
  };
  return { atOnce };
}

describe("Δ is the task's, whichever node asks", () => {
  /** Tasks of 20 s: Δ is 2 s. On n3 they would take ten times as long, on n4 a tenth. */
  const newCopyS = (node: string | undefined): number =>
    node === "n3" ? 200 : node === "n4" ? 2 : 20;

  test("a slow node makes no task look as if it had not reported", () => {
    // n3's Δ of 10 s would withhold the copy until the task has run for 10 s.
    const world = told({ newCopyS, timeLeftS: () => 1000 }).atOnce({ nodes: 4, maps: 1 });
    world.advance(4 * SECOND).offer("n3");
    expect(world.copies()).toEqual(["map/0 n3"]);
  });

  test("a fast node takes no copy that saves less than ρΔ", () => {
    // On n4 a copy saves about 7 s; line 10 demands 6 by the task's Δ, and 0.6 by n4's.
    const left = (timeLeftS: number): readonly string[] => {
      // The task is a candidate from its first report on, at 2 s; the next look is at 4 s.
      const world = told({ newCopyS, timeLeftS: (_, now) => (now < 3.9 ? 1000 : timeLeftS) });
      const one = world.atOnce({ nodes: 4, maps: 1 });
      one.advance(3_900).offer("n4");
      return one.copies();
    };
    expect(left(7.9)).toEqual([]);
    expect(left(8.1)).toEqual(["map/0 n4"]);
  });
});

test("a task is judged from its first report on, between two looks at its phase", () => {
  // Looks at the phase are at 0.1 s and then every 10 s; the second task begins at 5 s.
  const world = told({
    newCopyS: () => 100,
    timeLeftS: (task) => (task === 0 ? 50 : 1000),
  }).atOnce({ nodes: 4, maps: 2, begun: 1 });
  world.advance(5 * SECOND).offer("n2");
  world.advance(14_900).offer("n3");
  expect(world.copies()).toEqual([]);
  world.advance(15 * SECOND).offer("n3");
  expect(world.copies()).toEqual(["map/1 n3"]);
});

test("a task that begins late has looks once in its Δ, not in a tenth of its phase's age", () => {
  // Δ is 2 s. The task is worth a copy from its fourth second on, after its first report.
  const late = Array.from({ length: 30 }, (_, n) => 60 + n).filter((from) => {
    const timeLeftS = (_: number, now: number) => (now < from + 3 ? 20 : 1000);
    const takesS = (task: number) => (task === 0 ? 5 : 1000);
    const world = told({ newCopyS: () => 20, timeLeftS, takesS }).atOnce({
      ...{ nodes: 4, maps: 2, begun: 1 },
    });
    world.advance(from * SECOND).offer("n2");
    // The first report says that a copy would save nothing.
    world.advance((from + 2.5) * SECOND).offer("n1");
    world.advance((from + 5) * SECOND).offer("n3");
    return world.copies().length === 0;
  });
  expect(late).toEqual([]);
});

test("the candidate that gains most on this node is chosen", () => {
  // At the last look the first gained more; now the second does.
  const { atOnce } = told({
    newCopyS: () => 100,
    timeLeftS: (task, now) => (task === 0 ? (now < 25 ? 900 : 500) : 700),
  });
  const world = atOnce({ nodes: 4, maps: 2 });
  world.advance(24 * SECOND).look();
  world.advance(26 * SECOND).offer("n3");
  expect(world.copies()).toEqual(["map/1 n3"]);
});

test("looks at a phase come once per Δ; while nothing is known, ten times in its life", () => {
  const long = { periodMs: 10_000, periodsPerLife: 10, since: 0 };
  expect(lookEveryMs({ ...long, lifeMs: 500_000, now: 1000 })).toBe(10_000);
  expect(lookEveryMs({ ...long, lifeMs: 20_000, now: 1000 })).toBe(2000);
  expect(lookEveryMs({ ...long, lifeMs: undefined, now: 5000 })).toBe(500);
  expect(lookEveryMs({ ...long, lifeMs: undefined, now: 0 })).toBe(100);
});

test("a phase that becomes ready beside long tasks gets a look at once", () => {
  const world = worldOf({
    nodes: 30,
    runs: ({ task, phase }) => {
      if (phase === "long") return steadily(300 * SECOND);
      return steadily((task.index === 0 ? 60 : 2) * SECOND);
    },
  });
  const phase = (name: string, tasks: number) => ({ name, tasks, slots: ["map"] });
  world.submit({ phases: [phase("long", 10)] });
  world.advance(121 * SECOND);
  world.submit({ phases: [phase("short", 10)] });
  world.advance(160 * SECOND);
  const copy = world.actions.find(
    ({ action }) => action.kind === "launch" && action.as === "speculative",
  );
  expect(copy?.at).toBeLessThan(124 * SECOND);
});
