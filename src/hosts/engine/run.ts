import { InputError } from "../../base/input-error.ts";
import { Place } from "../../base/shape.ts";
import { currentLoad, isInTask } from "../../data/index.ts";
import { evaluatedModules, noteRunOf } from "../../job/definition.ts";
import type { Discipline } from "../../policy/policy.ts";
import { CallPlace } from "../../run/call-place.ts";
import { jobSource } from "../../run/job-source.ts";
import { asOption, setsOf } from "../../run/named-discipline.ts";
import {
  type ResumeOptions,
  RUN_DEFAULTS,
  type RunJob,
  type RunOptions,
} from "../../run/options.ts";
import { readResumeOptions, readRunOptions } from "../../run/options-shape.ts";
import { registryWith } from "../../run/own-policies.ts";
import type { RunResult } from "../../run/run-result.ts";
import { engineDiscipline } from "./engine-discipline.ts";
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
    const asked = readRunOptions(options);
    const source = jobSource(job);
    const { set: _s, policies: _p, input = [], ...others } = asked;
    const discipline = await disciplineOf(asked);
    const { newRun } = await import("./new-run.ts");
    const settings = { ...RUN_DEFAULTS, ...others, ...source, input: [input].flat(), discipline };
    return newRun(settings, tellBoth(asked, tell), control);
  });
}

/**
 * Resumes a run whose process was killed, by its id or its directory, from its journal: finished
 * work that still exists is not repeated.
 */
export function resume(id: string, options: ResumeOptions = {}): Running {
  return begin(resume, async (tell, control) => {
    const asked = readResumeOptions(options);
    if (typeof id !== "string") {
      new Place("bad-flag", "resume").refuse("the id of a run, or its directory", id);
    }
    const { resumedRun } = await import("./new-run.ts");
    return resumedRun(id, asked, tellBoth(asked, tell), control);
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

const tellBoth =
  ({ onEvent }: Pick<RunOptions, "onEvent">, tell: OnEvent): OnEvent =>
  (event) => {
    onEvent?.(event);
    tell(event);
  };

async function disciplineOf({
  discipline = RUN_DEFAULTS.discipline,
  set,
  policies = [],
}: RunOptions): Promise<Discipline> {
  if (typeof discipline === "string") {
    const registry = await registryWith([policies].flat());
    return asOption(() => engineDiscipline(discipline, setsOf(set), registry));
  }
  if (set === undefined) return discipline;
  const expected = "expected none beside a discipline that parseDiscipline has made";
  throw new InputError("bad-flag", "run: set", expected);
}
