/**
 * The parts that most programs need: a job, and the engine that runs it. The other parts are
 * `broomwagon/sim`, `broomwagon/policies`, `broomwagon/core` and `broomwagon/journal`.
 */
export { type Running, resume, run } from "./hosts/engine/index.ts";
export * from "./job/index.ts";
export { parseDiscipline } from "./policy/discipline.ts";
export { type ResumeOptions, RUN_DEFAULTS, type RunJob, type RunOptions } from "./run/options.ts";
export type { RunEvent } from "./run/run-event.ts";
export { RunError, type RunResult } from "./run/run-result.ts";
