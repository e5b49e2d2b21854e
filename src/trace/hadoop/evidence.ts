import type { LogEvidence, Missing } from "../../history/evidence.ts";
import type { TracePhase } from "../../history/model.ts";
import type { HadoopJob } from "./history.ts";

/** What the log is; undefined if there is nothing to say. */
export function evidenceOf(
  { outcome, foreign, contradicting }: HadoopJob,
  phases: readonly TracePhase[],
  reasons: readonly string[],
): LogEvidence | undefined {
  // Of a job that did not succeed, tasks may never have begun.
  const missing = outcome === "succeeded" ? phases.flatMap(missingOf) : [];
  const found: LogEvidence = {
    ...(missing.length > 0 && { missing }),
    ...(foreign > 0 && { foreign }),
    ...(contradicting > 0 && { contradicting }),
    ...(reasons.length > 0 && { reasons }),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}

function missingOf({ name, tasks, attempts }: TracePhase): readonly Missing[] {
  const count = tasks - new Set(attempts.task).size;
  return count > 0 ? [{ kind: "tasks", phase: name, count, of: tasks }] : [];
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
