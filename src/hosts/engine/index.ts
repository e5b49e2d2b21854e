export {
  type BadRecord,
  type BadRecordCount,
  type BadRecordsMax,
  type OnBadRecord,
  quotedText,
} from "../../data/formats/malformed.ts";
export type { OutputChange } from "../../data/formats/output-change.ts";
export {
  ENGINE_EXPIRY_MS,
  MEMORY_BYTES_MIN,
  REDUCES_MAX,
  type ResumeOptions,
  RUN_DEFAULTS,
  type RunJob,
  type RunOptions,
} from "../../run/options.ts";
export { rackNames } from "../../run/racks.ts";
export { isUnderWay, keep, passWithThisProcess } from "../../run/run-directory.ts";
export type {
  AwaitedTask,
  HostEvent,
  NamedEnd,
  NamedFact,
  NodeProgress,
  PhaseProgress,
  RunEvent,
  RunStepEvent,
  Wait,
} from "../../run/run-event.ts";
export {
  type AttemptFacts,
  type AttemptTotals,
  type CopyFacts,
  type Failure,
  type MemoryFacts,
  type NodeFacts,
  type Part,
  type PhaseFacts,
  type RecomputeFacts,
  RunError,
  type RunResult,
  type Skew,
  type SlowFacts,
} from "../../run/run-result.ts";
export { printedIn } from "./collected.ts";
export { engineDiscipline } from "./engine-discipline.ts";
export { checkFault, type Fail, type FaultTargets } from "./master/check-fault.ts";
export { resume, run } from "./run.ts";
export type { Running } from "./running.ts";
export { ask } from "./serve/client.ts";
export { poolsParameter, readPoolsFile, watchPoolsFile } from "./serve/pools-file.ts";
export { SocketServer } from "./serve/server.ts";
export { type JobOptions, type JobRow, Service, type ServiceOptions } from "./serve/service.ts";
export { prepareSocket, SOCKET, socketPath } from "./serve/socket-path.ts";
