import { InputError } from "../../base/input-error.ts";
import { currentLoad, isInTask } from "../../data/load/load.ts";
import { evaluatedModules, noteRunOf } from "../../job/definition.ts";
import { CallPlace } from "../../run/call-place.ts";
import type { ResumeOptions, RunJob, RunOptions } from "../../run/options.ts";
import type { RunResult } from "../../run/run-result.ts";
import { type Control, type OnEvent, type Running, running } from "./running.ts";

/**
 * Runs a job to its end, on an embedded cluster of node processes. Returns at once; every mistake
 * rejects the promise.
 *
 *     const { counters } = await run("count.ts", { input: "logs/*.txt", output: "counts" });
 *
 * A job that the calling module has defined is found again by the threads of its tasks: each of
 * them loads the module up to its first call of `run`, and stays there. So such a job is defined at
 * the top level of the module, before the first `await run(...)`.
 */
export function run(job: RunJob, options: RunOptions = {}): Running {
  return begin(run, async (tell, control) => {
    // A task thread that loads a program does without the engine.
    const { newRun } = await import("./new-run.ts");
    return newRun(job, options, tell, control);
  });
}

/**
 * Resumes a run whose process was killed, by its id or its directory, from its journal: finished
 * work that still exists is not repeated.
 */
export function resume(id: string, options: ResumeOptions = {}): Running {
  return begin(resume, async (tell, control) => {
    const { resumedRun } = await import("./new-run.ts");
    return resumedRun(id, options, tell, control);
  });
}

type Begin = (tell: OnEvent, control: Control) => Promise<RunResult>;

/** Nothing comes of a run whose module is only loaded for its job. */
function begin(by: typeof run | typeof resume, work: Begin): Running {
  const load = currentLoad();
  if (load !== undefined) {
    load.ran();
    return running(() => new Promise(() => {}));
  }
  const place = new CallPlace(by);
  const modules = evaluatedModules();
  return running(async (tell, control) => {
    try {
      if (isInTask()) throw new InputError("bad-flag", by.name, "expected no call within a task");
      return await work(tell, control);
    } catch (error) {
      throw place.blame(error);
    } finally {
      noteRunOf(modules);
    }
  });
}
