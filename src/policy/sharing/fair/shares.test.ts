import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ascending } from "../../../base/order.ts";
import { sizeWeight } from "./claims.ts";
import { automaticDelays, heartbeatMsOf } from "./delay.ts";
import { nodeCap } from "./load.ts";
import { poolNamed, readPools } from "./pools.ts";
import {
  adjustedMinShares,
  byNeed,
  fairShares,
  isBelowHalf,
  isBelowMinShare,
  type ShareClaim,
  shortOfFairShare,
  shortOfMinShare,
} from "./shares.ts";

const claim = (of: Partial<ShareClaim>): ShareClaim => ({
  running: 0,
  demand: 100,
  minShare: 0,
  weight: 1,
  ...of,
});

const rounded = (claims: readonly ShareClaim[], slots: number): readonly number[] =>
  fairShares(claims, slots).map((share) => Math.round(share * 1000) / 1000);

test("a pool that no setting names has weight 1 and no minimum share", () => {
  const pools = readPools("other weight 2 minReduces 3");
  const unnamed = poolNamed({ pools, users: new Map() }, "research");
  expect(unnamed).toMatchObject({ weight: 1, minMaps: 0, minReduces: 0 });
});

describe("fair shares", () => {
  test("equal claims get equal shares", () => {
    expect(rounded([claim({}), claim({}), claim({}), claim({})], 40)).toEqual([10, 10, 10, 10]);
  });

  test("shares are in proportion to weights", () => {
    const claims = [2, 1, 1, 0.5].map((weight) => claim({ weight }));
    expect(rounded(claims, 45)).toEqual([20, 10, 10, 5]);
  });

  test("no claim gets more than its demand; the others share the rest", () => {
    const claims = [claim({ demand: 3 }), claim({ demand: 6 }), claim({}), claim({})];
    expect(rounded(claims, 40)).toEqual([3, 6, 15.5, 15.5]);
  });

  test("no claim gets less than its minimum share if it demands that much", () => {
    const claims = [
      claim({ minShare: 20 }),
      claim({ minShare: 18, demand: 5 }),
      claim({}),
      claim({}),
    ];
    expect(rounded(claims, 40)).toEqual([20, 5, 7.5, 7.5]);
  });

  test("with more slots than demand every claim gets its demand", () => {
    expect(rounded([claim({ demand: 7 }), claim({ demand: 2, weight: 9 })], 1000)).toEqual([7, 2]);
  });

  test("minimum shares beyond the cluster are all granted, as in the source", () => {
    expect(rounded([claim({ minShare: 30 }), claim({ minShare: 30 })], 40)).toEqual([30, 30]);
  });

  test("without slots or claims there is nothing to share", () => {
    expect(rounded([claim({}), claim({ weight: 3 })], 0)).toEqual([0, 0]);
    expect(rounded([], 40)).toEqual([]);
  });

  const claims = fc.array(
    fc.record({
      running: fc.constant(0),
      demand: fc.nat(200),
      minShare: fc.nat(30),
      weight: fc.constantFrom(0.25, 0.5, 1, 2, 3, 4, 7.5),
    }),
    { minLength: 1, maxLength: 12 },
  );

  test("bisection finds the same shares as walking along the breakpoints", () => {
    fc.assert(
      fc.property(claims, fc.nat(400), (some, slots) => {
        const twin = sharesByBreakpoints(some, slots);
        fairShares(some, slots).forEach((share, index) => {
          expect(share).toBeCloseTo(twin[index] ?? Number.NaN, 3);
        });
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  test("shares add up to the slots or to the demand, and each lies between its bounds", () => {
    fc.assert(
      fc.property(claims, fc.nat(400), (some, slots) => {
        const shares = fairShares(some, slots);
        const least = some.map(({ demand, minShare }) => Math.min(demand, minShare));
        const demand = some.reduce((sum, one) => sum + one.demand, 0);
        const total = shares.reduce((sum, share) => sum + share, 0);
        const floor = least.reduce((sum, share) => sum + share, 0);
        expect(total).toBeCloseTo(Math.max(floor, Math.min(demand, slots)), 2);
        shares.forEach((share, index) => {
          expect(share).toBeGreaterThanOrEqual(least[index] ?? Number.NaN);
          expect(share).toBeLessThanOrEqual(some[index]?.demand ?? Number.NaN);
        });
      }),
      { seed: 6, numRuns: 500 },
    );
  });
});

/** The twin: R walks along the points at which a share stops growing. */
function sharesByBreakpoints(claims: readonly ShareClaim[], slots: number): readonly number[] {
  const at = (ratio: number): readonly number[] =>
    claims.map((one) => Math.min(Math.max(one.weight * ratio, one.minShare), one.demand));
  const used = (ratio: number): number => at(ratio).reduce((sum, share) => sum + share, 0);
  const demand = claims.reduce((sum, one) => sum + one.demand, 0);
  const cap = Math.min(demand, slots);
  const stops = claims.flatMap(({ demand: most, minShare, weight }) => [
    minShare / weight,
    most / weight,
  ]);
  let before = 0;
  if (used(0) >= cap) return at(0);
  for (const stop of [...stops].sort(ascending((ratio) => ratio))) {
    if (used(stop) >= cap) {
      const slope = (used(stop) - used(before)) / (stop - before);
      return at(before + (cap - used(before)) / slope);
    }
    before = stop;
  }
  return at(before);
}

describe("who is next", () => {
  const order = (claims: readonly Partial<ShareClaim>[]): readonly number[] =>
    claims
      .map((one, index) => ({ ...claim(one), index }))
      .sort(byNeed(ascending(({ index }) => index)))
      .map(({ index }) => index);

  test("claims below their minimum share come first", () => {
    expect(order([{ running: 1 }, { running: 9, minShare: 10 }])).toEqual([1, 0]);
  });

  test("among these, the claim with the smaller part of its minimum share comes first", () => {
    const eightOfTen = { running: 8, minShare: 10 };
    const fiftyOfHundred = { running: 50, minShare: 100 };
    expect(order([eightOfTen, fiftyOfHundred])).toEqual([1, 0]);
  });

  test("an adjusted minimum share may be a part of a slot", () => {
    // 1 of 1.5 is two thirds, 3 of 5 is less.
    expect(
      order([
        { running: 1, minShare: 1.5 },
        { running: 3, minShare: 5 },
      ]),
    ).toEqual([1, 0]);
  });

  test("a minimum share beyond the demand does not count", () => {
    expect(order([{ running: 2 }, { running: 3, demand: 3, minShare: 10 }])).toEqual([0, 1]);
  });

  test("among the others, the claim with fewer running tasks per weight comes first", () => {
    expect(order([{ running: 3 }, { running: 5, weight: 2 }, { running: 3, weight: 4 }])).toEqual([
      2, 1, 0,
    ]);
  });

  test("claims without demand and weight are equal", () => {
    expect(order([{ demand: 0, weight: 0 }, { running: 0 }])).toEqual([0, 1]);
  });
});

describe("starvation", () => {
  test("a pool starves below its minimum share, or half of its fair share, rounded down", () => {
    expect(isBelowMinShare(claim({ running: 1, minShare: 2 }))).toBe(true);
    expect(isBelowMinShare(claim({ running: 1, minShare: 2, demand: 1 }))).toBe(false);
    expect(isBelowHalf(claim({ running: 1 }), 5)).toBe(true);
    expect(isBelowHalf(claim({ running: 2 }), 5)).toBe(false);
    expect(isBelowHalf(claim({ running: 0 }), 1.9)).toBe(false);
  });

  test("a pool is short of its whole share, up to its demand", () => {
    expect(shortOfMinShare(claim({ running: 1, minShare: 4 }))).toBe(3);
    expect(shortOfMinShare(claim({ running: 1, minShare: 4, demand: 2 }))).toBe(1);
    expect(shortOfMinShare(claim({ running: 9, minShare: 4 }))).toBe(0);
    expect(shortOfFairShare(claim({ running: 1 }), 4.9)).toBe(3);
  });

  test("minimum shares that do not fit shrink by one factor", () => {
    expect(adjustedMinShares([30, 30, 20], 40)).toEqual([15, 15, 10]);
    expect(adjustedMinShares([10, 30], 40)).toEqual([10, 30]);
    expect(adjustedMinShares([5, 6], 9)).toEqual([4, 4]);
    expect(adjustedMinShares([], 0)).toEqual([]);
  });

  test("a single pool whose minimum share exceeds the slots is promised all of them", () => {
    expect(adjustedMinShares([22], 15)).toEqual([15]);
  });
});

describe("Hadoop's own numbers", () => {
  test("a job's weight by size is log2(1 + demand)", () => {
    expect([0, 1, 3, 1023].map(sizeWeight)).toEqual([0, 1, 2, 10]);
  });

  test("heartbeats come every 300 ms at least, and 100 a second in all", () => {
    expect([1, 20, 30, 31, 1000].map(heartbeatMsOf)).toEqual([300, 300, 300, 310, 10_000]);
  });

  test("the automatic delay is 1.5 heartbeats, 15 s at most", () => {
    expect([20, 100, 1000, 1001].map((nodes) => automaticDelays(nodes).nodeMs)).toEqual([
      450, 1500, 15_000, 15_000,
    ]);
  });

  test("a node's share of the load is rounded up, and no more than its slots", () => {
    const cap = (demand: number, loadMaxDiff = 0) =>
      nodeCap({ demand, slots: 120, nodeSlots: 6, loadMaxDiff });
    expect([0, 1, 20, 21, 119, 120, 999].map((demand) => cap(demand))).toEqual([
      0, 1, 1, 2, 6, 6, 6,
    ]);
    expect(cap(20, 0.3)).toBe(3);
  });
});
