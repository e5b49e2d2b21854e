import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recordOf } from "../../base/record-of.ts";
import { byCause, CAUSES, OWN_CAUSES, type OwnCause } from "../cause.ts";
import type { AttemptCauses } from "./attempt-causes.ts";
import type { Shares } from "./shares.ts";
import { intervalWithin, withGain, withinResponse } from "./within-response.ts";

/** Attempts whose seconds are drawn, the shares that follow, and a part from the schedule. */
const drawn = fc
  .record({
    rows: fc.array(
      fc.record({
        weight: fc.integer({ min: 0, max: 64 }).map((steps) => steps / 64),
        cost: fc.integer({ min: 0, max: 500 }),
        bytes: fc.integer({ min: -2_000, max: 500 }),
        unexplained: fc.integer({ min: -2_000, max: 2_000 }),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    changed: fc.integer({ min: -3_000, max: 3_000 }),
    responseMs: fc.integer({ min: 100, max: 5_000 }),
  })
  .map(({ rows, changed, responseMs }) => {
    const column = (of: (row: (typeof rows)[number]) => number): Float64Array =>
      Float64Array.from(rows, of);
    const none = (): Float64Array => new Float64Array(rows.length);
    const ms = {
      ...recordOf(OWN_CAUSES, none),
      node: column(({ cost }) => cost),
      bytes: column(({ bytes }) => bytes),
      unexplained: column(({ unexplained }) => unexplained),
    };
    const own = column(({ weight }) => weight);
    const causes = { ms, waitMs: none() } as unknown as AttemptCauses;
    const total = (cause: OwnCause): number => dot(own, ms[cause]);
    const shares: Shares = {
      ...{ delayMs: 0, usualMs: 0, scheduleChangedMs: changed, steps: 64 },
      ms: {
        ...byCause(() => 0),
        ...recordOf(["node", "bytes", "unexplained"], total),
      },
      weights: { own, wait: none() },
    };
    return { shares, causes, responseMs };
  });

const dot = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, each, i) => sum + each * (b[i] ?? Number.NaN), 0);

describe("what is told of a response", () => {
  test("is no more than all of it, and only input bytes are a gain", () => {
    fc.assert(
      fc.property(drawn, ({ shares: found, causes, responseMs }) => {
        const { shares } = withinResponse(found, causes, responseMs);
        const { ms, delayMs, usualMs, scheduleChangedMs } = shares;
        expect(delayMs).toBeGreaterThanOrEqual(-1e-9);
        expect(delayMs).toBeLessThanOrEqual(responseMs + 1e-9);
        expect(usualMs + delayMs).toBeCloseTo(responseMs, 6);
        const sum = CAUSES.reduce((total, cause) => total + ms[cause], scheduleChangedMs);
        expect(sum).toBeCloseTo(delayMs, 6);
        for (const cause of CAUSES) {
          const changed = cause === "unexplained" ? scheduleChangedMs : 0;
          if (cause !== "bytes") expect(ms[cause] + changed).toBeGreaterThanOrEqual(-1e-9);
        }
      }),
    );
  });

  test("is the sum of what its attempts cost", () => {
    fc.assert(
      fc.property(drawn, ({ shares: found, causes, responseMs }) => {
        const { shares, ms } = withinResponse(found, causes, responseMs);
        for (const cause of OWN_CAUSES) {
          expect(dot(shares.weights.own, ms[cause])).toBeCloseTo(shares.ms[cause], 6);
        }
      }),
    );
  });

  test("stays as it is where it is possible", () => {
    fc.assert(
      fc.property(drawn, ({ shares: found, causes }) => {
        const parts = [found.ms.unexplained + found.scheduleChangedMs, found.ms.unexplained];
        fc.pre(parts.every((ms) => ms >= 0) && found.ms.bytes >= 0);
        const sum = CAUSES.reduce((total, cause) => total + found.ms[cause], 0);
        const { shares, ms } = withinResponse(found, causes, sum + found.scheduleChangedMs);
        expect(shares.ms).toEqual(found.ms);
        expect(ms.unexplained).toEqual(causes.ms.unexplained);
      }),
      { numRuns: 30 },
    );
  });
});

describe("an interval", () => {
  const draw = { lowMs: -50, highMs: 900, couldBeMs: 2_000 };
  test("ends within the response, and begins at nothing", () => {
    const told = intervalWithin("gc", draw, { ms: 100, changed: 0, responseMs: 800 });
    expect(told).toEqual({ lowMs: 0, highMs: 800, couldBeMs: 800 });
  });

  test("holds its value, though no draw was as large", () => {
    const told = intervalWithin("gc", draw, { ms: 950, changed: 20, responseMs: 1_000 });
    expect(told).toEqual({ lowMs: 0, highMs: 950, couldBeMs: 1_000 });
  });

  test("of input bytes may be a gain", () => {
    const told = intervalWithin("bytes", draw, { ms: -80, changed: 0, responseMs: 60 });
    expect(told.lowMs).toBe(-80);
  });
});

describe("an interval holds what the job would have gained without the cause", () => {
  const drawn = { lowMs: 8, highMs: 12, couldBeMs: 14 };

  test("as uncertain as the seconds, below and above them", () => {
    expect(withGain(drawn, { ms: 10, aloneMs: 9, lastMs: () => 9 })).toEqual({
      ...drawn,
      lowMs: 7.2,
    });
    expect(withGain(drawn, { ms: 10, aloneMs: 13, lastMs: () => 13 })).toEqual({
      lowMs: 8,
      highMs: 15,
      couldBeMs: 15,
    });
    // 4 s alone of a cause of 0.3 s.
    const little = withGain(
      { lowMs: 0, highMs: 11, couldBeMs: 11 },
      { ms: 0.3, aloneMs: 4, lastMs: () => 4 },
    );
    expect(little.highMs).toBeCloseTo(14.7);
  });

  test("if chance hides it, not if other causes do, and not for a gain", () => {
    expect(withGain(drawn, { ms: 10, aloneMs: 4, lastMs: () => 10 })).toEqual(drawn);
    expect(withGain(drawn, { ms: 10, aloneMs: 1, lastMs: () => 1 })).toEqual({
      ...drawn,
      lowMs: 0.8,
    });
    expect(withGain(drawn, { ms: 10, aloneMs: -1, lastMs: () => -1 })).toEqual({
      ...drawn,
      lowMs: 0,
    });
    const gain = { lowMs: -3, highMs: -1, couldBeMs: -1 };
    expect(withGain(gain, { ms: -2, aloneMs: -4, lastMs: () => -4 })).toEqual(gain);
  });
});
