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
export { type CopyOutputsParams, copyOutputs } from "./data/copy-outputs.ts";
export { type MantriPlacementParams, mantriPlacement } from "./data/mantri-placement.ts";
export type { MantriProtectParams } from "./data/mantri-protect/params.ts";
export { mantriProtect } from "./data/mantri-protect.ts";
export { type AdaptiveExpiryParams, adaptiveExpiry } from "./detection/adaptive-expiry.ts";
export { type FixedExpiryParams, fixedExpiry } from "./detection/fixed-expiry.ts";
export { parseDiscipline, restoreDiscipline } from "./discipline.ts";
export { type MantriEstimateParams, mantriEstimate } from "./estimate/mantri.ts";
export { type PhaseAwareParams, phaseAware } from "./estimate/phase-aware.ts";
export { type ProgressRateParams, progressRate, rateAlone } from "./estimate/progress-rate.ts";
export {
  type ExponentialParams,
  yarnExponential,
  yarnExponentialTime,
} from "./estimate/yarn/exponential.ts";
export { yarnLegacy } from "./estimate/yarn/legacy.ts";
export {
  type SimpleExponentialParams,
  yarnSimpleExponential,
} from "./estimate/yarn/simple-exponential.ts";
export type { BaseParams, SmoothedParams } from "./estimate/yarn/start-end-times.ts";
export { hadoopOrder } from "./order/hadoop.ts";
export { largestFirst } from "./order/largest-first.ts";
export { type LocalFailedFirstParams, localFailedFirst } from "./order/local-failed-first.ts";
export type { LocalPreemptParams } from "./order/local-preempt/params.ts";
export { localPreempt } from "./order/local-preempt.ts";
export { type YarnOrderParams, yarnOrder } from "./order/yarn.ts";
export {
  definePolicies,
  type OwnDiscipline,
  type OwnFile,
  type OwnPolicies,
  type OwnRow,
  withOwnPolicies,
} from "./own-policies.ts";
export { type Parameter, parametersOf } from "./parameters.ts";
export { type Declared, type Param, type ParamsOf, params, withDefaults } from "./params.ts";
export * from "./policy.ts";
export { refuse } from "./refuse.ts";
export { type NamedDiscipline, REGISTRY, type Registry, type Row } from "./registry.ts";
export type { CapacityParams } from "./sharing/capacity/params.ts";
export { capacity } from "./sharing/capacity.ts";
export type { FairParams } from "./sharing/fair/params.ts";
export { fair } from "./sharing/fair.ts";
export { type FifoParams, fifo, fifo018, fifoPlain } from "./sharing/fifo.ts";
export type * from "./shortcuts.ts";
export { type DryadParams, dryad } from "./speculation/dryad.ts";
export type { EsplashParams } from "./speculation/esplash/params.ts";
export { esplash, esplashPrinted } from "./speculation/esplash.ts";
export type { FlinkParams } from "./speculation/flink/params.ts";
export { flink } from "./speculation/flink.ts";
export { type HadoopParams, hadoop, hadoopPaper } from "./speculation/hadoop.ts";
export type { LateParams } from "./speculation/late/params.ts";
export { late, lateEarly } from "./speculation/late.ts";
export { type Late021Params, late021 } from "./speculation/late-0.21.ts";
export type { MantriParams } from "./speculation/mantri/params.ts";
export { mantri } from "./speculation/mantri.ts";
export { type MapreduceParams, mapreduce } from "./speculation/mapreduce.ts";
export { none } from "./speculation/none.ts";
export type { SparkParams } from "./speculation/spark/params.ts";
export { spark4, spark35 } from "./speculation/spark.ts";
export type { YarnParams } from "./speculation/yarn/params.ts";
export { yarn, yarnCorrected } from "./speculation/yarn.ts";
