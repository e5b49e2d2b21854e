import { describe, expect, test } from "vitest";
import { nextFloat, randomState } from "../../base/random.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { nodeEffects, type Residual } from "./node-effect.ts";
import { slowedBy } from "./slow-part.ts";

const EVEN_MS = 10_000;
const UNTIL_MS = 200_000;

/** Six nodes of two slots; the first is three times slower from one moment until another. */
function drawn(seed: number, from: number, until: number): readonly Residual[] {
  const random = randomState(seed, "slow-part-test");
  const residuals: Residual[] = [];
  for (let slot = 0; slot < 12; slot++) {
    const node = slot >> 1;
    const isSlow = (at: number): boolean => node === 0 && at >= from && at < until;
    let startedAt = 1_000 * nextFloat(random);
    while (startedAt < UNTIL_MS) {
      // In steps of 10 ms, so that an attempt may run across the change.
      let [endedAt, left] = [startedAt, EVEN_MS * (0.9 + 0.2 * nextFloat(random))];
      for (; left > 0; endedAt += 10) left -= isSlow(endedAt) ? 10 / 3 : 10;
      const r = Math.log((endedAt - startedAt) / EVEN_MS);
      residuals.push({ node, phase: 0, r, startedAt, endedAt });
      startedAt = endedAt;
    }
  }
  return residuals.toSorted((a, b) => Math.sign(a.startedAt - b.startedAt));
}

function slowIn(residuals: readonly Residual[]) {
  const { effects } = nodeEffects(residuals, DEFAULT_LIMITS, { seed: 1 });
  return effects.filter(({ verdict }) => verdict === "slow" || verdict === "lasting");
}

const SEEDS = Array.from({ length: 4 }, (_, n) => n + 1);
const NEVER = Number.POSITIVE_INFINITY;

describe("a node that is three times slower for a part of the job", () => {
  test.each([70_000, 95_000, 123_456])("from %i ms on", (from) => {
    let held = 0;
    for (const seed of SEEDS) {
      const [one, ...others] = slowIn(drawn(seed, from, NEVER));
      expect(others).toEqual([]);
      expect(one).toMatchObject({ node: 0, verdict: "slow", part: { until: NEVER } });
      expect(Math.abs((one?.part?.from ?? 0) - from)).toBeLessThan(EVEN_MS / 2);
      held += (one?.lowFactor ?? 9) < 3 && (one?.highFactor ?? 0) > 3 ? 1 : 0;
    }
    // The interval is one of 95 %.
    expect(held).toBeGreaterThanOrEqual(3);
  });

  test("until 90 s", () => {
    for (const seed of SEEDS) {
      const [one, ...others] = slowIn(drawn(seed, 0, 90_000));
      expect(others).toEqual([]);
      expect(one).toMatchObject({ node: 0, verdict: "slow", part: { from: -NEVER } });
      expect(Math.abs((one?.part?.until ?? 0) - 90_000)).toBeLessThan(EVEN_MS / 2);
    }
  });
});

test("a node that is slow all the time has no part", () => {
  for (const seed of SEEDS) {
    const [one] = slowIn(drawn(seed, 0, NEVER));
    expect(one?.verdict).toBe("lasting");
    expect(one?.part).toBeUndefined();
  }
});

test("a node that is slow for a part has no slow part where nodes are shuffled", () => {
  let slow = 0;
  for (const seed of SEEDS) {
    const residuals = drawn(seed, 100_000, NEVER);
    const random = randomState(seed, "shuffle");
    const nodes = residuals.map(({ node }) => node);
    for (let i = nodes.length - 1; i > 0; i--) {
      const j = Math.floor(nextFloat(random) * (i + 1));
      [nodes[i], nodes[j]] = [nodes[j] ?? 0, nodes[i] ?? 0];
    }
    slow += slowIn(residuals.map((one, i) => ({ ...one, node: nodes[i] ?? 0 }))).length;
  }
  expect(slow).toBeLessThanOrEqual(1);
});

test("an attempt is slowed while the part lasts", () => {
  const part = { from: 10_000, until: NEVER };
  expect(slowedBy(3, part, { startedAt: 0, endedAt: 10_000 })).toBe(1);
  expect(slowedBy(3, part, { startedAt: 10_000, endedAt: 40_000 })).toBeCloseTo(3);
  // 5 s at full speed, and 15 s for the work of another 5.
  expect(slowedBy(3, part, { startedAt: 5_000, endedAt: 25_000 })).toBeCloseTo(2);
});
