/**
 * The data path: the code between a program's inputs and its outputs. It runs in the caller's
 * thread; hosts decide where and when. Formats: docs/internals/formats.md.
 *
 *     const prepared = await prepareJobFile({ file, into });     // the master, once
 *     const program = await importProgram(prepared);             // the master, and every worker
 *     const plan = await planSplits({ input, from: "." });       // for each input
 *     await runNarrow({ program, phase, source, to, ... });      // a task that reads no shuffle
 *     const reduction = openReduction({ program, phase, ... });  // a task that reads one
 *     await reduction.fetch({ source, path });                   // for every source
 *     await reduction.finish();                                  // then rename to partName(i)
 */

export { isIntact } from "./bytes/checksum.ts";
export { FetchError } from "./bytes/fetch-error.ts";
export type { PartFile } from "./bytes/part-file.ts";
export { partName } from "./bytes/part-file.ts";
export type { Split } from "./formats/split.ts";
export type { InputPlan, InputQuery } from "./formats/splits.ts";
export { defaultReduces, planSplits } from "./formats/splits.ts";
export {
  changed,
  type DefinedJob,
  importProgram,
  type PreparedJobFile,
} from "./load/import-program.ts";
export { currentLoad, isInTask, refuseRuns } from "./load/load.ts";
export { prepareJobFile, resolveParams } from "./load/loader.ts";
export type {
  NarrowSource,
  PhaseResult,
  PhaseTask,
  ShuffleOutput,
  TableFiles,
} from "./task/phase-task.ts";
export type { ProgressListener, TaskProgress } from "./task/progress.ts";
export { openReduction, type Reduction } from "./task/reduction.ts";
export type { RanInThread, RunInThread } from "./task/run-in-thread.ts";
export { runInThread } from "./task/run-in-thread.ts";
export { runNarrow } from "./task/run-narrow.ts";
export { UserCodeError } from "./task/user-code-error.ts";
