import { InputError } from "../base/input-error.ts";
import type { Limits } from "../diagnose/limits.ts";
import { diagnose } from "../diagnose/why.ts";
import type { Trace, TraceJob } from "../trace/model.ts";

/** A job among others, by what it lost. Times in ms. */
export interface RankedJob {
  readonly history: string;
  readonly id: string;
  readonly name: string;
  readonly outcome: TraceJob["outcome"];
  readonly attempts: number;
  readonly responseMs: number;
  readonly lostMs: number;
}

/** A history that could not be read, or a job without anything to diagnose. */
export interface Unread {
  readonly history: string;
  readonly reason: string;
}

/**
 * The jobs of all histories, those that lost most time first. One history is in memory at a time;
 * a job that stands in several files counts once.
 */
export async function rankJobs(
  paths: readonly string[],
  read: (path: string) => Promise<Trace>,
  limits: Limits,
): Promise<{ readonly jobs: readonly RankedJob[]; readonly unread: readonly Unread[] }> {
  const jobs = new Map<string, RankedJob>();
  const unread: Unread[] = [];
  for (const history of paths) {
    try {
      const trace = await read(history);
      for (const job of trace.jobs) {
        const key = `${job.id} ${trace.originMs + job.submittedAt}`;
        if (jobs.has(key)) continue;
        const found = diagnose(trace, job, { limits, intervals: false, audit: false });
        if (found.kind === "why") jobs.set(key, rankedJob(history, job, found.why.lostMs));
        else unread.push({ history, reason: `${job.id}: ${reasonOf(found.kind)}` });
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      unread.push({ history, reason: error.message });
    }
  }
  const sorted = [...jobs.values()].sort((a, b) => Math.sign(b.lostMs - a.lostMs));
  return { jobs: sorted, unread };
}

function rankedJob(history: string, job: TraceJob, lostMs: number): RankedJob {
  const { id, name, outcome, submittedAt, endedAt, phases } = job;
  const attempts = phases.reduce((sum, phase) => sum + phase.attempts.length, 0);
  return { history, id, name, outcome, attempts, responseMs: endedAt - submittedAt, lostMs };
}

const reasonOf = (kind: "empty" | "contradiction"): string =>
  kind === "empty" ? "no attempt ran" : "the history contradicts itself";
