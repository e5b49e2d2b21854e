import { expect, test } from "vitest";
import { hopelessJob } from "../../test/diagnose/support/hopeless.ts";
import { fitted } from "./fitted.ts";
import { waitsText } from "./waits.ts";

test("a task that came late beside a free slot is launched when it was, without a slot", () => {
  const { plan, waits } = fitted(hopelessJob(3, new Set(["wait"])));
  expect(waits.late).toBeGreaterThan(0);
  expect(waitsText(waits)[0]).toContain("cannot be copied");
  for (let i = 0; i < plan.count; i++) {
    const ready = plan.gates[plan.readyGate[plan.phase[i] ?? -1] ?? -1]?.at ?? Number.NaN;
    const launched = ready + (waits.unlaunchedMs[i] ?? Number.NaN);
    expect(launched).toBeLessThanOrEqual((plan.start[i] ?? 0) + 1e-6);
    expect(waits.heldMs[i]).toBeLessThan(1_000);
  }
});

test("what launches take is held on the slot, and nothing is late", () => {
  const { waits } = fitted(hopelessJob(3, new Set(["driver"])));
  expect(waits.late).toBe(0);
  expect(waitsText(waits)).toEqual([]);
  expect(Math.max(...waits.unlaunchedMs)).toBe(0);
});
