import { InputError } from "../../base/input-error.ts";
import type { Note, Trace, TraceFormat, TraceJob } from "../model.ts";
import { correctClocks } from "./clocks.ts";
import type { HadoopJob } from "./history.ts";
import { hadoopTraceJob } from "./to-trace.ts";

/**
 * The trace of jobs whose trackers stamped their attempts with their own clocks. The same job may
 * come several times: its last copy counts. Throws an InputError if no job has attempts.
 */
export function trackerTrace(
  jobs: Iterable<HadoopJob>,
  { format, place, notes }: { format: TraceFormat; place: string; notes: readonly Note[] },
): Trace {
  const all = new Map<string, HadoopJob>();
  let repeated = 0;
  for (const job of jobs) {
    const key = `${job.id} ${job.submittedAt}`;
    if (all.has(key)) repeated += 1;
    all.set(key, job);
  }
  const times = [...all.values()].flatMap(({ submittedAt, launchedAt }) => {
    const at = submittedAt ?? launchedAt;
    return at === undefined ? [] : [at];
  });
  const originMs = times.length === 0 ? 0 : times.reduce((a, b) => Math.min(a, b));
  const found: Note[] = [...notes];
  const traced: TraceJob[] = [];
  let empty = 0;
  for (const job of all.values()) {
    found.push(...correctClocks(job));
    const made = hadoopTraceJob(job, originMs, "hadoop");
    if (made === undefined) {
      empty += 1;
      continue;
    }
    found.push(...made.notes);
    traced.push(made.job);
  }
  if (repeated > 0) found.push({ kind: "duplicate", text: `${repeated} jobs came twice` });
  if (empty > 0) found.push({ kind: "dropped", text: `${empty} jobs have no attempts that began` });
  if (traced.length === 0) {
    throw new InputError("bad-input", place, "expected a job with attempts that began");
  }
  traced.sort((a, b) => Math.sign(a.submittedAt - b.submittedAt));
  return { source: { format, files: [place] }, originMs, jobs: traced, notes: found };
}
