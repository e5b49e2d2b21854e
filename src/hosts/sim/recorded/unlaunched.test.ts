import { expect, test } from "vitest";
import { Dice } from "../../../../test/diagnose/support/dice.ts";
import {
  jobOf,
  lasting,
  nodes,
  phase,
  readsAll,
  runJob,
  told,
} from "../../../../test/support/recorded.ts";
import type { RecordedAttempt } from "./recorded-job.ts";

const attempts = (...all: readonly RecordedAttempt[]) => ({ attempts: all });

test("a task is launched when its wait is over, to the millisecond, and its slot is free", () => {
  const waits = lasting(500, { unlaunchedMs: 3_217 });
  const job = jobOf(nodes(1), phase("map", [waits, lasting(1_000), lasting(1_500)]));
  expect(told(runJob(job))).toEqual([
    "0/1 original n0 0-1000",
    "0/2 original n0 1000-2500",
    "0/0 original n0 3217-3717",
  ]);
});

test("the wait counts from the beginning of the task's phase, after its gap", () => {
  const waits = lasting(500, { unlaunchedMs: 250 });
  const reduce = phase("reduce", [waits], { ...readsAll, gapMs: 40 });
  const job = jobOf(nodes(2), phase("map", [lasting(1_000)]), reduce);
  expect(told(runJob(job))[1]).toBe("1/0 original n1 1290-1790");
});

test("a wait that is over while no slot is free delays nothing", () => {
  const waits = lasting(500, { unlaunchedMs: 400 });
  const job = jobOf(nodes(1), phase("map", [lasting(1_000), waits]));
  expect(told(runJob(job))).toEqual(["0/0 original n0 0-1000", "0/1 original n0 1000-1500"]);
});

test("a successor waits from the end of the attempt before it", () => {
  const task = attempts(
    { workMs: 9_000, evictedAfterMs: 1_000 },
    { workMs: 700, unlaunchedMs: 333 },
  );
  expect(told(runJob(jobOf(nodes(1), phase("map", [task]))))).toEqual([
    "0/0 original n0 0-1000 killed",
    "0/0 rerun n0 1333-2033",
  ]);
});

test("an eviction is no failure: the task may run there again, as often as it was recorded", () => {
  const ends = { workMs: 1_000, evictedAfterMs: 100 };
  const task = attempts(...Array.from({ length: 9 }, () => ends), { workMs: 50 });
  const run = runJob(jobOf(nodes(1), phase("map", [task])), { under: "hadoop,sharing=fifo-plain" });
  expect(run).toMatchObject({ outcome: "succeeded", responseMs: 950 });
});

test("no policy copies a task that has not been launched", () => {
  const others = Array.from({ length: 12 }, () => lasting(1_000));
  const waits = lasting(1_000, { unlaunchedMs: 60_000 });
  for (const under of ["spark-3.5", "late", "mantri", "flink", "dryad", "yarn"]) {
    const job = jobOf(nodes(4), phase("map", [...others, waits]));
    const run = runJob(job, { under: `${under},sharing=fifo-plain` });
    expect(run, under).toMatchObject({ copies: 0, responseMs: 61_000 });
  }
});

test("what is stopped and launched again stands for the same recorded attempt", () => {
  const seen: number[] = [];
  const further = ({ of, leftMs }: { readonly of: number; readonly leftMs: number }) => {
    seen.push(of);
    return { workMs: 90_000, evictedAfterMs: leftMs };
  };
  const others = Array.from({ length: 20 }, () => lasting(4_000));
  const stuck = attempts(
    { workMs: 90_000, evictedAfterMs: 80_000 },
    { workMs: 90_000, evictedAfterMs: 80_000 },
    { workMs: 4_000 },
  );
  const job = jobOf(nodes(5), phase("map", [...others, stuck], { further }));
  const run = runJob(job, { under: "spark-3.5,sharing=fifo-plain" });
  expect(run.outcome).toBe("succeeded");
  // A copy beside the first attempt, and one beside the second.
  expect(new Set(seen)).toEqual(new Set([0, 1]));
  // The last attempt is a successor, even where the policy asked for it as a copy.
  expect(run.responseMs).toBe(16_000 + 2 * 80_000 + 4_000);
});

test("a phase whose tasks are all held is left out of searches, with the same decisions", () => {
  const dice = new Dice(7);
  for (let world = 0; world < 12; world++) {
    const task = () => {
      const unlaunchedMs = dice.chance(0.6) ? dice.whole(1, 6_000) : 0;
      const workMs = dice.whole(200, 9_000);
      if (!dice.chance(0.2)) return lasting(workMs, { unlaunchedMs });
      const evictedAfterMs = dice.whole(1, workMs);
      return attempts({ workMs, evictedAfterMs, unlaunchedMs }, { workMs, unlaunchedMs: 2_000 });
    };
    const tasks = (): ReturnType<typeof task>[] => Array.from({ length: dice.whole(1, 25) }, task);
    const reduce = phase("reduce", tasks(), readsAll);
    const job = jobOf(nodes(dice.whole(1, 6)), phase("map", tasks()), reduce);
    const under = dice.pick(["none", "spark-3.5", "late", "mantri", "yarn"]);
    const options = { under: `${under},sharing=fifo-plain` };
    const run = runJob(job, options);
    expect(run.outcome).toBe("succeeded");
    // A search that has to say why it finds nothing leaves nothing out.
    expect(runJob(job, { ...options, explain: true }), `world ${world}`).toEqual(run);
  }
});
