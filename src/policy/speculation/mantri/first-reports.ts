import { ascending } from "../../../base/order.ts";
import type { AttemptId, Instant } from "../../../model/ids.ts";
import { isInputWritten } from "../../shared/input-written.ts";
import { addCandidate, candidateOf } from "./candidates.ts";
import type { FirstReport, MantriContext, MantriLook } from "./memory.ts";
import { anotherRun, judgedFrom, standingOf } from "./standing.ts";

export const inTime = (reports: readonly FirstReport[]): FirstReport[] =>
  [...reports].sort(earliestFirst);

const earliestFirst = ascending<FirstReport>(
  ({ at }) => at,
  ascending(({ task }) => task),
);

/**
 * Notes that an attempt has begun: its task is judged from its first report on, not only from the
 * next look on.
 */
export function expectReport(ctx: MantriContext, attempt: AttemptId): void {
  const { memory, view } = ctx;
  const { task } = view.attempt(attempt);
  const { phase } = view.task(task);
  const unreported = memory.looks.get(phase)?.unreported;
  if (unreported === undefined || !isInputWritten(view, phase)) return;
  const run = anotherRun(ctx, task);
  const at = run === undefined ? undefined : judgedFrom(ctx, task, run.periodMs);
  if (at === undefined || at <= view.now) return;
  const report = { task, at };
  const before = unreported.findLastIndex((other) => earliestFirst(other, report) < 0);
  unreported.splice(before + 1, 0, report);
  memory.firstReportAt = Math.min(memory.firstReportAt, report.at);
}

/**
 * Judges the tasks whose first report is due: a task that another run would help becomes a
 * candidate. COST: O(log candidates) for an attempt, and O(live phases) when any is due.
 */
export function judgeFirstReports(ctx: MantriContext): void {
  const { memory, view } = ctx;
  if (view.now < memory.firstReportAt) return;
  for (const look of memory.looks.values()) {
    for (const { task } of dueReports(look, view.now)) {
      const run = anotherRun(ctx, task);
      const standing = run === undefined ? undefined : standingOf(ctx, task, run);
      const candidate = standing === undefined ? undefined : candidateOf(ctx, standing);
      if (candidate !== undefined) addCandidate(look.candidates, candidate);
    }
  }
  setFirstReportAt(ctx);
}

function dueReports({ unreported }: MantriLook, now: Instant): readonly FirstReport[] {
  const later = unreported.findIndex(({ at }) => at > now);
  return unreported.splice(0, later < 0 ? unreported.length : later);
}

export function setFirstReportAt({ memory }: MantriContext): void {
  let at = Number.POSITIVE_INFINITY;
  for (const { unreported } of memory.looks.values()) at = Math.min(at, unreported[0]?.at ?? at);
  memory.firstReportAt = at;
}
