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
export type { StepResult } from "./core.ts";
export { PoisonedError } from "./door/poisoned.ts";
export { type PullOptions, pull } from "./pull.ts";
export { createScheduler, type Scheduler, type SchedulerOptions } from "./scheduler.ts";
export { SETUP_DEFAULTS, type Setup } from "./setup.ts";
export type { WantedFacts } from "./wanted-facts.ts";
export { type UnmetWant, unmetWants } from "./wants.ts";
