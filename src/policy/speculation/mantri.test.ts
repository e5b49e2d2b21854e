import { describe, expect, test } from "vitest";
import { Line } from "../../../test/golden/format.ts";
import { Script } from "../../../test/golden/script.ts";
import { slowOriginals, steadily, stuckAt } from "../../../test/support/curves.ts";
import { World, type WorldOptions } from "../../../test/support/world.ts";
import { instant } from "../../model/ids.ts";
import { parseDiscipline } from "../discipline.ts";
import { type Estimator, use } from "../policy.ts";
import { fifoPlain } from "../sharing/fifo.ts";

const SECOND = 1000;

/** One map slot per node; the outliers' originals take the given time, other attempts 100 s. */
const outliers = (takesS: Readonly<Record<number, number>>) => slowOriginals(100, takesS);

const worldOf = (options: WorldOptions): World =>
  new World({
    discipline: "mantri-restart",
    nodes: 10,
    slots: [1],
    slotKinds: ["map"],
    ...options,
  });

const rules = (world: World, kind: "launch" | "kill"): string[] =>
  world.actions.flatMap(({ action }) => (action.kind === kind ? [action.why.rule] : []));

const again = (world: World): string[] =>
  world.launches().filter((text) => !text.includes(" original "));

test("equal tasks are left alone, while others wait and on idle slots", () => {
  const world = worldOf({});
  world.submit({ maps: 25 });
  world.finish();
  expect(again(world)).toEqual([]);
});

test("a task that runs longer because it has more to read is no outlier", () => {
  const run = (bytes: (index: number) => number): string[] => {
    const world = worldOf({ runs: outliers({ 3: 1000 }) });
    world.submit({ maps: 25, inputBytes: bytes });
    world.finish();
    return again(world);
  };
  expect(run((index) => (index === 3 ? 10e6 : 1e6))).toEqual([]);
  expect(run(() => 1e6)).toEqual(["map/3 restart n1"]);
});

test("Mantri acts on an outlier early, before any task of its phase has finished", () => {
  const world = worldOf({ runs: outliers({ 3: 2000 }) });
  world.submit({ maps: 9 });
  world.advance(60 * SECOND);
  expect(again(world)).toEqual(["map/3 speculative n10"]);
  expect(rules(world, "launch").at(-1)).toBe("copy-saves-time");
});

test("a task about which nothing is known does not hide those after it", () => {
  // Map 1 reads nothing and has not begun: how long a copy of it would take is unknown.
  const runs: WorldOptions["runs"] = (launch) =>
    launch.task.index === 1 ? stuckAt(0, 1) : outliers({ 3: 2000 })(launch);
  const world = worldOf({ runs });
  world.submit({ maps: 9, inputBytes: (index) => (index === 1 ? 0 : 1e6) });
  world.advance(60 * SECOND);
  expect(again(world)).toEqual(["map/3 speculative n10"]);
});

test("the task that would benefit the most comes first", () => {
  const world = worldOf({ runs: outliers({ 2: 900, 5: 1500, 7: 1200 }), nodes: 10 });
  world.submit({ maps: 20 });
  world.finish();
  expect(again(world).map((text) => text.split(" ")[0])).toEqual(["map/5", "map/7", "map/2"]);
});

test("also among several phases", () => {
  const world = worldOf({
    nodes: 12,
    runs: ({ phase, task, as }) => {
      const isOutlier = as === "original" && task.index === 0;
      return steadily((isOutlier ? (phase === "left" ? 900 : 1500) : 100) * SECOND);
    },
  });
  const phase = (name: string) => ({ name, tasks: 5, slots: ["map"] });
  world.submit({ phases: [phase("left"), phase("right")] });
  world.advance(30 * SECOND);
  expect(again(world).map((text) => text.split(" ")[0])).toEqual(["right/0", "left/0"]);
});

test.each([{}, { inputBytes: 1e6 }])(
  "the first tasks to finish make no outliers of those that take a little longer: %o",
  (bytes) => {
    const world = worldOf({
      nodes: 9,
      runs: ({ task }) => steadily(([30, 45, 60][task.index] ?? 100) * SECOND),
    });
    world.submit({ maps: 20, ...bytes });
    world.finish();
    expect(again(world)).toEqual([]);
  },
);

test("an attempt without any progress is restarted after a period of reports", () => {
  const world = worldOf({
    runs: ({ task, as }) =>
      task.index === 2 && as === "original" ? stuckAt(0, SECOND) : steadily(100 * SECOND),
  });
  world.submit({ maps: 30 });
  world.advance(110 * SECOND);
  expect(again(world).map((text) => text.split(" ")[0])).toEqual(["map/2"]);
});

/** Periods in which a copy or restart is left alone; 10 s each for tasks of 100 s. */
const FOUR_PERIODS = "speculation.stablePeriods=4";

test("for stability a task is not copied again within some periods of reports", () => {
  // Three idle nodes, copies as slow as the original.
  const world = worldOf({
    sets: [FOUR_PERIODS],
    runs: ({ task }) => steadily((task.index === 0 ? 3000 : 100) * SECOND),
  });
  world.submit({ maps: 7 });
  world.advance(95 * SECOND);
  const launches = world.actions.filter(
    ({ action }) => action.kind === "launch" && action.as === "speculative",
  );
  expect(launches.length).toBeGreaterThan(1);
  launches.reduce((before, launch) => {
    expect(launch.at - before.at).toBeGreaterThanOrEqual(40 * SECOND);
    return launch;
  });
});

test("for stability a restarted task is not restarted again within these periods either", () => {
  // Some task always waits, a slot is free every 2 s, and the first task crawls wherever it runs.
  const world = worldOf({
    nodes: 30,
    sets: [FOUR_PERIODS],
    runs: ({ task: { index } }) => steadily((index === 0 ? 4000 : 70 + 2 * (index % 30)) * SECOND),
  });
  world.submit({ maps: 300 });
  world.advance(300 * SECOND);
  const restarts = world.actions.filter(
    ({ action }) => action.kind === "launch" && action.as === "restart",
  );
  expect(restarts).toHaveLength(3);
  restarts.reduce((before, restart) => {
    expect(restart.at - before.at).toBeGreaterThanOrEqual(40 * SECOND);
    return restart;
  });
});

test("a task is left alone while a copy of it has not started yet, however long that takes", () => {
  const copies: number[] = [];
  const script = new Script(() => ({ at }, actions) => {
    for (const action of actions) {
      if (action.kind === "launch" && action.as === "speculative") copies.push(at);
    }
  });
  const run = (...commands: readonly string[]): void => {
    for (const command of commands) script.run(new Line(command));
  };
  run("discipline mantri-restart", "nodes n1 n2 n3 n4 n5 n6 map=1", "run j/map/* takes=100s");
  run("run j/map/0* takes=3000s", "job j map*4", "until 1s", "manual start", "until 60s");
  expect(copies).toHaveLength(1);
});

test("of three copies the slowest is killed once all have run, not waited, for a period", () => {
  const killed = (startsAt: string): readonly number[] => {
    const kills: number[] = [];
    const script = new Script(() => ({ at }, actions) => {
      for (const action of actions) if (action.kind === "kill") kills.push(at);
    });
    for (const command of [
      "discipline mantri-restart",
      "nodes n1 n2 n3 n4 n5 n6 map=1",
      "run j/map/* takes=100s",
      "run j/map/3* takes=3000s",
      "job j map*4",
      "until 32s",
      "manual start",
      `until ${startsAt}`,
      "start j/map/3#2",
      "until 95s",
    ]) {
      script.run(new Line(command));
    }
    return kills;
  };
  expect(killed("43s")).toEqual([60_100]);
  expect(killed("55s")).toEqual([70_100]);
});

test("of the former candidates only three are judged for a slot, not all", () => {
  /** After the look at 60.1 s the first tasks run ahead; the next one crawls on. */
  const copiesAt67s = (running: number): readonly string[] => {
    const world = worldOf({
      nodes: 30,
      offers: "manual",
      runs: ({ task: { index } }) => {
        if (index > running) return steadily(150 * SECOND);
        if (index === running) return steadily(2000 * SECOND);
        const crawl = { forMs: 65 * SECOND, toScore: 0.02 };
        const leap = { forMs: SECOND, toScore: 0.9 };
        const rest = { forMs: 100 * SECOND, toScore: 1 };
        return { pieces: [crawl, leap, rest], end: "succeeded" };
      },
    });
    world.submit({ maps: 29 });
    for (let node = 1; node <= 29; node++) world.offer(`n${node}`);
    world.advance(67 * SECOND).offer("n30");
    return world.copies();
  };
  expect(copiesAt67s(2)).toEqual(["map/2 n30"]);
  expect(copiesAt67s(3)).toEqual([]);
});

test("of three copies none is killed before the last has run for a period", () => {
  const takes = [3000, 2500, 2600].map((seconds) => seconds * SECOND);
  let attempts = 0;
  const world = worldOf({
    nodes: 6,
    runs: ({ task }) => steadily(task.index === 0 ? (takes[attempts++] ?? SECOND) : 100 * SECOND),
  });
  world.submit({ maps: 4 });
  world.advance(90 * SECOND);
  const [, third] = world.actions.filter(
    ({ action }) => action.kind === "launch" && action.as === "speculative",
  );
  const kill = world.actions.find(({ action }) => action.kind === "kill");
  expect(kill?.at).toBeGreaterThanOrEqual((third?.at ?? Number.NaN) + 10 * SECOND);
});

test("a pre-emption for another pool does not count as a restart", () => {
  let asked = 0;
  const sharing = {
    ...fifoPlain,
    name: "taker",
    /** Every second the first task loses its slot, five times. */
    scan: ({ view }: Parameters<NonNullable<typeof fifoPlain.plan>>[0]) => {
      const wake = { kind: "wake", at: instant(view.now + SECOND) } as const;
      const [job] = view.jobs();
      const task = job?.phases[0]?.tasks.at(0);
      const attempt = task && view.runningOf(task.id)[0];
      if (attempt === undefined || asked === 5) return [wake];
      asked++;
      const why = { rule: "as-tested", numbers: {} };
      return [{ kind: "kill", attempt: attempt.id, then: "requeue", why } as const, wake];
    },
  };
  const world = worldOf({
    discipline: { ...parseDiscipline("mantri-restart"), sharing: use(sharing) },
    nodes: 30,
    runs: ({ task }) => steadily((task.index === 0 ? 4000 : 100) * SECOND),
  });
  world.submit({ maps: 300 });
  world.advance(500 * SECOND);
  expect(asked).toBe(5);
  const kinds = again(world).map((text) => text.split(" ")[1]);
  expect(kinds.filter((kind) => kind === "rerun")).toHaveLength(5);
  expect(kinds.filter((kind) => kind === "restart")).toHaveLength(3);
});

test("an attempt that stops is restarted, and so is one whose node has fallen silent", () => {
  const world = worldOf({
    runs: ({ task, as }) =>
      task.index === 1 && as === "original" ? stuckAt(0.3, 30 * SECOND) : steadily(100 * SECOND),
  });
  world.submit({ maps: 40 });
  world.advance(35 * SECOND);
  world.silence("n6");
  world.advance(110 * SECOND);
  expect(
    again(world)
      .map((text) => text.split(" ").slice(0, 2).join(" "))
      .sort(),
  ).toEqual(["map/1 restart", "map/5 restart"]);
});

test("a task whose input is still being written is no outlier yet", () => {
  const world = worldOf({
    slots: [1, 1],
    slotKinds: ["map", "reduce"],
    runs: ({ phase, task, as }) => {
      if (phase === "map") return steadily(300 * SECOND);
      return steadily((task.index === 0 && as === "original" ? 2000 : 100) * SECOND);
    },
  });
  world.submit({ maps: 4, reduces: 3, start: { when: "pipelined" } });
  expect(world.advance(300 * SECOND - 1).copies()).toEqual([]);
  expect(world.advance(320 * SECOND).copies()).toEqual(["reduce/0 n2"]);
});

describe("a restarted task", () => {
  const world = (...sets: string[]): World => {
    const one = worldOf({ runs: outliers({ 0: 2000 }), sets });
    one.submit({ maps: 30 });
    one.finish();
    return one;
  };

  test("takes the slot at hand, but never where it has run", () => {
    expect(again(world())).toEqual(["map/0 restart n2"]);
  });

  test("may queue again instead, as in Cosmos", () => {
    const queued = world("speculation.restartTakesSlot=false");
    expect(rules(queued, "kill")).toEqual(["restart-is-sooner"]);
    expect(again(queued)).toEqual(["map/0 restart n1"]);
  });
});

test("of several copies the one that will end first counts", () => {
  /**
   * The original looks like an outlier for 25 s, then it is about to end; its copy never looks like
   * one.
   */
  const estimator: Estimator = {
    name: "told",
    source: "tests",
    params: {},
    needs: [],
    steady: false,
    remember: () => null,
    timeLeft({ view }, id) {
      if (view.attempt(id).as === "speculative") return 3000 * SECOND;
      return (view.now < 25 * SECOND ? 1000 : 20) * SECOND;
    },
    newCopy: () => ({ kind: "point", at: 100 * SECOND }),
  };
  const discipline = { ...parseDiscipline("mantri-restart"), estimator: use(estimator) };
  const world = worldOf({ discipline, runs: () => stuckAt(0.5, 10 * SECOND) });
  world.submit({ maps: 1 });
  world.advance(200 * SECOND);
  expect(world.copies()).toEqual(["map/0 n2"]);
});

test("no copy is made on a node where the task has run", () => {
  const world = worldOf({ nodes: 2, slots: [2], runs: outliers({ 0: 2000 }) });
  world.submit({ maps: 3 });
  world.advance(90 * SECOND);
  const [copy] = world.copies();
  const [original] = world.launches("original");
  expect(copy?.split(" ")[1]).not.toBe(original?.split(" ")[2]);
});
