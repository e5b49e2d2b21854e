/**
 * The data path: what happens to bytes between a program's inputs and its outputs. All of it runs
 * in the caller's thread; hosts decide where and when. Formats: docs/formats.md.
 *
 *     const prepared = await prepareJobFile({ file, into });     // the master, once
 *     const program = await importProgram(prepared);             // the master, and every worker
 *     const plan = planSplits({ input, from: process.cwd() });   // for each input
 *     await runNarrow({ program, phase, source, to, ... });      // a task that reads no shuffle
 *     const reduction = openReduction({ program, phase, ... });  // a task that reads one
 *     await reduction.fetch({ source, path });                   // for every source
 *     await reduction.finish();                                  // then rename to partName(i)
 */
export { isIntact } from "./checksum.ts";
export { FetchError } from "./fetch-error.ts";
export { importProgram, type PreparedJobFile } from "./import-program.ts";
export { prepareJobFile, resolveParams } from "./loader.ts";
export type { PartFile } from "./part-file.ts";
export { partName } from "./part-file.ts";
export type {
  PhaseResult,
  PhaseTask,
  ShuffleOutput,
  TableFiles,
} from "./phase/phase-task.ts";
export { openReduction, type Reduction } from "./phase/reduction.ts";
export { type NarrowSource, runNarrow } from "./phase/run-narrow.ts";
export type { ProgressListener, TaskProgress } from "./progress.ts";
export type { OutputDifference, ReferenceQuery } from "./reference.ts";
export { compareOutput, runReference } from "./reference.ts";
export type { RanInThread, RunInThread } from "./run-in-thread.ts";
export { runInThread } from "./run-in-thread.ts";
export type { InputPlan, InputQuery, Split } from "./splits.ts";
export { defaultReduces, planSplits } from "./splits.ts";
export { UserCodeError } from "./user-code-error.ts";
