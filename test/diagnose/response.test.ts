import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Part } from "../../src/diagnose/response/part.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { Dice } from "./support/dice.ts";
import { adds } from "./support/idle-count.ts";
import { type MadeApplication, type MadeTask, sparkTrace } from "./support/spark-log.ts";

/** `count` tasks of about this time. */
const tasks = (count: number, ms: number, more: Partial<MadeTask> = {}): MadeTask[] =>
  Array.from({ length: count }, (_, n) => ({ ms: ms + ((7 * n) % 5), ...more }));

const executors = (count: number, cores: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ host: `n${n + 1}`, cores, from }));

function whyOf(made: MadeApplication) {
  const trace = sparkTrace(made);
  const [job] = trace.jobs;
  if (job === undefined) throw new Error("no job");
  const found = diagnose(trace, job, { intervals: false, audit: false });
  if (found.kind !== "why") throw new Error(found.kind);
  const ms = (part: Part): number =>
    found.why.parts.find((row) => row.part === part)?.ms ?? Number.NaN;
  const [headline = ""] = found.why.verdict.split("\n");
  return { why: found.why, job, ms, headline };
}

/** An application with everything that may happen beside attempts. */
function drawn(dice: Dice): MadeApplication {
  const stage = (): MadeTask[] =>
    Array.from({ length: dice.whole(1, 30) }, () => ({
      ms: Math.round(dice.between(200, 3_000) * (dice.chance(0.03) ? 6 : 1)),
      ...(dice.chance(0.02) && { resultMs: dice.whole(1, 5_000) }),
    }));
  return {
    executors: Array.from({ length: dice.whole(1, 6) }, (_, n) => ({
      host: `n${n}`,
      cores: dice.whole(1, 4),
      from: dice.chance(0.4) ? dice.whole(0, 20_000) : 0,
    })),
    jobs: Array.from({ length: dice.whole(1, 4) }, () => ({
      afterMs: dice.whole(0, 10_000),
      stages: Array.from({ length: dice.whole(1, 3) }, stage),
    })),
    launchMs: dice.whole(0, 40),
    endMs: dice.whole(0, 2_000),
  };
}

describe("the response is taken apart", () => {
  test("a driver that works between jobs, before the first and after the last", () => {
    const stages = [tasks(16, 1_000)];
    const { ms, why, headline } = whyOf({
      executors: executors(4, 2),
      jobs: [
        { afterMs: 1_500, stages },
        { afterMs: 20_000, stages },
      ],
      endMs: 700,
    });
    expect(ms("driver")).toBeCloseTo(22_200, 6);
    expect(why.idle.places.map(({ what, ms }) => [what, ms])).toEqual([
      ["between job 0 and job 1", 20_000],
      ["before job 0", 1_500],
      ["after job 1", 700],
    ]);
    expect(headline).toMatch(
      /no attempt ran for 20\.0 of 26\.2 s: the driver worked alone between job 0 and job 1/,
    );
    expect(headline).not.toContain("took as long as their peers");
  });

  test("a driver that fetches a result of an attempt, beside which slots are free", () => {
    const stage = tasks(40, 3_000);
    stage[7] = { ms: 3_000, resultMs: 60_000 };
    const { ms, headline, why } = whyOf({
      executors: executors(5, 4),
      jobs: [{ afterMs: 0, stages: [stage] }],
    });
    expect(ms("driver")).toBeGreaterThan(56_900);
    expect(ms("driver")).toBeLessThan(57_001);
    expect(headline).toContain("fetching the result of stage 0/7 (60.0 s)");
    expect(why.delayMs).toBeLessThan(10);
  });

  test("slots that come late, where all at once would do", () => {
    const { ms, why, headline } = whyOf({
      executors: [...executors(1, 4), ...executors(4, 4, 30_000)],
      jobs: [{ afterMs: 0, stages: [tasks(80, 10_000)] }],
    });
    // 12 tasks in 30 s on 4 slots, then 68 on 20 slots.
    expect(ms("no-slot")).toBeGreaterThan(29_000);
    expect(ms("no-slot")).toBeLessThan(30_100);
    expect(why.slots.late).toMatchObject({ slots: 16, byMs: 30_000 });
    expect(headline).toMatch(/16 of 20 slots came 30\.0 s late: 70\.0 s where 40\.0 s would do/);
  });

  test("no slot at all: tasks wait for executors", () => {
    const { ms, why, headline } = whyOf({
      executors: executors(2, 4, 25_000),
      jobs: [{ afterMs: 5_000, stages: [tasks(16, 2_000)] }],
    });
    expect(ms("no-slot")).toBeCloseTo(20_000, 6);
    expect(ms("driver")).toBeCloseTo(5_000, 6);
    expect(why.idle).toMatchObject({ ms: 25_000, noSlotMs: 20_000, driverMs: 5_000 });
    expect(headline).toContain("tasks waited for executors");
  });

  test("slots that went before a job, as idle executors do, and came back late", () => {
    const short = executors(2, 4).map((one) => ({ ...one, until: 15_000 }));
    const stages = [tasks(16, 2_000)];
    const { ms, why } = whyOf({
      executors: [...short, ...executors(2, 4, 40_000)],
      jobs: [
        { afterMs: 1_000, stages },
        { afterMs: 25_000, stages },
      ],
    });
    // The second job is submitted at 30,007 ms.
    expect(why.idle.noSlotMs).toBe(9_993);
    expect(ms("no-slot")).toBeCloseTo(why.idle.noSlotMs, 0);
    expect(ms("launching")).toBeCloseTo(0, 6);
  });

  test("nine tasks on eight slots: slots are idle beside the last one", () => {
    const stages = [tasks(9, 4_000), tasks(9, 4_000), tasks(9, 4_000)];
    const { ms, why, headline } = whyOf({
      executors: executors(4, 2),
      jobs: [{ afterMs: 0, stages }],
    });
    // Two waves of 4 s for 9/8 of a wave's work.
    expect(ms("few-tasks") / why.responseMs).toBeCloseTo(7 / 16, 2);
    expect(ms("work") / why.responseMs).toBeCloseTo(9 / 16, 2);
    expect(headline).toMatch(
      /idle beside too few tasks for 10\.5 s, most in stage \d \(9 tasks for 8 /,
    );
  });

  test.each([
    ["a GPU each", { "spark.task.resource.gpu.amount": "1" }, { gpu: 1 }, 1],
    ["half a GPU each", { "spark.task.resource.gpu.amount": "0.5" }, { gpu: 1 }, 2],
    ["three cores each", { "spark.task.cpus": "3" }, {}, 2],
  ] as const)("no slot is free beside tasks that take %s", (_, properties, resources, count) => {
    const made = executors(4, 8).map((one) => ({ ...one, resources }));
    const { why, ms } = whyOf({
      ...{ executors: made, properties, slotsOf: () => count },
      jobs: [{ afterMs: 0, stages: [tasks(40, 3_000)] }],
    });
    expect(why.slots.most).toBe(4 * count);
    expect(why.causes.find(({ cause }) => cause === "waited-to-start")?.ms).toBeCloseTo(0, 6);
    expect(ms("work")).toBeCloseTo((40 * 3_002) / (4 * count), -2);
  });

  test("with half the slots the same tasks take twice as long, with all at once one wave", () => {
    const { why } = whyOf({
      executors: executors(4, 2),
      jobs: [{ afterMs: 1_000, stages: [tasks(32, 2_000)] }],
    });
    expect(
      why.sizes.map(({ slots, responseMs }) => [slots, Math.round(responseMs / 1_000)]),
    ).toEqual([
      [4, 17],
      [8, 9],
      [16, 5],
      [32, 3],
    ]);
    expect(why.phases[0]?.use).toMatchObject({ failed: 0, gcMs: 0, inputBytes: 0 });
    expect(why.phases[0]?.use.slotMs).toBeCloseTo(32 * 2_002, -2);
  });

  test("tasks that wait for the node of their data name it, though all ran beside theirs", () => {
    // Twelve of 36 tasks have their data on n1, which takes two waves longer for them.
    const stage = Array.from({ length: 36 }, (_, n) => ({
      ms: 4_000 + ((7 * n) % 5),
      host: n % 3 === 0 ? "n1" : `n${2 + (n % 5)}`,
    }));
    const ran = { executors: executors(6, 2), jobs: [{ afterMs: 0, stages: [stage] }] };
    const { why } = whyOf(ran);
    const row = why.causes.find(({ cause }) => cause === "waited-to-start");
    expect(row?.waitedFor?.[0]?.what).toBe("n1");
    expect(why.verdict).toMatch(
      /Tasks waited [\d.]+ s for n1, where their data are, .*locality\.wait/,
    );
    // Without delay scheduling, they waited for something else.
    const { why: other } = whyOf({ ...ran, properties: { "spark.locality.wait": "0s" } });
    expect(other.verdict).not.toContain("locality");
  });

  test("an ordinary job keeps its ordinary sentence", () => {
    const { headline } = whyOf({
      executors: executors(4, 2),
      jobs: [{ afterMs: 0, stages: [tasks(64, 2_000)] }],
    });
    expect(headline).toMatch(
      /s; its attempts took as long as their peers: 0(\.\d+)? s lost \(0 %\)\.$/,
    );
  });

  test("the parts of 60 made-up applications add up, and their idle time is a plain count", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const dice = new Dice(seed);
      const { why, job } = whyOf(drawn(dice));
      adds(why, job, `seed ${seed}`);
    }
  });
});

const PAIRS = ["engine", "hadoop", "spark"].flatMap((system) =>
  readdirSync(join("fixtures/pairs", system))
    .filter((name) => name !== "truth.ndjson")
    .map((name) => join("fixtures/pairs", system, name)),
);
const FIXTURES = ["fixtures/hadoop/json.jhist", "fixtures/spark/two-workers.ndjson", ...PAIRS];

test.each(FIXTURES)("the parts of %s add up, and its idle time is a plain count", async (path) => {
  const trace = await openTrace(path);
  for (const job of trace.jobs) {
    const found = diagnose(trace, job, { intervals: false, audit: false });
    if (found.kind === "why") adds(found.why, job, path);
  }
});
