import { assert, defined } from "../../../base/assert.ts";
import { runNarrow } from "../../../data/index.ts";
import { sendFile, sendResults, sendShuffled } from "./send-output.ts";
import type { MapTask, TaskResult } from "./task-list.ts";
import { fileName, phaseTask, type TaskRun } from "./task-run.ts";

/** A Hadoop map: a task that reads no shuffle, or one that passes on a stored run file. */
export async function runMap(run: TaskRun, task: MapTask): Promise<void> {
  const { job, out, reporter } = run;
  if (task.kind === "pass-on") {
    sendShuffled(out, task.path, { source: task.source });
    return;
  }
  const phase = defined(
    job.maps.find((one) => one.phase === task.phase),
    `phase ${task.phase} of the job`,
  );
  const about = phaseTask(run, phase, {
    index: task.index,
    name: fileName(task.part ?? "output"),
    memoryBytes: job.memory.map,
  });
  const result = await runNarrow({ ...about, source: task.reads });
  const told: TaskResult = { source: task.source, phase: task.phase, result };
  if (result.kind === "shuffle-output") {
    assert(job.reduces !== undefined, "who shuffles has reduces");
    sendShuffled(out, result.output.path, told);
    reporter.finished(about.progress.last, result.output.counters);
  } else {
    assert(job.reduces === undefined, "what maps write for themselves passes no shuffle");
    sendFile(out, defined(task.part, "a part's name"), result.part.path);
    sendResults(out, task.source, [told]);
    reporter.finished(about.progress.last, result.part.counters);
  }
}
