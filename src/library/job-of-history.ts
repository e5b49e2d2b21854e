import { InputError } from "../base/input-error.ts";
import { oneLine } from "../base/printable.ts";
import type { Limits } from "../diagnose/limits.ts";
import { diagnose } from "../diagnose/why.ts";
import type { Trace, TraceJob } from "../history/model.ts";

/** A history that was opened. */
export interface Opened {
  readonly trace: Trace;
  /** The history's name in errors. */
  readonly place: string;
}

interface Asked {
  /** Its id, or its name. */
  readonly id?: string | undefined;
  /** Default: those of the diagnosis. */
  readonly limits?: Partial<Limits>;
}

/**
 * The job that every command means: of this id or else of this name, and of several the one that
 * lost most. COST: one diagnosis for each of several jobs.
 */
export function jobOf({ trace, place }: Opened, { id, limits = {} }: Asked = {}): TraceJob {
  const { jobs } = trace;
  const asked = id === undefined ? jobs : jobsCalled(id, jobs);
  const chosen = thatLostMost(trace, asked, limits);
  if (chosen !== undefined) {
    checkRan([chosen], place);
    return chosen;
  }
  if (id === undefined) throw new InputError("bad-input", place, "expected at least one job");
  const known = jobs.slice(0, 10).map((job) => job.id);
  throw new InputError("bad-flag", `--job ${id}`, `${place} has the jobs ${known.join(", ")}`);
}

/** The job of another history that a job is compared with: of the same name, or as `jobOf`. */
export function twinOf({ name }: TraceJob, opened: Opened): TraceJob {
  const hasTwin = opened.trace.jobs.some((job) => job.name === name);
  return jobOf(opened, hasTwin ? { id: name } : {});
}

/** InputError if no attempt of these jobs ran. */
export function checkRan(jobs: readonly TraceJob[], place: string): void {
  if (jobs.some(({ phases }) => phases.some(({ attempts }) => attempts.length > 0))) return;
  const ids = jobs.slice(0, 10).map(({ id }) => id);
  const found = `${ids.join(", ")} ${ids.length === 1 ? "has" : "have"} none`;
  const held = jobs.map(stagesAlone).filter(Boolean).slice(0, 1);
  const expected = ["expected attempts that ran; ", found, ...held].join("");
  throw new InputError("bad-input", place, expected);
}

/** What a log without attempts holds instead, where it tells. */
function stagesAlone({ evidence }: TraceJob): string {
  const missing = (evidence?.missing ?? []).flatMap((one) => (one.kind === "tasks" ? [one] : []));
  if (missing.length === 0) return "";
  const tasks = missing.reduce((sum, { count }) => sum + count, 0);
  const stages = `${missing.length} ${missing.length === 1 ? "stage" : "stages"}`;
  const has = "SparkListenerTaskEnd has the times of tasks";
  return `, only ${stages} of ${tasks} tasks without their events: ${has}`;
}

function jobsCalled(called: string, jobs: readonly TraceJob[]): readonly TraceJob[] {
  // Names of a trace are visible ones.
  const wanted = oneLine(called);
  const ofId = jobs.find(({ id }) => id === wanted);
  return ofId === undefined ? jobs.filter(({ name }) => name === wanted) : [ofId];
}

function thatLostMost(
  trace: Trace,
  jobs: readonly TraceJob[],
  limits: Partial<Limits>,
): TraceJob | undefined {
  if (jobs.length < 2) return jobs[0];
  const lost = (job: TraceJob): number => {
    const found = diagnose(trace, job, { limits, intervals: false, audit: false });
    return found.kind === "why" ? found.why.delayMs : Number.NEGATIVE_INFINITY;
  };
  const losses = jobs.map((job) => ({ job, delayMs: lost(job) }));
  return losses.reduce((a, b) => (b.delayMs > a.delayMs ? b : a)).job;
}
