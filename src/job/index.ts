/** What a job file imports: `import { defineJob, sum } from "broomwagon/job"`. */
export type { Context, MapContext, Params, ReduceContext } from "./context.ts";
export { addExactly, type ExactSum, mergeExactly, roundExactly } from "./exact-sum.ts";
export { count, type Fold, max, mean, min, sum } from "./fold.ts";
export { type CsvOptions, type CsvRecord, csv, type Input, ndjson, text } from "./input.ts";
export { defineJob, type Emitted, isJob, type Job, type JobSpec } from "./job.ts";
export type { Key } from "./key.ts";
export { decodeKey, encodeKey } from "./key-bytes.ts";
export { hashKey } from "./key-hash.ts";
export { compareKeys } from "./key-order.ts";
export { type Output, tsv } from "./output.ts";
