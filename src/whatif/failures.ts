import { grouped } from "../base/grouped.ts";
import { cell } from "../base/rows.ts";
import { TAIL_FROM } from "../diagnose/expect/tail.ts";
import { span } from "../diagnose/figures.ts";
import { endOf, type Plan, phaseOf, ROLE } from "../diagnose/schedule/planned.ts";
import type { Fitted } from "./fitted.ts";

/**
 * Whether another attempt of the task at the same time would have ended as this one did, without a
 * result: it failed by an exception or a fetch, the cluster took its slot, or its output was lost.
 * One that was lost with its node had a rival worth making only if it was late by then: no policy
 * knows that a node will be lost.
 */
export function endsWithItsCopies({ luck, plan, timing }: Failing, i: number): boolean {
  if (plan.role[i] !== ROLE.fails) return false;
  if (endOf(plan, i) !== "lost") return true;
  return cell(timing.own[i]) <= TAIL_FROM * cell(luck.expectedMs[i]);
}

type Failing = Pick<Fitted, "luck" | "plan" | "timing">;

/** What tasks that failed or were killed cost, and that no policy saves it; empty without any. */
export function failuresText(plan: Plan): readonly string[] {
  const fails = Array.from(plan.role.keys()).filter((i) => plan.role[i] === ROLE.fails);
  return (["failed", "killed"] as const).flatMap((how) => {
    const ended = fails.filter((i) => endOf(plan, i) === how);
    return ended.length === 0 ? [] : [costText(plan, how, ended)];
  });
}

const WOULD = { failed: ["failed", "fail"], killed: ["killed", "be killed"] } as const;

function costText(plan: Plan, how: "failed" | "killed", ended: readonly number[]): string {
  const tasks = grouped(ended, (i) => cell(plan.task[i]));
  const ms = ended.reduce((sum, i) => sum + cell(plan.end[i]) - cell(plan.start[i]), 0);
  const one = tasks.size === 1;
  const [past, would] = WOULD[how];
  const who = one ? nameOf(plan, cell(ended[0])) : `${tasks.size} tasks`;
  const was = how === "failed" ? "" : one ? "was " : "were ";
  const times = ended.length === 1 ? "once" : `${ended.length} times`;
  return (
    `${who} ${was}${past} ${times}, for ${span(ms)} in all: ${one ? "its" : "their"} copies ` +
    `would ${would} as well, so no policy saves this time.`
  );
}

function nameOf(plan: Plan, i: number): string {
  const index = cell(plan.task[i]) - cell(plan.firstTask[cell(plan.phase[i])]);
  return `${phaseOf(plan, i).name}/${index}`;
}
