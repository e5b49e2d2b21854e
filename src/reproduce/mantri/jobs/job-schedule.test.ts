import fc from "fast-check";
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
  test("behind a barrier no task begins before the whole other phase has ended", () => {
    const ends = scheduleJob(job(true), [
      [10, 30],
      [5, 5],
    ]);
    expect([...(ends[1] ?? [])]).toEqual([35, 35]);
    expect(endOf(ends)).toBe(35);
  });

  test("without a barrier a task waits for the task at its own place", () => {
    const ends = scheduleJob(job(false), [
      [10, 30],
      [5, 5],
    ]);
    expect([...(ends[1] ?? [])]).toEqual([15, 35]);
  });

  test("a phase has at most as many tasks at once as slots, and ready tasks go first", () => {
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

  test("the last tasks wait for recomputed outputs, from the time of the first request", () => {
    const times = [[10], [4, 4, 4, 4]];
    const stalls = [{ phase: 1, waiting: 0.5, redoMs: 7 }];
    const ends = scheduleJob(job(true), times, stalls);
    // Two begin at 10; the other two begin at 14, and continue at 21.
    expect([...(ends[1] ?? [])]).toEqual([14, 14, 25, 25]);
  });

  test("a wait that is over before a task begins does not hold it up", () => {
    const stalls = [{ phase: 1, waiting: 1, redoMs: 7 }];
    const ends = scheduleJob(job(true), [[10], [4, 4, 40]], stalls);
    expect([...(ends[1] ?? [])]).toEqual([21, 21, 61]);
  });
});

/** The same schedule by looking at every slot for every task. */
function twin(job: JobLog, times: readonly (readonly number[])[]): number[][] {
  const ends: number[][] = [];
  for (const [phase, { slots }] of job.phases.entries()) {
    const own = times[phase] ?? [];
    const ready = own.map((_, i) => {
      const waits = job.edges.filter(({ to }) => to === phase);
      return Math.max(
        0,
        ...waits.flatMap(({ from, barrier }) => {
          const before = ends[from] ?? [];
          return barrier ? before : [before[Math.floor((i * before.length) / own.length)] ?? 0];
        }),
      );
    });
    const order = own.map((_, i) => i).sort((a, b) => (ready[a] ?? 0) - (ready[b] ?? 0) || a - b);
    const free = new Array<number>(slots).fill(0);
    const endsHere: number[] = [];
    for (const i of order) {
      const slot = free.indexOf(Math.min(...free));
      const end = Math.max(free[slot] ?? 0, ready[i] ?? 0) + (own[i] ?? 0);
      free[slot] = end;
      endsHere[i] = end;
    }
    ends.push(endsHere);
  }
  return ends;
}

test("a schedule equals the twin's, which looks at every slot", () => {
  const phases = fc.array(
    fc.record({
      slots: fc.integer({ min: 1, max: 5 }),
      times: fc.array(fc.nat(50), { minLength: 1, maxLength: 12 }),
      reads: fc.option(fc.record({ back: fc.integer({ min: 1, max: 3 }), barrier: fc.boolean() })),
    }),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(phases, (phases) => {
      const drawn: JobLog = {
        ...job(true),
        phases: phases.map(({ slots }) => phase(slots)),
        edges: phases.flatMap(({ reads }, to) =>
          reads === null || reads.back > to
            ? []
            : [{ from: to - reads.back, to, barrier: reads.barrier }],
        ),
      };
      const times = phases.map(({ times }) => times);
      expect(scheduleJob(drawn, times).map((ends) => [...ends])).toEqual(twin(drawn, times));
    }),
  );
});
