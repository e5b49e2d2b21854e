import { ascending } from "../../../base/order.ts";
import type { AttemptId, Instant, TaskId } from "../../../model/ids.ts";
import { isInputWritten } from "../../shared/input-written.ts";
import { candidateOf, listed } from "./candidates.ts";
import type { Look } from "./look.ts";
import type { MantriContext } from "./params.ts";
import { anotherRun, judgedFrom } from "./standing.ts";

/** A task that can be judged from a time on that is still to come. Plain data. */
export interface FirstReport {
  readonly task: TaskId;
  readonly at: Instant;
}

/** undefined if the task can be judged already, or must not be. */
export function firstReportOf(
  ctx: MantriContext,
  task: TaskId,
  periodMs: number,
): FirstReport | undefined {
  const at = judgedFrom(ctx, task, periodMs);
  return at === undefined || at <= ctx.view.now ? undefined : { task, at };
}

export const inTime = (reports: readonly FirstReport[]): FirstReport[] =>
  [...reports].sort(earliestFirst);

const earliestFirst = ascending<FirstReport>(
  ({ at }) => at,
  ascending(({ task }) => task),
);

/** An attempt has begun: its task is judged from its first report on, not from the next look on. */
export function expectReport(ctx: MantriContext, attempt: AttemptId): void {
  const { memory, view } = ctx;
  const { task } = view.attempt(attempt);
  const { phase } = view.task(task);
  const unreported = memory.looks.get(phase)?.unreported;
  if (unreported === undefined || !isInputWritten(view, phase)) return;
  const run = anotherRun(ctx, task);
  const report = run === undefined ? undefined : firstReportOf(ctx, task, run.periodMs);
  if (report === undefined) return;
  const before = unreported.findLastIndex((other) => earliestFirst(other, report) < 0);
  unreported.splice(before + 1, 0, report);
  memory.firstReportAt = Math.min(memory.firstReportAt, report.at);
}

/**
 * Judges the tasks whose first report is due: those that another run would help are candidates from
 * now on. COST: O(1) for an attempt, and O(live phases) when any is due.
 */
export function judgeFirstReports(ctx: MantriContext): void {
  const { memory, view } = ctx;
  if (view.now < memory.firstReportAt) return;
  for (const [phase, look] of memory.looks) {
    const due = dueReports(look, view.now);
    const found = due.flatMap(({ task }) => {
      const run = anotherRun(ctx, task);
      const candidate = run === undefined ? undefined : candidateOf(ctx, task, run);
      return candidate ?? [];
    });
    if (found.length === 0) continue;
    const candidates = listed([...look.candidates.values(), ...found]);
    memory.looks.set(phase, { ...look, candidates });
  }
  setFirstReportAt(ctx);
}

function dueReports({ unreported }: Look, now: Instant): readonly FirstReport[] {
  const later = unreported.findIndex(({ at }) => at > now);
  return unreported.splice(0, later < 0 ? unreported.length : later);
}

export function setFirstReportAt({ memory }: MantriContext): void {
  let at = Number.POSITIVE_INFINITY;
  for (const { unreported } of memory.looks.values()) at = Math.min(at, unreported[0]?.at ?? at);
  memory.firstReportAt = at;
}
