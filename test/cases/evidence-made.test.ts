import { describe, expect, test } from "vitest";
import { readTrace } from "../../src/trace/read-trace.ts";
import { headOf, secondsOf, whyOfLines } from "./support/case.ts";
import { type LogParts, type LogTask, sparkLines } from "./support/spark-log.ts";

const CORES = [2, 2, 2, 2];
const FETCH = {
  Reason: "FetchFailed",
  "Block Manager Address": { "Executor ID": "3", Host: "h3", Port: 1 },
  Message: "Failed to connect to h3",
};
const LOST = { Reason: "ExecutorLostFailure", "Loss Reason": "exit code 137" };

/** A wave of tasks of one second, a task on each slot of the executors. */
const wave = (from: number, stage: number, tasks: readonly Partial<LogTask>[]): LogTask[] =>
  tasks.map((task, n) => ({
    ...{ stage, id: 0, index: n, executor: n % 4, from, to: from + 1_000 },
    ...task,
  }));

type Named = "partition" | "place" | "bare place";

/**
 * Eight maps, eight readers; executor 3 dies 0.5 s into the readers, with maps 3 and 7. These are
 * made again from 2 s on, and the readers run again from 3.1 s on. `named`: how the log names the
 * tasks of later tries.
 */
function lostMaps(named: Named): readonly string[] {
  const eight = Array.from({ length: 8 }, () => ({}));
  const again = [3, 7].map((partition, n) => ({
    ...{ stageTry: 1, executor: n, index: named === "partition" ? partition : n },
    ...(named === "place" && { partition }),
  }));
  const failing = eight.map((_, n) => ({ to: 1_510, reason: n % 4 === 3 ? LOST : FETCH }));
  // Six slots are left.
  const readers = eight.map((_, n) => {
    const at = n < 6 ? 3_110 : 4_110;
    return { stageTry: 1, executor: n % 3, from: at, to: at + 1_000 };
  });
  const tasks = [
    ...wave(10, 0, eight),
    ...wave(1_010, 1, failing),
    ...wave(2_010, 0, again),
    ...wave(3_110, 1, readers),
  ];
  const parts: LogParts = {
    cores: CORES,
    stages: [
      { id: 0, tasks: 8, from: 5, to: 1_010 },
      { id: 1, tasks: 8, parents: [0], from: 1_010, to: 1_520, failed: "FetchFailed" },
      { id: 0, stageTry: 1, tasks: 2, from: 2_010, to: 3_010 },
      { id: 1, stageTry: 1, tasks: 8, parents: [0], from: 3_110, to: 5_110 },
    ],
    tasks: tasks.map((task, id) => ({ ...task, id })),
    removed: [{ executor: 3, at: 1_510, reason: "exit code 137" }],
    to: 5_120,
  };
  return sparkLines(parts);
}

describe.each<Named>(["partition", "place", "bare place"])("tries by %s:", (named) => {
  const why = whyOfLines(lostMaps(named));

  test("what is made again, and what waits for it, is retries", () => {
    // From the start of the readers that failed to the start of those that did not.
    expect(secondsOf(why, "retries")).toBeCloseTo(2.1, 1);
    expect(headOf(why)).toContain("because h3's executor was lost");
    expect(headOf(why)).toContain("Executor 3 on h3 was lost: exit code 137.");
    expect(why.usualMs).toBeCloseTo(5_120 - 2_100, -2);
  });

  test("a stage is one phase, and the tasks of a try are those without an output", () => {
    expect(why.phases.map(({ tasks, attempts }) => [tasks, attempts])).toEqual([
      [8, 10],
      [8, 16],
    ]);
    const lines = lostMaps(named).join("\n");
    const [job] = readTrace([new TextEncoder().encode(lines)]).jobs;
    const maps = job?.phases[0]?.attempts;
    expect([...(maps?.task ?? [])].slice(8)).toEqual([3, 7]);
    expect(why.measures.recomputes).toBe(2);
  });
});

describe("a new executor in the place of a lost one", () => {
  /** Sixteen tasks of a second on four slots; executor 3 is lost at 1.5 s. `at`: when 4 comes. */
  function replaced(at: number) {
    const done = (index: number, executor: number, from: number) =>
      ({ index, executor, from, to: from + 1_000 }) as const;
    const tasks = [
      ...[0, 1, 2, 3].map((n) => done(n, n, 10)),
      ...[4, 5, 6].map((n, place) => done(n, place, 1_010)),
      { ...done(7, 3, 1_010), to: 1_510, reason: LOST },
      ...(at < 2_000
        ? [done(7, 4, at), done(11, 4, at + 1_000), done(15, 4, at + 2_000)]
        : [done(7, 0, 2_010), done(13, 4, at)]),
      ...(at < 2_000 ? [8, 9, 10] : [8, 9]).map((n, place) =>
        done(n, at < 2_000 ? place : place + 1, 2_010),
      ),
      ...(at < 2_000 ? [12, 13, 14] : [10, 11, 12]).map((n, place) => done(n, place, 3_010)),
      ...(at < 2_000 ? [] : [14, 15].map((n, place) => done(n, place, 4_010))),
    ];
    const to = Math.max(...tasks.map((task) => task.to));
    const ordered = tasks.toSorted((a, b) => a.from - b.from);
    return whyOfLines(
      sparkLines({
        ...{ cores: [1, 1, 1, 1, 1], cameAt: new Map([[4, at]]), to },
        stages: [{ tasks: 16, from: 5, to }],
        tasks: ordered.map((task, id) => ({ ...task, id })),
        removed: [{ executor: 3, at: 1_510, reason: "exit code 137" }],
      }),
    );
  }

  test.each([
    // By chance it may be there just before the loss of the other is noticed.
    [1_509, 0.5],
    [1_600, 0.6],
    [3_510, 1],
  ])("that comes at %d ms is no late executor: what it costs is retries", (at, lostS) => {
    const why = replaced(at);
    expect(secondsOf(why, "retries")).toBeCloseTo(lostS, 1);
    expect(why.slots.late).toBeUndefined();
    expect(why.slots.most).toBe(4);
    expect(why.usualMs).toBeCloseTo(4_010, -2);
  });
});

test("an end with the number of a task that began at another time is another log's", () => {
  const own = wave(
    10,
    0,
    Array.from({ length: 8 }, () => ({})),
  ).map((task, id) => ({ ...task, id }));
  const stranger = { ...own[2], id: 2, index: 2, executor: 1, from: 3_010, to: 9_010 };
  const stages = [{ tasks: 8, from: 5, to: 9_020 }];
  const parts = { cores: CORES, stages, to: 9_030 };
  const why = whyOfLines(sparkLines({ ...parts, tasks: [...own, stranger] }));
  expect(why.evidence?.contradicting).toBe(1);
  expect(headOf(why)).toContain("1 attempt is left out: end and start contradict.");
  expect(why.job.attempts).toBe(8);
  // The same end twice is one end.
  const [again] = own.slice(2, 3);
  const doubled = whyOfLines(sparkLines({ ...parts, tasks: [...own, ...(again ? [again] : [])] }));
  expect(doubled.evidence).toEqual({
    ...why.evidence,
    contradicting: undefined,
    isWhole: true,
    doubles: 1,
  });
});

test("a record in the middle that cannot be read is named; a last one is cut off", () => {
  const tasks = wave(
    10,
    0,
    Array.from({ length: 8 }, () => ({})),
  ).map((task, id) => ({ ...task, id }));
  const stages = [{ tasks: 8, from: 5, to: 1_010 }];
  const lines = sparkLines({ cores: CORES, stages, tasks, to: 1_020 });
  const [first = "", ...others] = lines;
  const damaged = whyOfLines([first, "java.lang.Exception", "{}}", ...others]);
  expect(damaged.evidence).toEqual({ ...damaged.evidence, unread: 2, isWhole: true });
  expect(headOf(damaged)).toContain("2 records cannot be read.");
  expect(whyOfLines([...lines, '{"Event":"SparkLis']).evidence).toBeUndefined();
});

test("an output that is missed where its executor stays is no lost executor", () => {
  const why = whyOfLines(
    sparkLines({
      cores: CORES,
      stages: [
        { id: 0, tasks: 8, from: 5, to: 1_010 },
        { id: 1, tasks: 8, parents: [0], from: 1_010, to: 1_520, failed: "FetchFailed" },
        { id: 1, stageTry: 1, tasks: 8, parents: [0], from: 2_010, to: 3_010 },
      ],
      tasks: [
        ...wave(
          10,
          0,
          Array.from({ length: 8 }, () => ({})),
        ),
        ...wave(
          1_010,
          1,
          Array.from({ length: 8 }, () => ({ to: 1_510, reason: FETCH })),
        ),
        ...wave(
          2_010,
          1,
          Array.from({ length: 8 }, () => ({ stageTry: 1 })),
        ),
      ].map((task, id) => ({ ...task, id })),
      to: 3_020,
    }),
  );
  expect(secondsOf(why, "retries")).toBeCloseTo(1, 1);
  expect(why.evidence?.lostExecutors).toBeUndefined();
  expect(headOf(why)).toContain("8 attempts of stage 1 failed: fetch failed: Failed to connect");
});

const GOOD = sparkLines({
  cores: CORES,
  stages: [
    { id: 0, tasks: 16, from: 5, to: 2_600 },
    { id: 1, tasks: 16, parents: [0], from: 2_610, to: 5_200 },
  ],
  tasks: [
    ...Array.from({ length: 32 }, (_, id): LogTask => {
      const from = 10 + Math.floor(id / 8) * 1_300;
      const task = { stage: Math.floor(id / 16), id, index: id % 16, executor: id % 4 };
      return { ...task, from, to: from + 1_000 + ((id * 37) % 290) };
    }),
  ],
  to: 5_310,
});

/** A number below `below`, by its place in a fixed sequence. */
const drawn = (n: number, below: number): number => (n * 2_654_435_761) % below;

describe("a log of one clean run", () => {
  const answer = ({ delayMs, causes, copies, job }: ReturnType<typeof whyOfLines>) => ({
    delayMs: Math.round(delayMs),
    causes: causes.map(({ cause, ms }) => `${cause} ${Math.round(ms)}`).toSorted(),
    ...{ copies, attempts: job.attempts },
  });
  const right = answer(whyOfLines(GOOD));

  test("is whole, and says nothing of itself", () => {
    expect(whyOfLines(GOOD).evidence).toBeUndefined();
  });

  test("has the same answer with any lines twice, in any order", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const twice = GOOD.flatMap((line, n) => (drawn(n + seed, 3) === 0 ? [line, line] : [line]));
      const mixed = twice
        .map((line, n) => [drawn(n * 7 + seed, 1_009), line] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, line]) => line);
      for (const lines of [twice, mixed]) expect(answer(whyOfLines(lines))).toEqual(right);
    }
  });

  test("is not certain of a cause once tasks are dropped, and counts them", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const gone = new Set([drawn(seed, 32), drawn(seed + 50, 32)]);
      const isOf = (line: string): boolean => gone.has(JSON.parse(line)["Task Info"]?.["Task ID"]);
      const why = whyOfLines(GOOD.filter((line) => !isOf(line)));
      expect(why.evidence?.isWhole).toBe(false);
      const counts = why.evidence?.missing?.map((one) => ("count" in one ? one.count : 0)) ?? [];
      expect(counts.reduce((a, b) => a + b)).toBe(gone.size);
      for (const { lowMs } of why.causes) expect(lowMs).toBeLessThanOrEqual(0);
    }
  });

  test("counts attempts whose stage is not in the log by the gaps in their numbers", () => {
    const why = whyOfLines(GOOD.filter((line) => !/"Stage ID":0[,}]/.test(line)));
    expect(headOf(why)).toContain("The log lacks 16 attempts of tasks: no cause is certain.");
  });
});

describe("a job of an application that is cancelled, and is not the last,", () => {
  const jobsOf = (failed: string, last: number) => {
    const tasks: readonly LogTask[] = [0, 1, 2, 3, 4, 5].map((n) => ({
      ...{ stage: n < 3 ? 0 : 1, id: n, index: n % 3, executor: n % 3 },
      ...(n < 3 ? { from: 10, to: 1_000 } : { from: 2_010, to: 3_000 }),
    }));
    const lines = sparkLines({
      cores: [1, 1, 1],
      stages: [
        { id: 0, job: 0, tasks: 3, from: 5, to: 1_010 },
        { id: 1, job: 1, tasks: 3, from: 2_005, to: 3_010 },
      ],
      jobs: [{ id: last, failed }],
      ...{ tasks, to: 3_100 },
    });
    return whyOfLines(lines).job.outcome;
  };

  test.each([
    ["leaves the application as it is", "Job 0 cancelled", 0, "succeeded"],
    ["is no end of it either if the job failed", "Job aborted: x", 0, "succeeded"],
    ["but the last job, if it fails, ends it", "Job aborted: x", 1, "failed"],
    ["nor is a last job that is cancelled", "Job 1 cancelled by user", 1, "succeeded"],
    ["killed with it", "Job 1 cancelled because SparkContext was shut down", 1, "killed"],
  ])("%s", (_, failed, last, outcome) => {
    expect(jobsOf(failed, last)).toBe(outcome);
  });
});

describe("garbage collection is placed where it is:", () => {
  /** 48 tasks of a second on eight slots; those that `isHeavy` names collect 3 s of garbage. */
  function collecting(isHeavy: (task: { executor: number; index: number }) => boolean) {
    const freeAt = Array.from({ length: 8 }, () => 10);
    const tasks = Array.from({ length: 48 }, (_, index): LogTask => {
      const from = Math.min(...freeAt);
      const slot = freeAt.indexOf(from);
      const executor = slot % 4;
      const gcMs = isHeavy({ executor, index }) ? 3_000 + 7 * index : 20 + (index % 5);
      const to = from + 1_000 + (index % 7) + gcMs;
      freeAt[slot] = to;
      return { id: index, index, executor, from, to, gcMs };
    });
    const to = Math.max(...freeAt);
    return whyOfLines(
      sparkLines({ cores: CORES, stages: [{ tasks: 48, from: 5, to }], tasks, to: to + 5 }),
    );
  }

  test("on one executor, which is named in the first line and in the advice", () => {
    const why = collecting(({ executor }) => executor === 2);
    expect(headOf(why)).toMatch(/ in garbage collection on executor 2 on h2/);
    expect(why.verdict).toContain("Look what else executor 2 on h2 keeps in memory");
    const row = why.causes.find(({ cause }) => cause === "gc");
    expect(row?.mostOn?.what).toBe("executor 2 on h2");
    expect(row?.mostOn?.ms).toBeLessThanOrEqual((row?.ms ?? 0) + 1e-6);
  });

  test("on all of them, where no place is named", () => {
    const why = collecting(({ index }) => index % 5 === 0);
    expect(headOf(why)).toContain(" in garbage collection");
    expect(headOf(why)).not.toContain("garbage collection on");
    expect(why.causes.find(({ cause }) => cause === "gc")?.mostOn).toBeUndefined();
  });
});
