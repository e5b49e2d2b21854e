/** The module that a job file imports: `import { defineJob, sum } from "broomwagon/job"`. */
export type { AsyncContext, Call, Context, MapContext, Params, ReduceContext } from "./context.ts";
export { distinct } from "./count-distinct.ts";
export { addExactly, type ExactSum, mergeExactly, roundExactly } from "./exact-sum.ts";
export { defineFlow, type Flow, type FlowSpec, isFlow } from "./flow.ts";
export type { FlowBuilder, LoopRounds } from "./flow-builder.ts";
export { count, type Fold, max, mean, min, sum } from "./fold.ts";
export {
  type ColumnType,
  type CsvOptions,
  type CsvRecord,
  csv,
  fixed,
  type Input,
  type InputFormat,
  ndjson,
  parquet,
  type TextOptions,
  type TypedCsvOptions,
  type TypedCsvRecord,
  text,
} from "./input.ts";
export { defineJob, isJob, type Job, type JobSpec } from "./job.ts";
export type { Key } from "./key.ts";
export { decodeKey, encodeKey } from "./key-bytes.ts";
export { hashKey } from "./key-hash.ts";
export { compareKeys } from "./key-order.ts";
export { type AsyncMap, type MapAsyncOptions, mapAsync } from "./map-async.ts";
export { lines, mapBytes, matching, type Operator, words } from "./operator.ts";
export { type Compress, type Output, type OutputOptions, tsv } from "./output.ts";
export { left, right } from "./parts.ts";
export type { Round } from "./program.ts";
export { quantile } from "./quantile.ts";
export type { JoinOptions, Keyed, Records, SortOptions, WideOptions } from "./records.ts";
export { type InlineOptions, type InlineResult, runInline, runInlineAsync } from "./run-inline.ts";
export type { Direction, SortOrder } from "./sort-order.ts";
export type { Speculate, Speculates } from "./speculate.ts";
export type { Emitted, JoinHow } from "./step.ts";
export type { TextEncoding } from "./text-encoding.ts";
export { collect, topK } from "./top-k.ts";
