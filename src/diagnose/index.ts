/** Which attempts of a job were late, why, in seconds. Runs in any JavaScript engine. */
import { checkJob } from "../trace/check-job.ts";
import { diagnose as unchecked } from "./why.ts";

export { CAUSES, type Cause } from "./cause.ts";
export { type Compare, compare, type RunFacts, type TaskChanges } from "./compare/compare.ts";
export type {
  CauseRow,
  CopiesRow,
  HintRow,
  IdleKind,
  IdlePlace,
  IdleRow,
  PartRow,
  PhaseFacts,
  SlotsRow,
  Why,
} from "./document.ts";
export type { NodeVerdict } from "./expect/node-effect.ts";
export type { AttemptRow, Evidence, JobFacts, NodeRow, PhaseRow } from "./findings.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export type { PhaseUse } from "./phase-use.ts";
export type { Blocked, Sized } from "./response/bounds.ts";
export { PARTS, type Part } from "./response/part.ts";
export type { Spell } from "./response/spell.ts";
export type { Contradiction } from "./schedule/contradiction.ts";
export type { DiagnoseOptions, Diagnosis } from "./why.ts";

/** Which attempts of the job were late, why, in seconds. InputError if the job is not sound. */
export const diagnose: typeof unchecked = (trace, job, options) => {
  checkJob(job);
  return unchecked(trace, job, options);
};
