import { describe, expect, test } from "vitest";
import { randomState } from "../../../base/random.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import { isLost, type Loss } from "./losses.ts";
import { runChains } from "./recompute-run.ts";

const NONE = parseDiscipline("none,sharing=fifo-plain");
const cluster = { nodes: 4, racks: 2, slotsPerNode: 1, retry: { afterMs: 1_000, growth: 1.25 } };
const MINUTE = 60_000;
/** Three phases of four tasks, a minute each: one wave each. */
const chains = [
  {
    name: "job",
    atMs: 0,
    bytes: [4e9, 2e9, 1e9],
    times: [1, 2, 3].map(() => new Array<number>(4).fill(MINUTE)),
  },
];
/** The episode is over at once. */
const loss = (from: number, machine = 0): Loss => ({ machine, from, to: from + 1, everyMs: 1_000 });
const run = (losses: readonly Loss[], discipline = NONE) =>
  runChains(chains, { cluster, losses, discipline, chance: randomState(1, "chains") })[0];

describe("a chain of phases", () => {
  test("whose outputs stay takes its waves, and misses no output", () => {
    const job = run([]);
    expect(job?.responseMs).toBeCloseTo(3 * MINUTE, 0);
    expect(job?.missed).toBe(0);
    expect(job?.slotMs).toBeCloseTo(12 * MINUTE, -1);
    // The input, and each phase's output; the last phase writes as much as it reads.
    expect(job?.bytesRead).toBeCloseTo(4e9 + 2e9 + 1e9 + 1e9, -3);
  });

  test("misses no output that was read before its loss, or written afterwards", () => {
    for (const at of [0.9 * MINUTE, 1.5 * MINUTE, 2.5 * MINUTE]) {
      const job = run([loss(at)]);
      expect(job?.missed).toBe(0);
      expect(job?.responseMs).toBeCloseTo(3 * MINUTE, 0);
    }
  });

  test("that loses outputs before they are read recomputes them, one minute later", () => {
    const longer = [
      {
        name: "job",
        atMs: 0,
        bytes: [4e9, 2e9],
        // Two waves of readers: the second finds an output gone.
        times: [new Array<number>(4).fill(MINUTE), new Array<number>(8).fill(MINUTE)],
      },
    ];
    const of = { cluster, discipline: NONE, chance: randomState(1, "chains") };
    const whole = runChains(longer, { ...of, losses: [] })[0];
    const hit = runChains(longer, { ...of, losses: [loss(1.5 * MINUTE)] })[0];
    expect(whole?.responseMs).toBeCloseTo(3 * MINUTE, 0);
    expect(hit?.missed).toBe(1);
    expect(hit?.responseMs).toBeGreaterThan(3.9 * MINUTE);
  });
});

describe("a time in which a machine's outputs cannot be read", () => {
  const episode: Loss = { machine: 3, from: 100, to: 125, everyMs: 10 };
  const lost = (from: number, to: number, machine = 3) => isLost(episode, { machine, from, to });

  test("hides the outputs at its start, and outputs written until its last strike", () => {
    expect(lost(50, 100)).toBe(true);
    expect(lost(50, 99)).toBe(false);
    // At 100, 110 and 120 all existing outputs become unreadable.
    expect(lost(119, 200)).toBe(true);
    expect(lost(120, 200)).toBe(false);
    expect(lost(112, 119)).toBe(false);
  });

  test("does not affect other machines", () => {
    expect(lost(50, 200, 4)).toBe(false);
  });

  test("hides outputs written during it, and none written later", () => {
    const half = MINUTE / 2;
    const waiting = {
      name: "job",
      atMs: 0,
      bytes: [4e9, 2e9],
      // Three outputs are written after half a minute, and wait for the fourth to be read.
      times: [[MINUTE, half, half, half], new Array<number>(4).fill(MINUTE)],
    };
    const missed = (to: number) => {
      const losses = [0, 1, 2, 3].map((machine): Loss => {
        return { machine, from: 0, to, everyMs: 5_000 };
      });
      const of = { cluster, discipline: NONE, chance: randomState(1, "chains") };
      return runChains([waiting], { ...of, losses })[0]?.missed;
    };
    expect(missed(0.9 * MINUTE)).toBe(3);
    expect(missed(0.4 * MINUTE)).toBe(0);
  });
});
