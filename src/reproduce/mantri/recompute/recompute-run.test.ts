import { describe, expect, test } from "vitest";
import { randomState } from "../../../base/random.ts";
import { parseDiscipline } from "../../../policy/discipline.ts";
import { runChains } from "./recompute-run.ts";

const NONE = parseDiscipline("none,sharing=fifo-plain");
const cluster = { nodes: 4, racks: 2, slotsPerNode: 1, outputPerInput: 0.5 };
const MINUTE = 60_000;
/** Three phases of four tasks, a minute each: one wave each. */
const chains = [
  {
    name: "job",
    atMs: 0,
    bytes: 4e9,
    times: [1, 2, 3].map(() => new Array<number>(4).fill(MINUTE)),
  },
];
const run = (losses: readonly { at: number; machine: number }[], discipline = NONE) =>
  runChains(chains, { cluster, losses, discipline, chance: randomState(1, "chains") })[0];

describe("a chain of phases", () => {
  test("whose outputs stay takes its waves, and misses nothing", () => {
    const job = run([]);
    expect(job?.responseMs).toBeCloseTo(3 * MINUTE, 0);
    expect(job?.missed).toBe(0);
    expect(job?.slotMs).toBeCloseTo(12 * MINUTE, -1);
    // What is read: the input, and what each phase but the last has written for the next.
    expect(job?.bytesRead).toBeCloseTo(4e9 + 2e9 + 1e9 + 0.5e9, -3);
  });

  test("misses nothing that was read before it was lost, or written afterwards", () => {
    for (const at of [0.9 * MINUTE, 1.5 * MINUTE, 2.5 * MINUTE]) {
      const job = run([{ at, machine: 0 }]);
      expect(job?.missed).toBe(0);
      expect(job?.responseMs).toBeCloseTo(3 * MINUTE, 0);
    }
  });

  test("that loses what its readers are about to read makes it again, one minute later", () => {
    const longer = [
      {
        name: "job",
        atMs: 0,
        bytes: 4e9,
        // Two waves of readers: the second finds an output gone.
        times: [new Array<number>(4).fill(MINUTE), new Array<number>(8).fill(MINUTE)],
      },
    ];
    const of = { cluster, discipline: NONE, chance: randomState(1, "chains") };
    const whole = runChains(longer, { ...of, losses: [] })[0];
    const hit = runChains(longer, { ...of, losses: [{ at: 1.5 * MINUTE, machine: 0 }] })[0];
    expect(whole?.responseMs).toBeCloseTo(3 * MINUTE, 0);
    expect(hit?.missed).toBe(1);
    expect(hit?.responseMs).toBeGreaterThan(3.9 * MINUTE);
  });
});
