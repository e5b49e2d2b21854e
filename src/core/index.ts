export { InputError } from "../base/input-error.ts";
export type { AttemptEnd, Fact } from "../model/fact.ts";
export {
  attemptId,
  instant,
  jobId,
  nodeId,
  phaseId,
  rackId,
  requestId,
  slotKind,
  taskId,
} from "../model/ids.ts";
export type { StepResult } from "./loop/core.ts";
export { type PullOptions, pull } from "./loop/pull.ts";
export type { WantedFacts } from "./loop/wanted-facts.ts";
export { createScheduler, type Scheduler, type SchedulerOptions } from "./scheduler.ts";
export { SETUP_DEFAULTS, type Setup } from "./state/setup.ts";
export { PoisonedError } from "./validate/poisoned.ts";
export { type UnmetWant, unmetWants } from "./wants.ts";
