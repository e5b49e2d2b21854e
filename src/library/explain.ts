import { assert } from "../base/assert.ts";
import { InputError } from "../base/input-error.ts";
import { flag, object, optional, Place, positive, text, whole } from "../base/shape.ts";
import type { Why } from "../diagnose/document.ts";
import type { Limits } from "../diagnose/limits.ts";
import { type Units, unitsOf } from "../diagnose/units.ts";
import { type DiagnoseOptions, type Diagnosis, diagnose } from "../diagnose/why.ts";
import type { TraceJob } from "../history/model.ts";
import { asOption } from "../run/named-discipline.ts";
import { signal, texts } from "../run/options-shape.ts";
import { registryWith } from "../run/own-policies.ts";
import { type Documented, documented } from "./documents.ts";
import { type History, openHistory } from "./history.ts";
import { checkRan, jobOf, type Opened } from "./job-of-history.ts";
import { askedJob, partOptions } from "./part-options.ts";

/** The options of `why`; those of `broomwagon why`. */
export interface WhyOptions {
  /**
   * A job of the history, by its id or its name, or a job of Spark by its number. Default: the job
   * that lost most time.
   */
  readonly job?: string;
  /** A query of SQL in the job, by its number: only it is explained. */
  readonly query?: number;
  /** A stage of the job by its number, or a phase by its name: only it is explained. */
  readonly stage?: number | string;
  /** Limits of the diagnosis that differ from `DEFAULT_LIMITS`. */
  readonly limits?: Partial<Limits>;
  /** The length of the lists of attempts and of evidence. Default 5. */
  readonly top?: number;
  /** Whether intervals are computed, which takes most of the time. Default true. */
  readonly intervals?: boolean;
  /** Files of your own policies, which the journal of a run may need. */
  readonly policies?: string | readonly string[];
  /** Ends the reading of the history. */
  readonly signal?: AbortSignal;
}

/** What `why -o json` prints, too. Times in ms. */
export type WhyDocument = Documented<"why", WhyWithUnits>;

/** A diagnosis, and the queries and jobs of Spark that it is about. */
export interface WhyWithUnits extends Why, Units {}

/** The length of lists, where the user names none. */
export const TOP = 5;

const limits = object<Partial<Limits>>("the object of limits", {
  peersMin: optional(positive),
  fitMin: optional(positive),
  tMin: optional(positive),
  slowNodeMin: optional(positive),
  slowNodeLowMin: optional(positive),
  lastingTimesMin: optional(positive),
  lateAbove: optional(positive),
});

const whyOptions = object<WhyOptions>("the object of options", {
  job: optional(text),
  ...partOptions,
  limits: optional(limits),
  top: optional(whole({ min: 1 })),
  intervals: optional(flag),
  policies: optional(texts),
  signal: optional(signal),
});

/** The work of `why`, which see. */
export async function explain(history: History, options: WhyOptions): Promise<WhyDocument> {
  const asked = whyOptions.read(options, new Place("bad-flag", "why"));
  const { limits = {}, top = TOP, intervals = true, policies = [], signal } = asked;
  const registry = await registryWith([policies].flat());
  const reading = { registry, ...(signal !== undefined && { signal }) };
  const opened = await openHistory(history, { by: "why", ...reading });
  const job = asOption(() => jobOf(opened, { ...askedJob(asked), limits }));
  return documented("why", whyOf(opened, job, { limits, top, intervals }));
}

/** Options of a diagnosis of which only the causes count. */
export const QUICKLY = { intervals: false, audit: false } as const;

/** InputError if the history has nothing to explain, or contradicts itself. */
export function whyOf(opened: Opened, job: TraceJob, options: DiagnoseOptions): WhyWithUnits {
  const { why } = explained(opened, job, options);
  return { ...why, ...unitsOf(job, why) };
}

/** As `whyOf`, with what is known of every attempt. */
export function explained(
  { trace, place }: Opened,
  job: TraceJob,
  options: DiagnoseOptions,
): Extract<Diagnosis, { kind: "why" }> {
  const found = diagnose(trace, job, options);
  if (found.kind === "why") return found;
  checkRan([job], place);
  assert(found.kind === "contradiction", "a job whose attempts ran has a plan");
  const { attempt, offMs } = found.contradiction;
  const off = `comes out ${(offMs / 1_000).toFixed(3)} s off its recorded time`;
  throw new InputError("bad-input", place, `the history contradicts itself: ${attempt} ${off}`);
}
