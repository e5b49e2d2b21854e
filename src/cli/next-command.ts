import type { TraceJob } from "../history/model.ts";
import type { Opened } from "../library/job-of-history.ts";
import type { Registry } from "../policy/registry.ts";
import { prospectOf } from "../whatif/prospect.ts";

/** What the diagnosed job was read from. */
export interface Diagnosed {
  readonly opened: Opened;
  readonly job: TraceJob;
  readonly lostMs: number;
  readonly registry: Registry;
  /** The files of `--policies`. */
  readonly policies: readonly string[];
}

/** Less than this share of the response is not worth a what-if. */
const LITTLE = 0.01;
/** A what-if of more attempts takes many minutes, and the look whether it can answer seconds. */
const ATTEMPTS_MAX = 20_000;

/**
 * The command after `why`: a what-if where it can answer and there is time to gain, which also
 * advises on settings if the system has any; or else the page of the job.
 */
export function nextCommand({ opened, job, lostMs, registry, policies }: Diagnosed): string {
  const { trace, place: path } = opened;
  const { source } = trace;
  const isLate = lostMs > LITTLE * (job.endedAt - job.submittedAt);
  const attempts = job.phases.reduce((sum, phase) => sum + phase.attempts.length, 0);
  const isWorth = isLate && attempts <= ATTEMPTS_MAX;
  const prospect = isWorth ? prospectOf(job, { source, registry }) : "nothing";
  const words = [
    ...(prospect === "nothing" ? ["report", path] : ["whatif", path]),
    ...(trace.jobs.length > 1 ? ["--job", job.id] : []),
    ...policies.flatMap((file) => ["--policies", file]),
    ...(prospect === "settings" ? ["--advise"] : []),
  ];
  const start = path === "-" ? "... | npx broomwagon" : "npx broomwagon";
  return `${start} ${words.map(quoted).join(" ")}`;
}

/** A word as a shell reads it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
