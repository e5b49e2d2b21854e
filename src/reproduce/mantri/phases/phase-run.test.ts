import { describe, expect, test } from "vitest";
import { randomState } from "../../../base/random.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import { listSchedule } from "../appendix/list-schedule.ts";
import { runPhase } from "./phase-run.ts";

const NONE = parseDiscipline("none,sharing=fifo-plain");
const MANTRI = parseDiscipline("mantri-restart,order=largest-first");

const phase = (slots: number, tasks: number) => ({
  name: "phase",
  slots,
  bytes: new Float64Array(tasks).fill(1e6),
  chance: randomState(1, "phase"),
});

describe("a phase alone", () => {
  test("without copies ends like a list schedule of its tasks, with the same slot time", () => {
    const times = [50_000, 20_000, 30_000, 40_000, 10_000, 60_000, 20_000];
    for (const slots of [1, 2, 3, 12]) {
      const run = runPhase(phase(slots, times.length), {
        time: ({ index }) => times[index] ?? 0,
        discipline: NONE,
      });
      expect(run.completionMs).toBeCloseTo(listSchedule(times, slots), 6);
      expect(run.resourceMs).toBeCloseTo(230_000, 6);
      expect(run.restarts).toBe(0);
    }
  });

  test("is the same each time", () => {
    const how = {
      time: ({ index, ordinal }: { index: number; ordinal: number }) =>
        20_000 + ((index * 7 + ordinal * 3) % 11) * 30_000,
      discipline: MANTRI,
    };
    expect(runPhase(phase(5, 40), how)).toEqual(runPhase(phase(5, 40), how));
  });

  test("whose outlier is slow through its node gains by a restart, which succeeds", () => {
    const how = {
      time: ({ index, ordinal }: { index: number; ordinal: number }) =>
        index === 4 && ordinal === 0 ? 3_000_000 : 100_000,
    };
    const alone = runPhase(phase(4, 12), { ...how, discipline: NONE });
    const helped = runPhase(phase(4, 12), { ...how, discipline: MANTRI });
    expect(alone.completionMs).toBe(3_100_000);
    expect(helped.completionMs).toBeLessThan(600_000);
    expect(helped.resourceMs).toBeLessThan(alone.resourceMs);
    expect(helped.restarts).toBeGreaterThan(0);
    expect(helped.successes).toBe(helped.restarts);
  });

  test("has a success if a restart beats the running attempt, not an earlier killed one", () => {
    // The first run would have ended at 350 s. Its restart at 200 s, an outlier too, is restarted
    // at 300 s.
    const times = [250_000, 9_000_000, 100_000];
    const how = {
      time: ({ index, ordinal }: { index: number; ordinal: number }) =>
        index === 4 ? (times[ordinal] ?? 100_000) : 100_000,
    };
    const run = runPhase(phase(4, 40), { ...how, discipline: MANTRI });
    expect(run.restarts).toBe(2);
    expect(run.successes).toBe(1);
  });

  test("whose outlier has much data is left alone", () => {
    const bytes = new Float64Array(12).fill(1e6);
    bytes[4] = 20e6;
    const how = {
      time: ({ index }: { index: number }) => (index === 4 ? 2_000_000 : 100_000),
    };
    const run = runPhase({ ...phase(4, 12), bytes }, { ...how, discipline: MANTRI });
    expect(run.restarts).toBe(0);
    expect(run.completionMs).toBe(2_000_000);
  });

  test("with a copy that is too late counts the copy, and no success", () => {
    // The copy takes longer than the time left: mapreduce still copies all remaining tasks.
    const how = {
      time: ({ index, ordinal }: { index: number; ordinal: number }) =>
        index === 11 ? (ordinal === 0 ? 200_000 : 900_000) : 100_000,
      discipline: parseDiscipline("mapreduce,sharing=fifo-plain"),
    };
    const run = runPhase(phase(12, 12), how);
    expect(run.restarts).toBeGreaterThan(0);
    expect(run.successes).toBe(0);
    expect(run.completionMs).toBe(200_000);
    expect(run.resourceMs).toBeGreaterThan(11 * 100_000 + 200_000);
  });
});
