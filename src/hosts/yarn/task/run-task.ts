import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert, defined } from "../../../base/assert.ts";
import { writeRun } from "../../../data/bytes/run-writer.ts";
import { openReduction, type Reduction, runNarrow } from "../../../data/index.ts";
import type { Frame } from "./frames.ts";
import { writeWhole } from "./pipe.ts";
import { sendFile, sendResults, sendShuffled } from "./send-output.ts";
import { decodeShuffleKey, hearerOf } from "./shuffle-key.ts";
import { isTaskResult, type MapTask, type TaskResult } from "./task-list.ts";
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
  const taskResult: TaskResult = { source: task.source, phase: task.phase, result };
  if (result.kind === "shuffle-output") {
    assert(job.reduces !== undefined, "who shuffles has reduces");
    sendShuffled(out, result.output.path, taskResult);
    reporter.finished(about.progress.last, result.output.counters);
  } else {
    assert(job.reduces === undefined, "what maps write for themselves passes no shuffle");
    sendFile(out, defined(task.part, "a part's name"), result.part.path);
    sendResults(out, task.source, [taskResult]);
    reporter.finished(about.progress.last, result.part.counters);
  }
}

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
    const received = await receiveRuns(frames, { reduction, partition, partitions, directory });
    const result = await reduction.finish();
    const made = result.kind === "part" ? result.part : result.output;
    sendFile(out, part, made.path);
    const source = phase.firstTask + partition;
    sendResults(out, source, [...received, { source, phase: phase.phase, result }]);
    reporter.finished(about.progress.last, made.counters);
  } finally {
    reduction.close();
  }
}

/**
 * Joins the run files that Hadoop's shuffle delivers in pieces, sorted by source and piece, and has
 * the reduction fetch each. Returns the sources' results.
 */
async function receiveRuns(
  frames: Iterable<Frame>,
  to: {
    readonly reduction: Reduction;
    readonly partition: number;
    readonly partitions: number;
    readonly directory: string;
  },
): Promise<readonly TaskResult[]> {
  const receiver = new Receiver(to.reduction, join(to.directory, "arriving.run"));
  const received: TaskResult[] = [];
  for (const { key, value } of frames) {
    const { partition, source, chunk } = decodeShuffleKey(key);
    assert(partition === to.partition, "what comes is for this partition");
    if (chunk > 0) {
      await receiver.take({ source, chunk }, value);
      continue;
    }
    const result: unknown = JSON.parse(value.toString());
    assert(isTaskResult(result), `source ${source} tells the result of its task`);
    received.push(result);
  }
  await receiver.end();
  const heard = new Set(received.map(({ source }) => source));
  for (const source of to.reduction.missing) {
    const isHeard = hearerOf(source, to.partitions) !== to.partition || heard.has(source);
    assert(isHeard, `the shuffle has brought what task ${source} told`);
  }
  await receiver.fetchEmpty();
  return received;
}

/** Receives one run file after another; each file is removed when the next begins. */
class Receiver {
  readonly #reduction: Reduction;
  readonly #path: string;
  #arriving: { readonly source: number; readonly handle: number; chunks: number } | undefined;

  constructor(reduction: Reduction, path: string) {
    this.#reduction = reduction;
    this.#path = path;
  }

  async take(
    { source, chunk }: { readonly source: number; readonly chunk: number },
    bytes: Buffer,
  ): Promise<void> {
    if (this.#arriving?.source !== source) {
      await this.end();
      this.#arriving = { source, handle: openSync(this.#path, "w"), chunks: 0 };
    }
    this.#arriving.chunks++;
    assert(chunk === this.#arriving.chunks, `piece ${chunk} of source ${source} comes in turn`);
    writeWhole(this.#arriving.handle, bytes);
  }

  /** The current run file is complete. */
  async end(): Promise<void> {
    if (this.#arriving === undefined) return;
    const { source, handle } = this.#arriving;
    this.#arriving = undefined;
    closeSync(handle);
    await this.#fetch(source);
    rmSync(this.#path);
  }

  /** The missing sources sent nothing, because they had nothing for this partition. */
  async fetchEmpty(): Promise<void> {
    const missing = [...this.#reduction.missing];
    if (missing.length === 0) return;
    writeRun(this.#path, (writer) => writer.endPartition());
    for (const source of missing) await this.#fetch(source);
    rmSync(this.#path);
  }

  #fetch(source: number): Promise<void> {
    return this.#reduction.fetch({ source, path: this.#path, partition: 0 });
  }
}
