export { responseLowerBoundMs } from "./lower-bound.ts";
export { nodeNames } from "./node-names.ts";
export {
  makespanLowerBound,
  noSkewMakespan,
  type OraclePhase,
  type OracleRack,
  type OracleSlot,
  shuffleLowerBoundMs,
} from "./oracles.ts";
export { parseScenario } from "./parse-scenario.ts";
export type * from "./recorded/recorded-job.ts";
export {
  type RecordedRun,
  type RunAttempt,
  type RunRecordedOptions,
  runRecorded,
} from "./recorded/run-recorded.ts";
export type { SimulationResult } from "./result.ts";
export { rowScenario } from "./row-scenario.ts";
export type * from "./scenario.ts";
export { type Oracle, SEEDS_MAX } from "./scenario.ts";
export { type ScenarioOptions, type SimulationOptions, simulateOnce } from "./simulate-once.ts";
export {
  meanResponseMs,
  type Resolve,
  type RunFigures,
  runStudy,
  Study,
  type StudyFaultMissed,
  type StudyOptions,
  type StudyRow,
  type StudyRun,
  type StudyUnit,
  studyLowerBoundMs,
} from "./study.ts";
export type { AttemptCounts, JobResult } from "./tally.ts";
