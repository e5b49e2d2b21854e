import { describe, expect, test } from "vitest";
import { jobOf, lasting, nodes, phase, runJob, told } from "../../../test/support/recorded.ts";

describe("an attempt that waits on its node before it begins", () => {
  test("holds its slot meanwhile, and its work begins afterwards", () => {
    const tasks = [lasting(1_000, { waitMs: 300 }), lasting(500)];
    const run = runJob(jobOf(nodes(1), phase("map", tasks)));
    expect(told(run)).toEqual(["0/0 original n0 300-1300", "0/1 original n0 1300-1800"]);
    expect(run.attempts[0]).toMatchObject({ launchedAtMs: 0, startedAtMs: 300 });
    expect(run.slotMs).toBe(1_800);
  });

  test("waits no longer on a slow node, though its work takes longer", () => {
    const slow = { name: "slow", factor: 3, slots: [{ kind: "core", count: 1 }] };
    const tasks = [lasting(1_000, { waitMs: 300, slowedByNode: true })];
    expect(runJob(jobOf([slow], phase("map", tasks))).responseMs).toBe(3_300);
  });

  test("is killed while it waits, and never begins", () => {
    // A median of 10 s makes the copy at 15 s; the original succeeds at 16 s.
    const original = lasting(16_000, {}, { copies: [{ workMs: 1_000, waitMs: 5_000 }] });
    const tasks = [original, lasting(10_000), lasting(10_000), lasting(10_000)];
    const run = runJob(jobOf(nodes(4), phase("map", tasks)), { under: "spark-3.5" });
    expect(run).toMatchObject({ copies: 1, wins: 0, responseMs: 16_000 });
    const copy = run.attempts.at(-1);
    expect(copy).toMatchObject({ ended: "killed", startedAtMs: undefined, endedAtMs: 16_000 });
    expect(run.wastedMs).toBe(16_000 - (copy?.launchedAtMs ?? 0));
  });
});
