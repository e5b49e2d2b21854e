/**
 * The data path: what happens to bytes between a job's input and its output. All of it runs in the
 * caller's thread; hosts decide where and when. Formats: docs/formats.md.
 *
 *     const prepared = await prepareJobFile({ file, into });     // the master, once
 *     const job = await importJob(prepared);                     // the master, and every worker
 *     const plan = planSplits({ input: job.input, from: process.cwd() });
 *     const output = await runMap({ job, split, ... });               // a map attempt
 *     const reduction = openReduction({ job, partition, ... });       // a reduce attempt
 *     await reduction.fetch({ map, path: output.path });              // for every map
 *     const part = await reduction.finish(`${directory}/part`);       // then rename to partName(i)
 */
export { isIntact } from "./checksum.ts";
export { FetchError } from "./fetch.ts";
export type { PreparedJobFile } from "./loader.ts";
export { importJob, prepareJobFile, resolveParams } from "./loader.ts";
export type { MapOutput, MapTask } from "./map-task.ts";
export { runMap, runMapOnly } from "./map-task.ts";
export type { PartFile } from "./part-file.ts";
export { partName } from "./part-file.ts";
export type { ProgressListener, TaskProgress } from "./progress.ts";
export type { ReduceTask, Reduction } from "./reduce-task.ts";
export { openReduction } from "./reduce-task.ts";
export type { OutputDifference, ReferenceQuery } from "./reference.ts";
export { compareOutput, runReference } from "./reference.ts";
export type { RanInThread, RunInThread } from "./run-in-thread.ts";
export { runInThread } from "./run-in-thread.ts";
export type { InputPlan, InputQuery, Split } from "./splits.ts";
export { defaultReduces, planSplits, SPLIT_BYTES } from "./splits.ts";
export { UserCodeError } from "./user-code-error.ts";
