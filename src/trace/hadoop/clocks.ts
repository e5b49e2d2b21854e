import type { Note } from "../model.ts";
import type { HadoopAttempt, HadoopJob } from "./history.ts";

/**
 * In Hadoop 0.20 and 1.x each task tracker stamps its attempts with its own clock, up to minutes
 * off the job tracker's, which stamps the tasks. An attempt lies within its task's times: of the
 * shifts of a host's clock that make it so for all attempts of the job, the smallest is taken.
 */
export function correctClocks(job: HadoopJob): readonly Note[] {
  const bounds = new Map<string, { low: number; high: number; attempts: HadoopAttempt[] }>();
  for (const task of job.tasks.values()) {
    for (const attempt of task.attempts.values()) {
      const { host, startedAt, finishedAt, ended } = attempt;
      if (host === undefined) continue;
      const found = bounds.get(host) ?? {
        low: Number.NEGATIVE_INFINITY,
        high: Number.POSITIVE_INFINITY,
        attempts: [],
      };
      bounds.set(host, found);
      found.attempts.push(attempt);
      if (task.startedAt !== undefined && startedAt !== undefined) {
        found.low = Math.max(found.low, task.startedAt - startedAt);
      }
      // A killed attempt may end after its task was done by another.
      const isWhole = ended === "succeeded" && finishedAt !== undefined;
      if (isWhole && task.finishedAt !== undefined) {
        found.high = Math.min(found.high, task.finishedAt - finishedAt);
      }
    }
  }
  let hosts = 0;
  let most = 0;
  for (const { low, high, attempts } of bounds.values()) {
    const shift = low > 0 ? low : high < 0 ? Math.max(high, low) : 0;
    if (shift === 0) continue;
    hosts += 1;
    most = Math.max(most, Math.abs(shift));
    for (const attempt of attempts) move(attempt, shift);
  }
  if (hosts === 0) return [];
  const clocks = hosts === 1 ? "1 tracker's clock was" : `${hosts} trackers' clocks were`;
  const text = `${job.id}: ${clocks} corrected by up to ${Math.round(most / 1_000)} s`;
  return [{ kind: "clocks", text }];
}

function move(attempt: HadoopAttempt, ms: number): void {
  const by = (at: number | undefined): number | undefined => (at === undefined ? at : at + ms);
  attempt.startedAt = by(attempt.startedAt);
  attempt.finishedAt = by(attempt.finishedAt);
  attempt.shuffleEndAt = by(attempt.shuffleEndAt);
  attempt.sortEndAt = by(attempt.sortEndAt);
}
