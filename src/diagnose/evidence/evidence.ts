import { cell } from "../../base/rows.ts";
import type { TraceEnd } from "../../history/columns.ts";
import { isWhole, type LogEvidence } from "../../history/evidence.ts";
import { attemptsOf, endOf, kindOf, type Plan, ROLE } from "../schedule/planned.ts";

/** What the log is: what its reader noted, and what its attempts show. */
export interface EvidenceRow extends Omit<LogEvidence, "reasons"> {
  /** Whether nothing is missing: else no cause is certain. */
  readonly isWhole: boolean;
  /** Whether the log ends before its job does, as far as it says: what comes later is not in it. */
  readonly isCutOff: boolean;
  /** Attempts without a result, by phase and reason; the most frequent first. */
  readonly failures: readonly Failure[];
  /** Tasks of a job that did not succeed that no attempt began. */
  readonly neverBegan: readonly TaskCount[];
  /** Attempts that ended with their job: nobody ran them again. */
  readonly endedWithJob: readonly AttemptCount[];
}

export interface Failure {
  readonly phase: string;
  readonly ended: TraceEnd;
  readonly count: number;
  /** In the system's words; empty if the log has none. */
  readonly reason: string;
}

export interface TaskCount {
  readonly phase: string;
  readonly count: number;
  readonly of: number;
}

export interface AttemptCount {
  readonly phase: string;
  readonly count: number;
}

/** undefined if there is nothing to say: a whole log of a job in which nothing failed. */
export function evidenceOf(plan: Plan): EvidenceRow | undefined {
  const { reasons = [], ...noted } = plan.job.evidence ?? {};
  const failures = failuresOf(plan, reasons);
  const neverBegan = neverBegun(plan);
  const endedWithJob = killedLast(plan);
  const isSilent = Object.keys(noted).length === 0;
  if (isSilent && failures.length + neverBegan.length + endedWithJob.length === 0) return undefined;
  // A log that shows kills at its end shows the end of its job, although it does not name it.
  const isCutOff = plan.job.outcome === "cut-off" && endedWithJob.length === 0;
  const ends = { failures, neverBegan, endedWithJob };
  return { ...noted, isWhole: isWhole(noted), isCutOff, ...ends };
}

/** Where the log has holes, a cause may be nothing. */
export const uncertain = <T extends { readonly lowMs: number; readonly highMs: number }>(
  bound: T,
): T => ({
  ...bound,
  lowMs: Math.min(0, bound.lowMs),
  highMs: Math.max(0, bound.highMs),
});

function failuresOf(plan: Plan, reasons: readonly string[]): readonly Failure[] {
  const found = new Map<string, { -readonly [Key in keyof Failure]: Failure[Key] }>();
  for (let i = 0; i < plan.count; i++) {
    const ended = endOf(plan, i);
    const isCopy = ended === "killed" && kindOf(plan, i) === "speculative";
    if (plan.role[i] !== ROLE.fails || ended === "succeeded" || isCopy) continue;
    const phase = cell(plan.job.phases[cell(plan.phase[i])]).name;
    const reason = reasons[cell(attemptsOf(plan, i).reason[cell(plan.row[i])])] ?? "";
    const key = JSON.stringify([phase, ended, reason]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { phase, ended, count: 1, reason });
    else known.count += 1;
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function neverBegun({ job }: Plan): readonly TaskCount[] {
  if (job.outcome === "succeeded") return [];
  const missing = job.evidence?.missing ?? [];
  return job.phases.flatMap(({ name, tasks, attempts }) => {
    const lacked = missing.reduce(
      (sum, one) => (one.kind === "tasks" && one.phase === name ? sum + one.count : sum),
      0,
    );
    const count = tasks - new Set(attempts.task).size - lacked;
    return count > 0 ? [{ phase: name, count, of: tasks }] : [];
  });
}

function killedLast(plan: Plan): readonly AttemptCount[] {
  const counts = plan.job.phases.map(() => 0);
  for (let i = 0; i < plan.count; i++) {
    const isLast = plan.role[i] === ROLE.finishes && plan.lostRace[i] === 0;
    if (!isLast || endOf(plan, i) !== "killed") continue;
    const phase = cell(plan.phase[i]);
    counts[phase] = cell(counts[phase]) + 1;
  }
  return counts.flatMap((count, phase) =>
    count === 0 ? [] : [{ phase: cell(plan.job.phases[phase]).name, count }],
  );
}
