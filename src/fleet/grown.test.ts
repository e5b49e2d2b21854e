import { describe, expect, test } from "vitest";
import type { JobDigest } from "./digest.ts";
import { fleetOf } from "./fleet.ts";
import { grownJobs } from "./grown.ts";
import { fleetSentences } from "./sentences.ts";

const DAY = 86_400_000;

/** A run a day, of these response times in seconds. */
const runs = (name: string, seconds: readonly number[]): readonly JobDigest[] =>
  seconds.map((response, day) => ({
    ...{ id: `${name}-${day}`, name: `${name} 2026-10-${10 + day}`, outcome: "succeeded" },
    ...{ submittedAt: day * DAY, isDated: true, responseMs: response * 1_000, delayMs: 0 },
    ...{
      usualMs: 100_000,
      slotMs: 0,
      attempts: 10,
      nodes: [],
      sigma: 0.1,
      parts: [],
      failures: [],
    },
    causes: [{ cause: "node", ms: (response - 100) * 1_000 }],
  }));

const USUAL = [104, 99, 107, 101, 103, 98, 105];

describe("jobs that take longer", () => {
  test("since the first of the runs above all good ones before", () => {
    const [only, ...others] = grownJobs(runs("etl", [...USUAL, 150, 161, 148]));
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      name: "etl #",
      since: "etl-7",
      last: "etl-9",
      runs: 3,
      before: 7,
    });
    expect(only).toMatchObject({ sinceAt: 7 * DAY, beforeMs: 103_000, afterMs: 150_000 });
    expect(only?.causes).toEqual([{ cause: "node", changeMs: 47_000 }]);
  });

  test("by parts of the usual time, too, and by what there is to do", () => {
    const grown = runs("etl", [...USUAL, 150, 161]).map((job, n) => ({
      ...{ ...job, causes: [], attempts: n < USUAL.length ? 40 : 60 },
      parts: [
        { part: "work" as const, ms: n < USUAL.length ? 90_000 : 135_000 },
        { part: "driver" as const, ms: 8_000 + n },
      ],
    }));
    const [only] = grownJobs(grown);
    expect(only?.causes.map(({ cause }) => cause)).toEqual(["work", "driver"]);
    expect(only).toMatchObject({ attemptsBefore: 40, attemptsAfter: 60 });
    expect(fleetSentences(fleetOf(grown))).toContainEqual(
      expect.stringMatching(/; usual work grew most, by 45\.0 s \(1\.50 times the attempts\)\.$/),
    );
  });

  test("not after one good run, nor within the usual spread", () => {
    expect(grownJobs(runs("etl", [...USUAL, 150, 161, 102]))).toEqual([]);
    expect(grownJobs(runs("etl", [...USUAL, 112, 112]))).toEqual([]);
    // One long run.
    expect(grownJobs(runs("etl", [...USUAL, 150]))).toEqual([]);
  });

  test("not of too few runs, nor of runs that failed", () => {
    expect(grownJobs(runs("etl", [100, 101, 99, 100, 150, 150]))).toEqual([]);
    const failed = runs("etl", [...USUAL, 150, 150]).map((job) =>
      job.responseMs === 150_000 ? { ...job, outcome: "failed" as const } : job,
    );
    expect(grownJobs(failed)).toEqual([]);
  });

  test("what costs most over its runs comes first", () => {
    const both = [...runs("a", [...USUAL, 150, 150]), ...runs("b", [...USUAL, 140, 141, 142])];
    expect(grownJobs(both).map(({ name }) => name)).toEqual(["b #", "a #"]);
  });
});
