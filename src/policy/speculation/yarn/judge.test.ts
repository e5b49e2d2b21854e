import { describe, expect, test } from "vitest";
import { type Run, steadily, stuckAt } from "../../../../test/support/curves.ts";
import { type Launch, World } from "../../../../test/support/world.ts";
import { parseDiscipline } from "../../discipline.ts";
import { type Estimator, use } from "../../policy.ts";

interface Says {
  /** The attempt's estimated end, in s; `stalls` is the number of made-up reports. */
  readonly end?: (nowS: number, stalls: number) => number;
  /** The same in ms. */
  readonly endMs?: number;
  readonly newCopyS?: number;
  readonly isStalled?: boolean;
}

interface Looked {
  readonly stalls: readonly number[];
  readonly requests: readonly number[];
  readonly refusals: readonly string[];
}

interface Course {
  readonly sets?: readonly string[];
  /** The ends of the maps before the last, in s. */
  readonly done?: readonly number[];
  readonly last?: Run;
  /** The time at which the first map's output is lost, in s. */
  readonly lostAt?: number;
  /** By default one for each map. */
  readonly nodes?: number;
}

/** One map is done at 10 s; of the last the estimator says this, and its progress stands still. */
function look(says: Says, untilS: number, discipline = "yarn", course: Course = {}): Looked {
  const { sets = [], done = [10], last = stuckAt(0.5, 1_000), lostAt } = course;
  const { nodes = done.length + 1 } = course;
  const stalls: number[] = [];
  const estimator: Estimator<object, null> = {
    name: "says",
    source: "tests",
    params: {},
    needs: [],
    steady: false,
    remember: () => null,
    timeLeft: ({ view }) =>
      (says.endMs ?? (says.end?.(view.now / 1_000, stalls.length) ?? 1_000) * 1_000) - view.now,
    newCopy: () => ({ kind: "point", at: (says.newCopyS ?? 0) * 1_000 }),
    stall: ({ view }) => void stalls.push(view.now / 1_000),
    isStalled: () => says.isStalled ?? false,
  };
  const world = new World({
    discipline: {
      ...parseDiscipline(
        discipline,
        sets.map((text) => `speculation.${text}`),
      ),
      estimator: use(estimator),
    },
    nodes,
    slots: [1, 0],
    runs: ({ task }: Launch) => {
      const takesS = done[task.index];
      return takesS === undefined ? last : steadily(takesS * 1_000);
    },
  });
  world.submit({ maps: done.length + 1, reduces: lostAt === undefined ? 0 : 1 });
  if (lostAt !== undefined) {
    world.advance(lostAt * 1_000);
    const task = world.task("map", 0);
    for (const node of world.view.outputNodes(task)) {
      world.step({ at: world.at, kind: "output-lost", task, node });
    }
  }
  world.advance(untilS * 1_000);
  const requests = world.actions.flatMap(({ at, action }) =>
    action.kind === "request" ? [at / 1_000] : [],
  );
  return { stalls, requests, refusals: world.refusals() };
}

describe("whether a copy would gain", () => {
  test("a gain of nothing is too late; a millisecond is worthwhile", () => {
    expect(look({ end: () => 40, newCopyS: 30 }, 10.5)).toMatchObject({ requests: [] });
    expect(look({ end: () => 40, newCopyS: 30 }, 10.5).refusals.at(-1)).toBe("too-late");
    expect(look({ end: () => 40.001, newCopyS: 30 }, 10.5).requests).toEqual([10]);
  });

  test("an estimated end of now is too late; an earlier end means good progress", () => {
    expect(look({ end: (now) => now }, 10.5).refusals.at(-1)).toBe("too-late");
    expect(look({ end: (now) => now - 0.001 }, 10.5).refusals.at(-1)).toBe("progress-is-good");
  });

  test("a new copy is taken to need whole milliseconds", () => {
    const says = { end: () => 40, newCopyS: 30.0009 };
    expect(look(says, 10.5).refusals.at(-1)).toBe("too-late");
    expect(look({ end: () => 40.001, newCopyS: 30.0009 }, 10.5).requests).toEqual([10]);
  });
});

describe("an attempt that stands still", () => {
  // A copy is always too late here.
  const late: Says = { end: () => 1_000, newCopyS: 2_000 };

  test("gets a made-up report after more than 9 s without news, and again 9 s later", () => {
    expect(look(late, 45).stalls).toEqual([20, 30, 40]);
  });

  test("is known since it was first seen, whatever else ends meanwhile", () => {
    expect(look(late, 45, "yarn", { done: [10, 15] }).stalls).toEqual([20, 30, 40]);
  });

  test("gets a made-up report at each look but the first, if the estimator says so", () => {
    expect(look({ ...late, isStalled: true }, 14.5).stalls).toEqual([11, 12, 13, 14]);
  });

  test("is not one that makes progress, though its estimate stays", () => {
    expect(look(late, 45, "yarn", { last: steadily(900_000) }).stalls).toEqual([]);
  });

  test("is not one with a new estimate, though its progress stays", () => {
    expect(look({ ...late, end: (now) => 1_000 + now }, 45).stalls).toEqual([]);
  });

  test("is one whose end is so far off that a double cannot hold it", () => {
    expect(look({ endMs: 5_120 - 2 ** 63 }, 45).stalls).toEqual([20, 30, 40]);
    expect(look({ endMs: 2 ** 63, newCopyS: 1e18 }, 45).stalls).toEqual([20, 30, 40]);
  });

  test("gets a made-up report while too little is done again, if it was copied before", () => {
    // The one finished map is recomputed from 12 to 22 s.
    const lossy = { done: [10], lostAt: 12, nodes: 4, sets: ["retryAfterSpeculateMs=1000"] };
    expect(look({ end: () => 1_000 }, 31, "yarn", lossy)).toMatchObject({
      requests: [10],
      stalls: [20, 30],
    });
  });

  const revealing: Says = { end: (_, stalls) => (stalls > 0 ? 2_000 : 0) };

  test("is judged by the estimate before the report; mended, by the one after it", () => {
    expect(look(revealing, 25)).toMatchObject({ stalls: [20], requests: [21] });
    const mended = look(revealing, 25, "yarn-corrected");
    expect(mended).toMatchObject({ stalls: [20], requests: [20] });
  });
});

describe("slowtaskthreshold", () => {
  // At 21 s two are done, after 10 and 20 s: mean 15, deviation 5. The third will take 35 s.
  const requests = (discipline: string, threshold: number): readonly number[] => {
    const sets = [`slowTaskThreshold=${threshold}`, "retryAfterNoSpeculateMs=21000"];
    return look({ end: () => 35 }, 21.5, discipline, { sets, done: [10, 20] }).requests;
  };

  test("decides nothing", () => {
    expect(requests("yarn", 1_000)).toEqual([21]);
  });

  test("mended, says how many deviations beyond the mean a task must take", () => {
    expect(requests("yarn-corrected", 3.9)).toEqual([21]);
    expect(requests("yarn-corrected", 4.1)).toEqual([]);
  });

  test("counts first successes, not recomputes", () => {
    // The first of them is recomputed from 12 to 22 s.
    const lossy = (threshold: number): readonly number[] => {
      const sets = [`slowTaskThreshold=${threshold}`, "retryAfterNoSpeculateMs=23000"];
      const course = { sets, done: [10, 20], lostAt: 12 };
      return look({ end: () => 35 }, 23.5, "yarn-corrected", course).requests;
    };
    expect(lossy(3.9)).toEqual([23]);
    expect(lossy(4.1)).toEqual([]);
  });
});
