import { assert } from "../../base/assert.ts";
import type { MirrorTask } from "./mirror.ts";

/** Throws unless the claim holds, and names the task. */
export function claim(isSo: boolean, { job, phase, task }: MirrorTask, what: string): void {
  if (!isSo) assert(false, `not so: ${job.job.name}/${phase.name}/${task.index} ${what}`);
}
