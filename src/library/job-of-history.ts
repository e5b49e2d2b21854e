import { InputError } from "../base/input-error.ts";
import { oneLine } from "../base/printable.ts";
import type { Limits } from "../diagnose/limits.ts";
import { diagnose } from "../diagnose/why.ts";
import type { Trace, TraceJob } from "../history/model.ts";
import { partAsJob } from "../history/part-as-job.ts";
import { type AskedPart, partCalled, refusePart, sparkJobsText } from "./asked-part.ts";

/** A history that was opened. */
export interface Opened {
  readonly trace: Trace;
  /** The history's name in errors. */
  readonly place: string;
}

/** Which job of a history a user asks for, or which part of one. */
export interface AskedJob {
  /** Its id, or its name; or the number of a job of Spark. */
  readonly id?: string | undefined;
  /** The number of a query of SQL in it. */
  readonly query?: string | undefined;
  /** The number of a stage in it, or the name of a phase. */
  readonly stage?: string | undefined;
}

interface Asked extends AskedJob {
  /** Default: those of the diagnosis. */
  readonly limits?: Partial<Limits>;
}

/**
 * The job that every command means: of this id or else of this name, and of several the one that
 * lost most; or the part of it that is asked for, as a job. COST: one diagnosis for each of several
 * jobs.
 */
export function jobOf({ trace, place }: Opened, asked: Asked = {}): TraceJob {
  const { id, limits = {} } = asked;
  const { jobs } = trace;
  const named = id === undefined ? jobs : jobsCalled(id, jobs);
  const part = partAsked(asked, named);
  // A job of Spark is named as any job is.
  const among = part?.kind === "job" ? jobs : named;
  const having = part === undefined ? among : among.filter((job) => partCalled(job, part));
  const chosen = thatLostMost(trace, having, limits);
  if (chosen !== undefined) {
    const own = part && partCalled(chosen, part);
    const job = own === undefined ? chosen : partAsJob(chosen, own);
    checkRan([job], place);
    return job;
  }
  if (part !== undefined && among.length > 0 && part.kind !== "job") refusePart(part, among, place);
  if (id === undefined) throw new InputError("bad-input", place, "expected at least one job");
  const known = jobs.slice(0, 10).map((job) => job.id);
  const has = `has the jobs ${known.join(", ")}${sparkJobsText(jobs)}`;
  throw new InputError("bad-flag", `--job ${id}`, `${place} ${has}`);
}

function partAsked(
  { id, query, stage }: AskedJob,
  named: readonly TraceJob[],
): AskedPart | undefined {
  if (query !== undefined && stage !== undefined) {
    throw new InputError("bad-flag", `--stage ${stage}`, "expected no --query beside it");
  }
  if (query !== undefined) return { kind: "query", called: query };
  if (stage !== undefined) return { kind: "stage", called: stage };
  return id !== undefined && named.length === 0 ? { kind: "job", called: id } : undefined;
}

/** The job of another history that a job is compared with: of the same name, or as `jobOf`. */
export function twinOf({ name, part }: TraceJob, opened: Opened): TraceJob {
  const hasTwin = opened.trace.jobs.some((job) => job.name === name);
  const twin = jobOf(opened, hasTwin ? { id: name } : {});
  if (part === undefined) return twin;
  const [kind = ""] = part.name.split(" ");
  const asked: AskedPart = {
    kind: kind === "query" || kind === "job" ? kind : "stage",
    called: part.name,
  };
  const own = partCalled(twin, asked) ?? refusePart(asked, [twin], opened.place);
  return partAsJob(twin, own);
}

/** InputError if no attempt of these jobs ran. */
export function checkRan(jobs: readonly TraceJob[], place: string): void {
  if (jobs.some(({ phases }) => phases.some(({ attempts }) => attempts.length > 0))) return;
  const ids = jobs.slice(0, 10).map(({ id, part }) => (part ? `${part.name} of ${id}` : id));
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
