import { expect, test } from "vitest";
import { auditOf } from "../../src/diagnose/audit/audit.ts";
import { expectationOf } from "../../src/diagnose/expect/expect.ts";
import { signalsOf } from "../../src/diagnose/expect/signals.ts";
import { DEFAULT_LIMITS } from "../../src/diagnose/limits.ts";
import { planOf } from "../../src/diagnose/schedule/plan.ts";
import { recordedTiming, schedule } from "../../src/diagnose/schedule/schedule.ts";
import { INJECTED } from "./support/dispatch.ts";
import { makeWorld } from "./support/world.ts";

/** Check 18, over generated worlds in which copies were made and no attempt failed. */
const WORLDS = Number(process.env.DIAGNOSE_WORLDS ?? 60);
const CAUSES = new Set(INJECTED.filter((cause) => cause !== "retries" && cause !== "loss"));

test("the audit's interval and its lower bound cover the copies' true saving", () => {
  let audited = 0;
  let inside = 0;
  let bounded = 0;
  for (let seed = 1; audited < WORLDS && seed < 10 * WORLDS; seed++) {
    const world = makeWorld(1_000 + seed, CAUSES);
    const plan = planOf(world.job);
    const timing = recordedTiming(plan);
    const signals = signalsOf(plan, timing.own);
    const expectation = expectationOf(plan, signals, { limits: DEFAULT_LIMITS, seed: 1 });
    const audit = auditOf(plan, timing, signals, expectation, 1);
    if (audit === undefined || audit.won === 0) continue;
    audited += 1;
    // The truth: the same schedule without copies, each original as long as it would have been.
    const own = Float64Array.from(timing.own);
    const skipped = new Uint8Array(plan.count);
    for (let i = 0; i < plan.count; i++) {
      if ((plan.beside[i] ?? -1) >= 0) skipped[i] = 1;
      const truth = world.truth[plan.phase[i] ?? 0]?.[plan.row[i] ?? 0];
      if (plan.lostRace[i] === 1) own[i] = Math.max(own[i] ?? 0, truth?.wouldTakeMs ?? 0);
    }
    const without = schedule(plan, { own, wait: timing.wait, skipped }).doneAt;
    const saved = without - schedule(plan, timing).doneAt;
    const slack = 0.005 * world.job.endedAt;
    if (audit.lowMs - slack <= saved && saved <= audit.highMs + slack) inside += 1;
    if (saved >= audit.atLeastMs - slack) bounded += 1;
  }
  expect(audited).toBe(WORLDS);
  expect(inside / audited).toBeGreaterThanOrEqual(0.75);
  expect(bounded / audited).toBeGreaterThanOrEqual(0.8);
});
