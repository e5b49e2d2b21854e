import { InputError } from "../base/input-error.ts";
import {
  flag,
  given,
  number,
  object,
  optional,
  Place,
  type Shape,
  text,
  whole,
} from "../base/shape.ts";
import { asOption, setsOf } from "../run/named-discipline.ts";
import { signal, texts, values } from "../run/options-shape.ts";
import { registryWith } from "../run/own-policies.ts";
import type { WhatIf } from "../whatif/document.ts";
import { sampleOf } from "../whatif/sample.ts";
import { trialsOf } from "../whatif/trial.ts";
import { tryPolicies } from "../whatif/try-policies.ts";
import { type Documented, documented } from "./documents.ts";
import { type History, openHistory } from "./history.ts";
import { jobOf, twinOf } from "./job-of-history.ts";
import { askedJob, partOptions } from "./part-options.ts";

/** The options of `whatIf`; those of `broomwagon whatif`. */
export interface WhatIfOptions {
  /**
   * A job of the history, by its id or its name, or a job of Spark by its number. Default: the job
   * that lost most time.
   */
  readonly job?: string;
  /** A query of SQL in the job, by its number: only it runs again. */
  readonly query?: number;
  /** A stage of the job by its number, or a phase by its name: only it runs again. */
  readonly stage?: number | string;
  /** Disciplines to try. Default: none, late, yarn, spark-4 and mantri. */
  readonly try?: string | readonly string[];
  /** Parameters of those disciplines that have them: `{ "speculation.runtimeMsMin": 10_000 }`. */
  readonly set?: Readonly<Record<string, string | number | boolean>>;
  /** Paired runs for each discipline, 2 or more. Default 20; 10 above 5,000 attempts. */
  readonly seeds?: number;
  /** The part of bad luck that copies share, 0 to 1. Default: estimated. */
  readonly rho?: number;
  /** A second run of the job, which tells that part. */
  readonly again?: History;
  /** The job on a cluster of this many nodes. Default: the recorded one. */
  readonly nodes?: number;
  /** The job with this many slots a node. Default: the recorded number. */
  readonly slots?: number;
  /** Whether settings of the system that ran the job are tried, to advise one. Default false. */
  readonly advise?: boolean;
  /** Whether to answer although the simulator does not reproduce the record. Default false. */
  readonly anyway?: boolean;
  /** Files of your own policies, which may be tried. */
  readonly policies?: string | readonly string[];
  /** Ends the reading of the history. */
  readonly signal?: AbortSignal;
  /** Called after each simulated run, with the runs so far and an estimate of all. */
  readonly onRun?: (done: number, all: number) => void;
}

/** What `whatif -o json` prints, too. Times in ms. */
export type WhatIfDocument = Documented<"whatif", WhatIf>;

/** The disciplines that are tried, where the user names none. */
export const TRIED: readonly string[] = ["none", "late", "yarn", "spark-4", "mantri"];

/** Checked as it is opened. */
const anyHistory: Shape<History> = given("a history", (value): value is History => value !== null);

const whatIfOptions = object<WhatIfOptions>("the object of options", {
  job: optional(text),
  ...partOptions,
  try: optional(texts),
  set: optional(values),
  seeds: optional(whole({ min: 2 })),
  rho: optional(number({ min: 0, max: 1 })),
  again: optional(anyHistory),
  nodes: optional(whole({ min: 1, max: 10_000 })),
  slots: optional(whole({ min: 1, max: 1_000 })),
  advise: optional(flag),
  anyway: optional(flag),
  policies: optional(texts),
  signal: optional(signal),
  onRun: optional(
    given("a function", (value): value is NonNullable<WhatIfOptions["onRun"]> => {
      return typeof value === "function";
    }),
  ),
});

/** The work of `whatIf`, which see. */
export async function tryOn(history: History, options: WhatIfOptions): Promise<WhatIfDocument> {
  const asked = whatIfOptions.read(options, new Place("bad-flag", "whatIf"));
  const { again, advise = false, anyway = false, rho, nodes, slots, onRun } = asked;
  const size = { ...(nodes !== undefined && { nodes }), ...(slots !== undefined && { slots }) };
  const isResized = Object.keys(size).length > 0;
  if (advise && isResized) {
    const expected = "expected no nodes and slots beside it: advice is for the recorded cluster";
    throw new InputError("bad-flag", "whatIf: advise", expected);
  }
  const registry = await registryWith([asked.policies ?? []].flat());
  // An unknown name is refused before a history is read.
  const names = [asked.try ?? TRIED].flat();
  const policies = asOption(() => trialsOf(names, setsOf(asked.set), registry));
  const reading = { by: "whatIf", registry, ...(asked.signal && { signal: asked.signal }) };
  const opened = await openHistory(history, reading);
  const { source } = opened.trace;
  const job = asOption(() => jobOf(opened, askedJob(asked)));
  const second = again === undefined ? undefined : await openHistory(again, reading);
  const found = tryPolicies(job, {
    ...{ policies, registry, source, advise, anyway, sampler: sampleOf },
    ...(asked.seeds !== undefined && { seeds: asked.seeds }),
    ...(rho !== undefined && { rho }),
    ...(second !== undefined && { again: twinOf(job, second) }),
    ...(isResized && { size }),
    ...(onRun !== undefined && { onRun }),
  });
  return documented("whatif", found);
}
