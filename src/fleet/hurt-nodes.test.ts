import { describe, expect, test } from "vitest";
import { nextFloat, randomState } from "../base/random.ts";
import type { JobDigest } from "./digest.ts";
import { hurtNodes } from "./hurt-nodes.ts";

interface World {
  readonly seed: number;
  /** These nodes take `factor` times as long in three of forty jobs. */
  readonly slow?: readonly string[];
  readonly factor?: number;
  /** The share of a node's turns in which all its attempts take twice as long. */
  readonly bursts?: number;
}

const NODES = 200;
const JOBS = 1_000;
const PER_JOB = 8;
const ATTEMPTS = 3;

/** Attempts with a spread of 15 %, of which three in a hundred take 1.5 to 3.5 times as long. */
function jobsOf({ seed, slow = [], factor = 2, bursts = 0 }: World): readonly JobDigest[] {
  const random = randomState(seed, "fleet");
  const chance = (): number => nextFloat(random);
  const turns = new Map<string, number>();
  const made: JobDigest[] = [];
  for (let job = 0; job < JOBS; job++) {
    const from = Math.floor(chance() * NODES);
    const nodes = Array.from({ length: PER_JOB }, (_, n) => {
      const node = `n${(from + 23 * n) % NODES}`;
      const turn = turns.get(node) ?? 0;
      turns.set(node, turn + 1);
      const isSlow = slow.includes(node) && turn % 12 === 3 && turn < 36;
      const times = (isSlow ? factor : 1) * (chance() < bursts ? 2 : 1);
      const lateness = Array.from({ length: ATTEMPTS }, () => {
        const normal = Array.from({ length: 12 }, chance).reduce((a, b) => a + b, -6);
        const tail = chance() < 0.03 ? 1.5 + 2 * chance() : 1;
        return 0.15 * normal + Math.log(tail * times);
      }).sort((a, b) => a - b);
      const middle = Math.exp(lateness[1] ?? 0);
      return { node, attempts: ATTEMPTS, lateness, factor: middle, delayMs: 1, isSlow: false };
    });
    made.push({
      ...{ id: `job-${job}`, name: "job", outcome: "succeeded", submittedAt: job, isDated: false },
      ...{ responseMs: 1, delayMs: 0, usualMs: 1, slotMs: 1, attempts: 24, causes: [] },
      ...{ nodes, sigma: 0.17, parts: [], failures: [] },
    });
  }
  return made;
}

const named = (world: World): readonly string[] =>
  hurtNodes(jobsOf(world), { factorMin: 1.2 })
    .filter(({ isSlow }) => isSlow)
    .map(({ node }) => node)
    .sort();

describe("nodes over many jobs", () => {
  const slow = ["n10", "n11", "n12", "n13", "n14"];

  test.each([1, 2])("five that are slow in three of some forty jobs are named, seed %i", (seed) => {
    expect(named({ seed, slow })).toEqual(slow);
  });

  test.each([4, 5, 6, 7])("luck names none, seed %i", (seed) => {
    expect(named({ seed })).toEqual([]);
  });

  test.each([8, 9, 10])("nor do bad moments that come to all nodes, seed %i", (seed) => {
    expect(named({ seed, bursts: 0.02 })).toEqual([]);
  });

  test("a node's jobs, factor and loss are those of the evidence", () => {
    const [first] = hurtNodes(jobsOf({ seed: 1, slow: ["n10"], factor: 3 }), { factorMin: 1.2 });
    expect(first).toMatchObject({ node: "n10", isSlow: true });
    expect(first?.hurt.length).toBeGreaterThanOrEqual(3);
    expect(first?.factor).toBeGreaterThan(2.5);
    expect(first?.delayMs).toBe(first?.hurt.length);
  });

  test("without jobs, or with one node, there is no answer", () => {
    expect(hurtNodes([], { factorMin: 1.2 })).toEqual([]);
    const alone = jobsOf({ seed: 1 }).map((job) => ({ ...job, nodes: job.nodes.slice(0, 1) }));
    expect(hurtNodes(alone, { factorMin: 1.2 })).toEqual([]);
  });
});
