import type { PhaseResult } from "../../../data/index.ts";
import type { JobMade } from "../../../data/task/course.ts";
import { RESULTS_DIRECTORY, type TaskResult } from "../task/task-list.ts";
import type { ClusterAccess } from "./cluster-access.ts";

/** Results that the tasks of a Hadoop job wrote at their end, without tasks that only pass on. */
export interface TaskDone {
  readonly phase: number;
  /** The task's number in the course's job. */
  readonly source: number;
  readonly result: PhaseResult;
}

/** `output`: the job's output directory on HDFS, committed. */
export async function readResults(
  { hdfs }: ClusterAccess,
  output: string,
): Promise<readonly TaskDone[]> {
  const done: TaskDone[] = [];
  for (const { path } of await hdfs.list(`${output}/${RESULTS_DIRECTORY}`)) {
    const text = (await hdfs.read(path)).toString();
    for (const line of text.split("\n").filter((each) => each !== "")) {
      const { phase, source, result }: TaskResult = JSON.parse(line);
      if (phase !== undefined && result !== undefined) done.push({ phase, source, result });
    }
  }
  return done.sort((x, y) => x.source - y.source);
}

/** Of several jobs of Hadoop's that are one of the course's. */
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
