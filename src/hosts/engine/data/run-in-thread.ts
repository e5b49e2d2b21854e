import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../../base/assert.ts";
import type { Job, Params } from "../../../job/index.ts";
import { type MapOutput, type MapTask, runMap, runMapOnly } from "./map-task.ts";
import { type PartFile, partName } from "./part-file.ts";
import type { ProgressListener } from "./progress.ts";
import { openReduction } from "./reduce-task.ts";
import type { InputPlan } from "./splits.ts";

export interface RunInThread {
  readonly job: Job;
  readonly params: Params;
  readonly plan: InputPlan;
  readonly reduces: number;
  /** A directory that exists, for what is gone afterwards. */
  readonly work: string;
  /** A directory that exists, for the parts. */
  readonly output: string;
  /** See `MapTask`. */
  readonly memoryBytes?: number;
  progressOf?(task: { readonly phase: "map" | "reduce"; readonly index: number }): ProgressListener;
}

export interface RanInThread {
  /** None where the job only maps. */
  readonly maps: readonly MapOutput[];
  readonly parts: readonly PartFile[];
}

/**
 * A whole job on the real data path, one task after the other in the caller's thread: for tests and
 * measurements, without nodes, slots or anything that could go wrong.
 */
export async function runInThread(run: RunInThread): Promise<RanInThread> {
  const { job, plan, output } = run;
  if (job.reducer.kind === "none") {
    const parts: PartFile[] = [];
    for (const { index } of plan.splits) {
      parts.push(await runMapOnly(mapTask(run, index, join(output, partName(index)))));
    }
    return { maps: [], parts };
  }
  const maps: MapOutput[] = [];
  for (const { index } of plan.splits) {
    maps.push(await runMap(mapTask(run, index, join(run.work, `map-${index}.run`))));
  }
  const parts: PartFile[] = [];
  for (let partition = 0; partition < run.reduces; partition++) {
    parts.push(await reduceOne(run, partition, maps));
  }
  for (const { path } of maps) rmSync(path);
  return { maps, parts };
}

function mapTask(run: RunInThread, index: number, to: string): MapTask {
  const { job, params, plan, reduces, work: directory, memoryBytes } = run;
  const progress = run.progressOf?.({ phase: "map", index });
  return {
    job,
    params,
    split: defined(plan.splits[index], `split ${index}`),
    attempt: 0,
    reduces,
    directory,
    to,
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(progress !== undefined && { progress }),
  };
}

async function reduceOne(
  run: RunInThread,
  partition: number,
  maps: readonly MapOutput[],
): Promise<PartFile> {
  const { job, params } = run;
  const directory = join(run.work, `reduce-${partition}`);
  mkdirSync(directory);
  const progress = run.progressOf?.({ phase: "reduce", index: partition });
  const reduction = openReduction({
    job,
    params,
    partition,
    maps: maps.length,
    attempt: 0,
    directory,
    ...(progress !== undefined && { progress }),
  });
  // The last map first, as may happen: the order of fetching must not show.
  for (const { map, path } of [...maps].reverse()) await reduction.fetch({ map, path });
  const part = await reduction.finish(join(run.output, partName(partition)));
  rmSync(directory, { recursive: true });
  return part;
}
