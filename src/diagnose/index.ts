/** Which attempts of a job were late, why, in seconds. Runs in any JavaScript engine. */
export { CAUSES, type Cause } from "./cause.ts";
export { type Compare, compare, type RunFacts, type TaskChanges } from "./compare/compare.ts";
export type {
  AttemptRow,
  CauseRow,
  CopiesRow,
  Evidence,
  HintRow,
  JobFacts,
  NodeRow,
  PhaseFacts,
  PhaseRow,
  Why,
} from "./document.ts";
export type { NodeVerdict } from "./expect/node-effect.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { type Contradiction, type DiagnoseOptions, type Diagnosis, diagnose } from "./why.ts";
