import { describe, expect, test } from "vitest";
import type { Why } from "../../src/diagnose/document.ts";
import { attemptRows } from "../../src/report/page/attempt-rows.ts";
import { pageOf } from "../../src/report/page/from-trace.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import {
  CASES,
  describeCases,
  headOf,
  jobsOfCase,
  linesOfCase,
  secondsOf,
  whyOfCase,
  whyOfLines,
} from "./support/case.ts";
import { type LogTask, sparkLines } from "./support/spark-log.ts";

describeCases("a history of the cases:", () => {
  test("six maps are pre-empted and run again: retries, and no copies", async () => {
    const why = await whyOfCase("reports/p08-preempted.jhist.gz");
    expect(why.responseMs).toBe(53_880);
    expect(secondsOf(why, "retries")).toBeCloseTo(7.1, 1);
    expect(why.copies).toBeUndefined();
    expect(why.verdict).not.toContain("copies");
    expect(headOf(why)).toContain(
      "6 attempts of map were killed and ran again: Container preempted",
    );
  });

  test("an executor is lost, maps are made again, and the readers wait: retries", async () => {
    const why = await whyOfCase("reports/s26-executor-lost.ndjson");
    expect(why.responseMs).toBe(32_740);
    expect(secondsOf(why, "retries")).toBeCloseTo(7.34, 1);
    expect(headOf(why)).toMatch(/7\.3 s .*, because n3's executor was lost/);
    expect(why.evidence?.lostExecutors).toEqual([
      { executor: "2", node: "n3", at: 18_750, reason: "Container released on a *lost* node" },
    ]);
    const phases = why.phases.map(({ phase, tasks, attempts }) => [phase, tasks, attempts]);
    expect(phases).toEqual([
      ["stage 0", 60, 72],
      ["stage 1", 20, 40],
    ]);
    const [stage] = await jobsOfCase("reports/s26-executor-lost.ndjson");
    expect(stage?.phases[0]?.laterTries?.map(({ tasks }) => tasks)).toEqual([12]);
  });

  test("a reason stands with its attempt in the table of the page", async () => {
    const trace = await openTrace(`${CASES}/histories/failed-with-reason.ndjson`);
    const page = pageOf(trace, { host: "spark", source: "", intervals: false });
    const reasons = [...attemptRows(page)].flatMap(({ reason, end }) =>
      reason === null ? [] : [`${end}: ${reason}`],
    );
    expect(reasons).toHaveLength(3);
    for (const text of reasons) expect(text).toMatch(/^failed: GPU OutOfMemory: could not split/);
  });

  test("the end of a task is repeated as Resubmitted: one attempt, and its rerun", async () => {
    const why = await whyOfCase("histories/resubmitted.ndjson");
    expect(why.verdict).not.toMatch(/Infinity|NaN/);
    expect(why.copies).toBeUndefined();
    expect(why.phases.map(({ attempts }) => attempts)).toEqual([14, 12]);
    expect(why.measures.recomputes).toBe(2);
    expect(headOf(why)).toContain("2 executors were lost");
  });

  test.each([
    ["histories/failed-with-reason.ndjson", "stage 0", "GPU OutOfMemory: could not split inputs"],
    ["reports/s21-three-failures.ndjson", "stage 0", "cannot parse row 17"],
    ["reports/h20-three-failures.jhist", "map", "Error: java.io.IOException: bad record 17 in"],
  ])("%s tells why attempts failed", async (path, phase, reason) => {
    const why = await whyOfCase(path);
    expect(headOf(why)).toContain(`3 attempts of ${phase} failed: ${reason}`);
    expect(why.verdict).not.toContain("Find out why");
    expect(why.evidence?.failures).toMatchObject([{ phase, ended: "failed", count: 3 }]);
    const [job] = await jobsOfCase(path);
    const { reasons = [] } = job?.evidence ?? {};
    const told = job?.phases.flatMap(({ attempts }) =>
      [...attempts.reason].filter((at) => at >= 0).map((at) => reasons[at]),
    );
    expect(told).toHaveLength(3);
    for (const text of told ?? []) expect(text).toContain(reason);
  });

  test.each(["reports/f32-duplicate-lines.ndjson", "histories/every-line-twice.ndjson"])(
    "%s has the answer of the log without doubles, and a note",
    async (path) => {
      const once = [...new Set(linesOfCase(path))];
      expect(once.length).toBeLessThan(linesOfCase(path).length);
      const why = await whyOfCase(path);
      const { notes, evidence, ...answer } = why;
      const { notes: _, evidence: __, ...expected } = whyOfLines(once);
      expect(answer).toEqual(expected);
      expect(why.copies).toBeUndefined();
      expect(evidence?.doubles).toBeGreaterThan(0);
      expect(notes.map(({ kind }) => kind)).toContain("duplicate");
    },
  );

  test("lines in another order have the same answer", async () => {
    const path = "histories/shuffled.ndjson";
    const why = await whyOfCase(path);
    const inOrder = linesOfCase(path).toSorted((a, b) => timeOf(a) - timeOf(b));
    expect(inOrder).not.toEqual(linesOfCase(path));
    expect(answerOf(why)).toEqual(answerOf(whyOfLines(inOrder)));
    expect(why.copies).toBeUndefined();
  });

  test("two applications in one file are two jobs", async () => {
    const jobs = await jobsOfCase("reports/f09-two-apps.ndjson.gz");
    expect(jobs.map(({ id }) => id)).toEqual([
      "app-20260921000000-0001",
      "app-20260921000000-0002",
    ]);
    for (const { phases } of jobs)
      expect(phases.map(({ attempts }) => attempts.length)).toEqual([60, 20]);
    expect((await whyOfCase("reports/f09-two-apps.ndjson.gz")).copies).toBeUndefined();
  });

  test("an attempt of another job is left out and counted", async () => {
    const why = await whyOfCase("reports/h09-stray-attempt.jhist");
    expect(why.job.attempts).toBe(24);
    expect(why.delayMs).toBeLessThan(why.responseMs / 10);
    expect(headOf(why)).toContain("1 attempt of other jobs is left out");
    expect(why.evidence?.foreign).toBe(1);
  });

  test("an end that contradicts its start by years is left out and counted", async () => {
    const why = await whyOfCase("reports/p07-task-of-another-year.ndjson.gz");
    expect(why.responseMs).toBe(24_081);
    expect(headOf(why)).toContain("1 attempt is left out: end and start contradict");
    expect(why.job.attempts).toBe(35);
  });

  test("a clock that was set back is refused, with the stage", async () => {
    await expect(whyOfCase("reports/f34-clock-set-back-1h.ndjson")).rejects.toThrow(
      /ndjson: expected one clock, but attempts of stage 1 began 3600 s before it was submitted/,
    );
  });

  test.each([
    ["reports/s02-events-lost.ndjson", "19 of 60 tasks of stage 0 and 7 of 20 tasks of stage 1"],
    [
      "reports/s02b-taskends-lost.ndjson",
      "the ends of 25 of 60 tasks of stage 0 and 4 of 20 tasks of stage 1, although all of them " +
        "ended",
    ],
    ["reports/f08-middle-part.ndjson", "its beginning and 33 of 60 tasks of stage 0"],
  ])("%s has holes: the first line says so, and no cause is certain", async (path, lacks) => {
    const why = await whyOfCase(path);
    expect(headOf(why)).toContain(`The log lacks ${lacks}: no cause is certain.`);
    for (const { lowMs } of why.causes) expect(lowMs).toBeLessThanOrEqual(0);
    expect(why.hints).toEqual([]);
    expect(why.verdict.split("\n")).toHaveLength(1);
    expect(headOf(why)).not.toMatch(/lost: (?!perhaps)/);
  });

  test("maps that died with their job are no retries", async () => {
    const why = await whyOfCase("reports/h07-killed-by-user.jhist");
    expect(secondsOf(why, "retries")).toBe(0);
    expect(headOf(why)).toContain("was killed after 300 s");
    expect(headOf(why)).toContain("12 maps were killed with the job");
    expect(why.verdict).not.toContain("failed");
  });

  test("a hung job names the maps that never began", async () => {
    const why = await whyOfCase("reports/h12-hung-jobtracker.log");
    expect(secondsOf(why, "retries")).toBe(0);
    expect(headOf(why)).toContain("2 maps were killed with the job. 2 of 4 maps never began.");
  });

  test("an application of which one job was cancelled has not failed", async () => {
    const why = await whyOfCase("reports/s22-one-cancelled-job.ndjson");
    expect(why.job.outcome).toBe("succeeded");
    expect(headOf(why)).toMatch(/took 56\.0 s.*1 job of it was cancelled/);
    expect(secondsOf(why, "retries")).toBe(0);
  });

  test("an attempt of an application is called so, with the time since the first", async () => {
    const first = "reports/dirs/p06-two-attempts/application_1790000000000_0311_1.zstd.inprogress";
    const why = await whyOfCase(
      "reports/dirs/p06-two-attempts/application_1790000000000_0311_2.zstd",
    );
    expect(headOf(why)).toContain(
      "It is attempt 2 of 2 of its application: 197 s since attempt 1 began.",
    );
    const cut = await whyOfCase(first);
    expect(headOf(cut)).toContain("It is attempt 1 of 2 of its application.");
    expect(cut.delayMs).toBeGreaterThan(-0.02 * cut.responseMs);
  });

  test("a copy beside its original is said to be there", async () => {
    const why = await whyOfCase("reports/h11-copy-on-same-node.jhist");
    expect(why.verdict).toContain("Copy map/20#1 ran on n3, where its original was.");
  });
});

/** When an event was written, as far as it says. */
function timeOf(line: string): number {
  const event = JSON.parse(line);
  const info = event["Task Info"] ?? event["Stage Info"] ?? event;
  const names = ["Finish Time", "Completion Time", "Launch Time", "Submission Time", "Timestamp"];
  return names.map((name) => info[name]).find((at) => at > 0) ?? 0;
}

const answerOf = ({ responseMs, delayMs, causes, copies, phases }: Why) => ({
  responseMs,
  delayMs: Math.round(delayMs),
  causes: causes.map(({ cause, ms }) => [cause, Math.round(ms)] as const).toSorted(),
  copies,
  phases: phases.map(({ phase, tasks, attempts }) => [phase, tasks, attempts]),
});

const PEERS = Array.from({ length: 12 }, (_, n): LogTask => {
  const from = Math.floor(n / 4) * 1_000;
  return { id: n, index: n, executor: n % 4, from: from + 10, to: from + 1_000 };
});
const KILLED = { Reason: "TaskKilled", "Kill Reason": "Executor decommission" };
const DENIED = { Reason: "TaskCommitDenied", Job: 0, Partition: 12, Attempt: 0 };

describe("a killed attempt", () => {
  const whyOfTasks = (...tasks: readonly LogTask[]) => {
    const all = [...PEERS, ...tasks];
    const to = Math.max(...all.map((task) => task.to ?? 0));
    const stage = { tasks: 13, from: 0, to };
    return whyOfLines(
      sparkLines({ cores: [2, 2, 2, 2], stages: [stage], tasks: all, to: to + 10 }),
    );
  };

  test.each([
    ["is killed", KILLED],
    ["may not commit", DENIED],
    ["fails", { Reason: "ExceptionFailure" }],
  ])("that %s and runs again after its end cost a retry, however short", (_, reason) => {
    for (const rerunMs of [500, 8_000, 9_990, 10_010, 20_000]) {
      const why = whyOfTasks(
        { id: 12, index: 12, executor: 1, from: 3_000, to: 33_000, reason },
        { id: 13, index: 12, executor: 2, from: 33_000, to: 33_000 + rerunMs },
      );
      expect(secondsOf(why, "retries")).toBeCloseTo(30, 5);
      expect(why.copies).toBeUndefined();
    }
  });

  test("beside a copy that ended first lost a race", () => {
    const why = whyOfTasks(
      { id: 12, index: 12, executor: 1, from: 3_000, to: 8_050, reason: KILLED },
      { id: 13, index: 12, executor: 2, from: 6_000, to: 8_000, isSpeculative: true },
    );
    expect(secondsOf(why, "retries")).toBe(0);
    expect(why.copies).toMatchObject({ made: 1, won: 1 });
  });

  test("is no retry if nobody runs it again, with a copy or without", () => {
    const copy = { id: 13, index: 12, executor: 2, from: 6_000, to: 9_000, isSpeculative: true };
    const original = { id: 12, index: 12, executor: 1, from: 3_000, to: 9_000, reason: KILLED };
    for (const more of [[], [{ ...copy, reason: KILLED }]]) {
      const why = whyOfTasks(original, ...more);
      expect(secondsOf(why, "retries")).toBe(0);
      expect(why.evidence?.endedWithJob).toEqual([{ phase: "stage 0", count: 1 + more.length }]);
    }
  });

  test("before a rerun with a copy of its own is a retry, and the race is the rerun's", () => {
    const why = whyOfTasks(
      { id: 12, index: 12, executor: 1, from: 3_000, to: 5_000, reason: KILLED },
      { id: 13, index: 12, executor: 2, from: 5_000, to: 9_010, reason: KILLED },
      { id: 14, index: 12, executor: 3, from: 7_000, to: 9_000, isSpeculative: true },
    );
    expect(secondsOf(why, "retries")).toBeCloseTo(2, 5);
    expect(why.copies).toMatchObject({ made: 1, won: 1 });
  });
});
