import { describe, expect, test } from "vitest";
import { tryPolicies } from "../../src/whatif/try-policies.ts";
import type { Injected } from "./support/dispatch.ts";
import { makeWorld } from "./support/world.ts";

const job = (seed: number, ...causes: Injected[]) => makeWorld(seed, new Set(causes)).job;

describe("what if", () => {
  test("the gate: recorded jobs without copies come out within a hundredth", () => {
    for (const seed of [1, 2, 3]) {
      const recorded = job(seed, "bytes", "cold", "remote");
      const { gate } = tryPolicies(recorded, { policies: [], seeds: 2 });
      expect(Math.abs(gate.error), `world ${seed}`).toBeLessThan(0.01);
      expect(gate.verdict).toBe("good");
    }
  });

  test("the record's own policy changes nothing, seed by seed", () => {
    const { rows } = tryPolicies(job(1, "bytes"), { policies: ["none"], seeds: 3 });
    expect(rows[0]?.byAttempt).toMatchObject({ ms: 0, lowMs: 0, highMs: 0, copies: 0 });
    expect(rows[0]?.byTask).toMatchObject({ ms: 0 });
  });

  test("copies help less if bad luck comes back in every copy", () => {
    // World 3 has a heavy tail: some attempts take several times as long as their peers.
    const { rows, gate } = tryPolicies(job(3, "node"), { policies: ["spark-3.5"], seeds: 6 });
    const [row] = rows;
    expect(gate.verdict).toBe("good");
    const run = row?.thatRun;
    expect(run?.byAttempt.copies).toBeGreaterThan(0);
    expect(run?.byAttempt.ms).toBeLessThan(run?.byTask?.ms ?? Number.NEGATIVE_INFINITY);
  });

  test("the same question has the same answer", () => {
    const ask = () => tryPolicies(job(5, "gc"), { policies: ["late"], seeds: 2, rho: 0.5 });
    expect(ask()).toEqual(ask());
  });
});
