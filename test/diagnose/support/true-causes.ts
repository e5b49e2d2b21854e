import { recordOf } from "../../../src/base/record-of.ts";
import { OWN_CAUSES } from "../../../src/diagnose/cause.ts";
import type { AttemptCauses } from "../../../src/diagnose/causes/attempt-causes.ts";
import type { Plan } from "../../../src/diagnose/schedule/planned.ts";
import type { Timing } from "../../../src/diagnose/schedule/schedule.ts";
import { kindAt } from "../../../src/history/columns.ts";
import type { World } from "./world.ts";

/** The true causes of every attempt, in the shape of those that the diagnosis estimates. */
export function trueCauses(world: World, plan: Plan, timing: Timing): AttemptCauses {
  const column = (): Float64Array => new Float64Array(plan.count);
  const ms = recordOf(OWN_CAUSES, column);
  const own = Float64Array.from(timing.own);
  const expected = column();
  for (let i = 0; i < plan.count; i++) {
    const truth = world.truth[plan.phase[i] ?? 0]?.[plan.row[i] ?? 0];
    if (truth === undefined) throw new Error("no truth");
    if (plan.lostRace[i] === 1) own[i] = Math.max(own[i] ?? 0, truth.wouldTakeMs);
    for (const cause of OWN_CAUSES) ms[cause][i] = truth.ms[cause] ?? 0;
    expected[i] = (own[i] ?? 0) - OWN_CAUSES.reduce((sum, cause) => sum + (ms[cause][i] ?? 0), 0);
  }
  const waitMs = column();
  const byPhase = new Map<number, number[]>();
  for (let i = 0; i < plan.count; i++) {
    const list = byPhase.get(plan.phase[i] ?? 0) ?? [];
    list.push(timing.wait[i] ?? 0);
    byPhase.set(plan.phase[i] ?? 0, list);
  }
  for (let i = 0; i < plan.count; i++) {
    const list = (byPhase.get(plan.phase[i] ?? 0) ?? []).toSorted((a, b) => a - b);
    const median = ((list[(list.length - 1) >> 1] ?? 0) + (list[list.length >> 1] ?? 0)) / 2;
    waitMs[i] = Math.max(0, (timing.wait[i] ?? 0) - Math.max(0, median));
  }
  // A lost result is noticed late, and its task then waits for a slot.
  const isRetryWait = Uint8Array.from({ length: plan.count }, (_, i) => {
    const attempts = plan.job.phases[plan.phase[i] ?? 0]?.attempts;
    return attempts !== undefined && kindAt(attempts, plan.row[i] ?? 0) === "recompute" ? 1 : 0;
  });
  return { own, ms, expected, waitMs, isRetryWait };
}
