import { InputError } from "../base/input-error.ts";
import { type JobPart, phasesIn, queriesIn, sparkJobsIn } from "../history/job-parts.ts";
import type { TraceJob } from "../history/model.ts";

/** A part of a job as its user names it: by its number, a phase also by its name. */
export interface AskedPart {
  readonly kind: "query" | "job" | "stage";
  readonly called: string;
}

/** The part of the job that is called so; undefined if it has none. */
export function partCalled(job: TraceJob, { kind, called }: AskedPart): JobPart | undefined {
  const name = /^\d+$/.test(called) ? `${kind} ${called}` : called;
  return PARTS[kind](job).find((part) => part.name === name);
}

/** InputError that says what parts of the kind there are; if there are none, what else. */
export function refusePart(
  { kind, called }: AskedPart,
  jobs: readonly TraceJob[],
  place: string,
): never {
  const own = namesOf(jobs, kind);
  const others = ["query", "job", "stage"] as const;
  const instead = others.map((one) => namesOf(jobs, one)).find((names) => names.length > 0) ?? [];
  const has = own.length > 0 ? listed(own) : `no ${NOUNS[kind]}, but ${listed(instead)}`;
  throw new InputError("bad-flag", `--${kind} ${called}`, `${place} has ${has}`);
}

/** The jobs of Spark within these jobs, for a refusal; empty if there are none. */
export function sparkJobsText(jobs: readonly TraceJob[]): string {
  const names = namesOf(jobs, "job");
  return names.length === 0 ? "" : `, and in them ${listed(names)}`;
}

const PARTS = { query: queriesIn, job: sparkJobsIn, stage: phasesIn } as const;
const NOUNS = { query: "queries of SQL", job: "jobs of Spark", stage: "stages" } as const;
const SHOWN = 10;

const namesOf = (jobs: readonly TraceJob[], kind: AskedPart["kind"]): readonly string[] => [
  ...new Set(jobs.flatMap((job) => PARTS[kind](job).map(({ name }) => name))),
];

function listed(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return names.slice(0, SHOWN).join(", ") + more;
}
