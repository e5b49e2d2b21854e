export { ENGINE_EXPIRY_MS, RUN_DEFAULTS, type RunOptions } from "./options.ts";
export { run } from "./run.ts";
export type {
  AttemptEnd,
  AttemptRunEvent,
  DecisionEvent,
  NodeProgress,
  NodeStateEvent,
  PhaseProgress,
  RunEvent,
  RunStepEvent,
} from "./run-event.ts";
export {
  type AttemptFacts,
  type AttemptTotals,
  type Failure,
  type NodeFacts,
  type Part,
  type PhaseFacts,
  type RecomputeFacts,
  RunError,
  type RunResult,
  type SlowFacts,
} from "./run-result.ts";
