import { describe, expect, test } from "vitest";
import { steadily } from "../../../../test/support/curves.ts";
import { World, type WorldOptions } from "../../../../test/support/world.ts";
import { instant } from "../../../model/ids.ts";
import { parseDiscipline } from "../../discipline.ts";
import { type Estimator, use } from "../../policy.ts";
import { mantri } from "../mantri.ts";
import { lookEveryMs } from "./look.ts";

const SECOND = 1000;

/** One map slot a node. */
const worldOf = (options: WorldOptions): World =>
  new World({ discipline: "mantri-restart", slots: [1], slotKinds: ["map"], ...options });

/** So many nodes and tasks, of which some have begun. */
interface AtOnce {
  readonly nodes: number;
  readonly maps: number;
  readonly begun?: number;
}

/** t_new by the node, t_rem as told, and one idle slot at a time. */
function told(of: {
  readonly newCopyS: (node: string | undefined) => number;
  readonly timeLeftS: (task: number, now: number) => number;
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
      runs: () => steadily(1000 * SECOND),
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
    // A Δ of 10 s, of n3, would withhold the copy until the task has run for so long.
    const world = told({ newCopyS, timeLeftS: () => 1000 }).atOnce({ nodes: 4, maps: 1 });
    world.advance(4 * SECOND).offer("n3");
    expect(world.copies()).toEqual(["map/0 n3"]);
  });

  test("a fast node takes no copy that saves less than ρΔ", () => {
    // On n4 line 10 is about 7 s saved, by the task's Δ no more than 6: by n4's, 0.6.
    const left = (timeLeftS: number): readonly string[] => {
      const world = told({ newCopyS, timeLeftS: (_, now) => (now < 4 ? 1000 : timeLeftS) });
      const one = world.atOnce({ nodes: 4, maps: 1 });
      one.advance(4 * SECOND).offer("n4");
      return one.copies();
    };
    expect(left(7.9)).toEqual([]);
    expect(left(8.1)).toEqual(["map/0 n4"]);
  });
});

test("a task is judged from its first report on, between two looks at its phase", () => {
  // The phase is looked at at 0.1 s and then each 10 s; the second task begins at 5 s.
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

test("a scan that comes early looks at the phase that has become ready, and at no other", () => {
  /** Scans each second, as it would when phases become ready. */
  const often: typeof mantri = {
    ...mantri,
    scan: (ctx) => [
      ...(mantri.scan?.(ctx) ?? []),
      { kind: "wake", at: instant(ctx.view.now + SECOND) },
    ],
  };
  const discipline = { ...parseDiscipline("mantri-restart"), speculation: use(often) };
  const world = worldOf({
    discipline,
    nodes: 30,
    runs: ({ task, phase }) => {
      if (phase === "long") return steadily(300 * SECOND);
      return steadily((task.index === 0 ? 60 : 2) * SECOND);
    },
  });
  world.submit({ phases: [{ name: "long", tasks: 10, slots: ["map"] }] });
  world.advance(121 * SECOND);
  world.submit({ phases: [{ name: "short", tasks: 10, slots: ["map"] }] });
  world.advance(160 * SECOND);
  const copy = world.actions.find(
    ({ action }) => action.kind === "launch" && action.as === "speculative",
  );
  expect(copy?.at).toBeLessThan(124 * SECOND);
});

test("of the candidates, the one that gains most on this node is taken", () => {
  // By the last look the first one gained more; now the second does.
  const { atOnce } = told({
    newCopyS: () => 100,
    timeLeftS: (task, now) => (task === 0 ? (now < 25 ? 900 : 500) : 700),
  });
  const world = atOnce({ nodes: 4, maps: 2 });
  world.advance(24 * SECOND).look();
  world.advance(26 * SECOND).offer("n3");
  expect(world.copies()).toEqual(["map/1 n3"]);
});

test("a phase is looked at once in Δ; while nothing is known, ten times in its life", () => {
  const long = { periodMs: 10_000, periodsPerLife: 10, since: 0 };
  expect(lookEveryMs({ ...long, lifeMs: 500_000, now: 1000 })).toBe(10_000);
  expect(lookEveryMs({ ...long, lifeMs: 20_000, now: 1000 })).toBe(2000);
  expect(lookEveryMs({ ...long, lifeMs: undefined, now: 5000 })).toBe(500);
  expect(lookEveryMs({ ...long, lifeMs: undefined, now: 0 })).toBe(100);
});
