import type { LogEvidence, Missing } from "../../history/evidence.ts";
import type { TracePhase } from "../../history/model.ts";
import { numberOf } from "./attempts.ts";
import type { HadoopJob, HadoopTask } from "./history.ts";

/** What the log is; undefined if there is nothing to say. `gap`: of `gapIn`. */
export function evidenceOf(
  job: HadoopJob,
  phases: readonly TracePhase[],
  found: { readonly reasons: readonly string[]; readonly gap: number; readonly unread: number },
): LogEvidence | undefined {
  const { foreign, contradicting } = job;
  const { reasons, gap, unread } = found;
  const missing = [
    ...(submissionOf(job) === undefined ? [{ kind: "beginning" } as const] : []),
    ...phases.flatMap((phase) => missingOf(job, phase)),
    ...(gap > 0 ? [{ kind: "attempts", count: gap } as const] : []),
  ];
  const evidence: LogEvidence = {
    ...(missing.length > 0 && { missing }),
    ...(unread > 0 && { unread }),
    ...(foreign > 0 && { foreign }),
    ...(contradicting > 0 && { contradicting }),
    ...(reasons.length > 0 && { reasons }),
  };
  return Object.keys(evidence).length === 0 ? undefined : evidence;
}

export const submissionOf = (job: HadoopJob): number | undefined =>
  job.submittedAt ?? job.launchedAt;

function missingOf(job: HadoopJob, { name, kind, tasks, attempts }: TracePhase): Missing[] {
  // Of a job that did not succeed, tasks may never have begun.
  const count = job.outcome === "succeeded" ? tasks - new Set(attempts.task).size : 0;
  const own = [...job.tasks.values()].filter((task) => task.kind === kind);
  const open = own.filter((task) => isEndLacking(job, task)).length;
  return [
    ...(count > 0 ? [{ kind: "tasks", phase: name, count, of: tasks } as const] : []),
    ...(open > 0 ? [{ kind: "ends", phase: name, count: open, of: tasks } as const] : []),
  ];
}

/** Whether an attempt must have ended whose end the log lacks. */
function isEndLacking(job: HadoopJob, { ended, attempts }: HadoopTask): boolean {
  const all = [...attempts.values()];
  if (all.length === 0) return false;
  if (all.some((one) => one.ended !== undefined && one.finishedAt === undefined)) return true;
  const isDone = ended === "succeeded" || (ended === undefined && job.outcome === "succeeded");
  return isDone && !all.some((one) => one.ended === "succeeded");
}

/** After a restart of the master, or of the JobTracker, numbers of attempts begin anew here. */
const PER_RESTART = 1_000;

/**
 * The number of attempts that the log does not show: Hadoop numbers those of a task from 0. Before
 * attempts are left out.
 */
export function gapIn({ tasks }: HadoopJob): number {
  let gap = 0;
  for (const { attempts } of tasks.values()) {
    const most = new Map<number, number>();
    for (const number of [...attempts.values()].map(numberOf)) {
      const restart = Math.floor(number / PER_RESTART);
      most.set(restart, Math.max(most.get(restart) ?? 0, (number % PER_RESTART) + 1));
    }
    const began = [...most.values()].reduce((sum, count) => sum + count, 0);
    gap += began - attempts.size;
  }
  return gap;
}

/** The clocks of one cluster differ by less. */
const CLOCKS_MS = 60_000;

/** Leaves attempts out that began before their job was submitted, or after it had ended. */
export function leaveOutContradicting(job: HadoopJob): void {
  const from = (job.submittedAt ?? Number.NEGATIVE_INFINITY) - CLOCKS_MS;
  const to = (job.finishedAt ?? Number.POSITIVE_INFINITY) + CLOCKS_MS;
  for (const { attempts } of job.tasks.values()) {
    for (const [id, { startedAt = from, finishedAt = startedAt }] of attempts) {
      if (startedAt >= from && startedAt <= to && finishedAt >= startedAt - CLOCKS_MS) continue;
      attempts.delete(id);
      job.contradicting += 1;
    }
  }
}
