export type { Distribution } from "../base/distribution.ts";
export { InputError } from "../base/input-error.ts";
export type * from "../model/action.ts";
export type * from "../model/attempt.ts";
export { byPriority } from "../model/by-priority.ts";
export type * from "../model/cluster.ts";
export type * from "../model/event.ts";
export type * from "../model/ids.ts";
export type * from "../model/job.ts";
export type * from "../model/progress.ts";
export { soleAttempt } from "../model/sole-attempt.ts";
export type * from "../model/view.ts";
export type * from "../model/why.ts";
export { type FixedExpiryParams, fixedExpiry } from "./detection/fixed-expiry.ts";
export {
  parseDiscipline,
  restoreDiscipline,
  SEATS,
  type Seat,
} from "./discipline.ts";
export { type PhaseAwareParams, phaseAware } from "./estimate/phase-aware.ts";
export { type ProgressRateParams, progressRate } from "./estimate/progress-rate.ts";
export { hadoopOrder } from "./order/hadoop.ts";
export { type Parameter, parametersOf } from "./parameters.ts";
export * from "./policy.ts";
export { refuse } from "./refuse.ts";
export { type NamedDiscipline, REGISTRY, type Registry, type Row } from "./registry.ts";
export { type FifoParams, fifo, fifoPlain } from "./sharing/fifo.ts";
export { type HadoopParams, hadoop, hadoopPaper } from "./speculation/hadoop.ts";
export { type LateParams, late } from "./speculation/late.ts";
export { type Late021Params, late021 } from "./speculation/late-0.21.ts";
export { none } from "./speculation/none.ts";
