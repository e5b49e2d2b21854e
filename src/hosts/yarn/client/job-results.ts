import { InputError } from "../../../base/input-error.ts";
import { parseJson } from "../../../base/json.ts";
import type { PhaseResult } from "../../../data/index.ts";
import type { JobMade } from "../../../data/task/course.ts";
import { isTaskResult, RESULTS_DIRECTORY, type TaskResult } from "../task/task-list.ts";
import type { ClusterAccess } from "./cluster-access.ts";

/** A result that a task of a Hadoop job wrote at its end; tasks that only pass on have none. */
export interface TaskDone {
  readonly phase: number;
  /** The task's number in the course's job. */
  readonly source: number;
  readonly result: PhaseResult;
}

/** `output`: the job's committed output directory on HDFS. */
export async function readResults(
  { hdfs }: Pick<ClusterAccess, "hdfs">,
  output: string,
): Promise<readonly TaskDone[]> {
  const done: TaskDone[] = [];
  for (const { path } of await hdfs.list(`${output}/${RESULTS_DIRECTORY}`)) {
    const text = (await hdfs.read(path)).toString();
    for (const [index, line] of text.split("\n").entries()) {
      if (line === "") continue;
      const { phase, source, result } = resultIn(line, `hdfs ${path}:${index + 1}`);
      if (phase !== undefined && result !== undefined) done.push({ phase, source, result });
    }
  }
  return done.sort((x, y) => x.source - y.source);
}

function resultIn(line: string, place: string): TaskResult {
  const parsed = parseJson(line);
  if (!parsed.ok) throw new InputError("bad-input", place, parsed.problem);
  const { value }: { readonly value: unknown } = parsed;
  if (isTaskResult(value)) return value;
  throw new InputError("bad-input", place, "expected the result of a task");
}

/** The counters of one job of the course, summed over its Hadoop jobs. */
export function countersOf(done: readonly TaskDone[]): JobMade["counters"] {
  const counters: Record<string, number> = {};
  for (const { result } of done) {
    for (const [name, by] of Object.entries(madeOf(result).counters)) {
      counters[name] = (counters[name] ?? 0) + by;
    }
  }
  return counters;
}

export const madeOf = (result: PhaseResult) =>
  result.kind === "part" ? result.part : result.output;
