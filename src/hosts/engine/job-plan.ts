import { userInfo } from "node:os";
import { basename, extname, resolve } from "node:path";
import { InputError } from "../../base/input-error.ts";
import type { Params, Job as UserJob } from "../../job/index.ts";
import { instant, type JobId, phaseId, slotKind, type TaskId, taskId } from "../../model/ids.ts";
import { type Job, MAP_STAGES, type Phase, REDUCE_STAGES, type Task } from "../../model/job.ts";
import {
  defaultReduces,
  type InputPlan,
  importJob,
  type PreparedJobFile,
  planSplits,
  prepareJobFile,
  resolveParams,
} from "./data/index.ts";
import type { RunOptions } from "./options.ts";

export const SLOT_KINDS = ["map", "reduce"] as const;
export type PhaseName = (typeof SLOT_KINDS)[number];

/** Hadoop's slowstart: reduces begin to copy when so many of the maps are done. */
const SLOWSTART = 0.05;

/** What is to be done, before anything has begun. */
export interface JobPlan {
  readonly job: UserJob;
  readonly name: string;
  readonly file: PreparedJobFile;
  readonly params: Params;
  readonly input: InputPlan;
  /** The files, directories and globs that named the input. */
  readonly inputPaths: readonly string[];
  /** 0: the job only maps. */
  readonly reduces: number;
  readonly output: string;
}

/** InputError for whatever is wrong with job file, input or parameters. */
export async function planJob(options: RunOptions, into: string): Promise<JobPlan> {
  const file = await prepareJobFile({ file: resolve(options.jobFile), into });
  const job = await importJob(file);
  const params = resolveParams(job, asText(options.params ?? {}));
  const output = options.output ?? job.output.path;
  if (output === undefined) {
    throw new InputError(
      "bad-flag",
      "output",
      "expected a directory, in the job file or by --output",
    );
  }
  const inputPaths = options.input.length > 0 ? options.input : ownInput(job);
  const input = planSplits({
    input: job.input,
    paths: inputPaths,
    from: process.cwd(),
    ...(options.splitBytes === undefined ? {} : { splitBytes: options.splitBytes }),
  });
  const reduces = options.reduces ?? job.reduces ?? defaultReduces(input.totalBytes);
  return {
    job,
    name: job.name ?? basename(options.jobFile, extname(options.jobFile)),
    file,
    params,
    input,
    inputPaths,
    reduces: job.reducer.kind === "none" ? 0 : reduces,
    output,
  };
}

const ownInput = ({ input: { path } }: UserJob): readonly string[] =>
  path === undefined ? [] : [path];

/** The ids that the next job's things get. */
export interface FreeIds {
  readonly job: JobId;
  readonly phase: number;
  readonly task: number;
}

/** The plan as the core knows it: a phase `map`, and a phase `reduce` that reads it. */
export function describeJob(plan: JobPlan, ids: FreeIds, at: number): Job {
  const { splits } = plan.input;
  const maps: Phase = {
    id: phaseId(ids.phase),
    name: "map",
    job: ids.job,
    slots: [slotKind(0)],
    after: [],
    tasks: splits.map((split, index) => ({
      ...task(taskId(ids.task + index), ids.phase, index),
      inputBytes: split.end - split.start,
      stages: MAP_STAGES,
    })),
  };
  const reduces: Phase = {
    id: phaseId(ids.phase + 1),
    name: "reduce",
    job: ids.job,
    slots: [slotKind(1)],
    after: [{ phase: maps.id, start: { when: "fraction", of: SLOWSTART } }],
    tasks: Array.from({ length: plan.reduces }, (_, index) => ({
      ...task(taskId(ids.task + splits.length + index), ids.phase + 1, index),
      stages: REDUCE_STAGES,
    })),
  };
  return {
    id: ids.job,
    name: plan.name,
    user: userInfo().username,
    pool: "default",
    priority: "normal",
    submittedAt: instant(at),
    ...(plan.job.speculate ? {} : { speculate: false }),
    phases: plan.reduces === 0 ? [maps] : [maps, reduces],
  };
}

function task(id: TaskId, phase: number, index: number): Omit<Task, "stages"> {
  // Every node reads the one disk of this machine: a task runs as well anywhere.
  return { id, phase: phaseId(phase), index, replicas: [] };
}

const asText = (params: NonNullable<RunOptions["params"]>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
