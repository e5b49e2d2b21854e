export { LeftRunning } from "./hadoop-job.ts";
export type { YarnOptions } from "./yarn-options.ts";
export { runOnYarn } from "./yarn-run.ts";
