import { grouped } from "../base/grouped.ts";
import { cell } from "../base/rows.ts";
import { span } from "../diagnose/figures.ts";
import { endOf, type Plan, phaseOf, ROLE } from "../diagnose/schedule/planned.ts";

/**
 * Whether another attempt of the task at the same time would have ended as this one did: it failed,
 * by an exception or a fetch, or the cluster took its slot. One that was lost ended with its node.
 */
export function endsWithItsCopies(plan: Plan, i: number): boolean {
  const how = endOf(plan, i);
  return plan.role[i] === ROLE.fails && (how === "failed" || how === "killed");
}

/** What such ends cost, and that no policy saves it; empty without any. */
export function failuresText(plan: Plan): readonly string[] {
  const all = Array.from({ length: plan.count }, (_, i) => i);
  return (["failed", "killed"] as const).flatMap((how) => {
    const ended = all.filter((i) => endsWithItsCopies(plan, i) && endOf(plan, i) === how);
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
    `${who} ${was}${past} ${times}, for ${span(ms)} in all: ${one ? "its" : "their"} copies would ` +
    `${would} as well, so no policy saves this time.`
  );
}

function nameOf(plan: Plan, i: number): string {
  const index = cell(plan.task[i]) - cell(plan.firstTask[cell(plan.phase[i])]);
  return `${phaseOf(plan, i).name}/${index}`;
}
