import { defined } from "../../../base/assert.ts";
import { openReduction } from "../../../data/index.ts";
import type { Frame } from "./frames.ts";
import { receiveRuns } from "./receive-runs.ts";
import { sendFile, sendResults } from "./send-output.ts";
import { fileName, phaseTask, type TaskRun } from "./task-run.ts";

/** A Hadoop reduce: a partition of a phase, as on every other host. */
export async function runReduce(run: TaskRun, frames: Iterable<Frame>): Promise<void> {
  const { job, out, reporter, container, directory } = run;
  const { partition } = container;
  const phase = defined(job.reduces, "the phase that is reduced");
  const part = defined(phase.parts[partition], `the part of partition ${partition}`);
  const about = phaseTask(run, phase, {
    index: partition,
    name: fileName(part),
    memoryBytes: job.memory.reduce,
  });
  const reduction = openReduction({ ...about, sources: phase.sources });
  try {
    const partitions = phase.parts.length;
    const told = await receiveRuns(frames, { reduction, partition, partitions, directory });
    const result = await reduction.finish();
    const made = result.kind === "part" ? result.part : result.output;
    sendFile(out, part, made.path);
    const source = phase.firstTask + partition;
    sendResults(out, source, [...told, { source, phase: phase.phase, result }]);
    reporter.finished(about.progress.last, made.counters);
  } finally {
    reduction.close();
  }
}
