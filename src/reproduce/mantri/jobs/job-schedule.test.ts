import { describe, expect, test } from "vitest";
import { randomState } from "../../../base/random.ts";
import type { JobLog } from "../logs/job-log.ts";
import type { PhaseLog } from "../logs/phase-log.ts";
import { endOf, scheduleJob } from "./job-schedule.ts";

const phase = (slots: number): PhaseLog => ({
  name: "extract",
  role: "extract",
  slots,
  bytes: new Float64Array(0),
  msPerByte: 1,
  fixedMs: 0,
  usualMs: 1,
  contended: { outliers: 0, part: 0 },
  time: { beginMs: 0, busyness: 1 },
  hindrance: { outliers: 0, slowed: 0 },
  crossRack: 0,
  chance: randomState(1),
});

function job(barrier: boolean): JobLog {
  return {
    name: "job",
    phases: [phase(2), phase(2)],
    edges: [{ from: 0, to: 1, barrier }],
    drawn: { date: 0, seed: 1, chance: randomState(1) },
  };
}

describe("a job's schedule", () => {
  test("behind a barrier nothing begins before all of the other phase has ended", () => {
    const ends = scheduleJob(job(true), [
      [10, 30],
      [5, 5],
    ]);
    expect([...(ends[1] ?? [])]).toEqual([35, 35]);
    expect(endOf(ends)).toBe(35);
  });

  test("without one a task waits for what stands where it stands", () => {
    const ends = scheduleJob(job(false), [
      [10, 30],
      [5, 5],
    ]);
    expect([...(ends[1] ?? [])]).toEqual([15, 35]);
  });

  test("a phase has no more tasks at once than slots, and takes those first that are ready", () => {
    const ends = scheduleJob(job(false), [
      [40, 10, 20],
      [1, 100, 100],
    ]);
    // Task 0 is ready last, at 40: by then both slots are taken until 110 and 120.
    expect([...(ends[0] ?? [])]).toEqual([40, 10, 30]);
    expect([...(ends[1] ?? [])]).toEqual([111, 110, 130]);
  });

  test("phases without an edge between them begin together", () => {
    const { edges: _, ...free } = job(true);
    const ends = scheduleJob({ ...free, edges: [] }, [[10], [20]]);
    expect(endOf(ends)).toBe(20);
  });

  test("those that begin last wait for what is made again, from when the first asks for it", () => {
    const times = [[10], [4, 4, 4, 4]];
    const stalls = [{ phase: 1, waiting: 0.5, redoMs: 7 }];
    const ends = scheduleJob(job(true), times, stalls);
    // Two begin at 10; the other two at 14, and go on at 21.
    expect([...(ends[1] ?? [])]).toEqual([14, 14, 25, 25]);
  });

  test("a wait that is over before a task begins does not hold it up", () => {
    const stalls = [{ phase: 1, waiting: 1, redoMs: 7 }];
    const ends = scheduleJob(job(true), [[10], [4, 4, 40]], stalls);
    expect([...(ends[1] ?? [])]).toEqual([21, 21, 61]);
  });
});
