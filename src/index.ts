/**
 * What programs call: a run on this machine, and answers about runs that have ended. Each function
 * takes one subject and one object of options, and returns a promise. The parts that they are made
 * of are `broomwagon/engine`, `broomwagon/trace`, `broomwagon/diagnose`, `broomwagon/whatif`,
 * `broomwagon/sim`, `broomwagon/policies`, `broomwagon/core` and `broomwagon/journal`.
 */
export { InputError, type InputErrorCode } from "./base/input-error.ts";
export { resume, run } from "./hosts/engine/run.ts";
export type { Running } from "./hosts/engine/running.ts";
export * from "./job/index.ts";
export type { WhyDocument, WhyOptions } from "./library/explain.ts";
export type { History } from "./library/history.ts";
export { simulate } from "./library/simulate.ts";
export type { ScenarioSource, SimulateDocument, SimulateOptions } from "./library/study.ts";
export type { WhatIfDocument, WhatIfOptions } from "./library/try-on.ts";
export { whatIf } from "./library/what-if.ts";
export { why } from "./library/why.ts";
export { type ResumeOptions, RUN_DEFAULTS, type RunJob, type RunOptions } from "./run/options.ts";
export type { RunEvent } from "./run/run-event.ts";
export { RunError, type RunResult } from "./run/run-result.ts";
