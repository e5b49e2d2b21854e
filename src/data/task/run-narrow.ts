import { statSync } from "node:fs";
import { AssertionError } from "../../base/assert.ts";
import { applySteps } from "../../job/apply-steps.ts";
import { openRecords } from "../formats/formats.ts";
import { assertUnchanged, fileOf } from "../formats/input-file.ts";
import { BadRecords, NO_BAD_RECORDS } from "../formats/malformed.ts";
import type { RecordReader } from "../formats/record-reader.ts";
import { runFused } from "../fused/run-fused.ts";
import { KERNELS_SHARE, MEMORY_BYTES } from "../memory/workspace.ts";
import { datasetRecords } from "./dataset-file.ts";
import { type NarrowTask, type PhaseResult, phaseOf } from "./phase-task.ts";
import { setPlace } from "./place.ts";
import { Pacer } from "./progress.ts";
import { TaskHost } from "./task-host.ts";
import { openSink, type Read, type TaskSink } from "./task-sink.ts";
import { atPlace } from "./user-code-error.ts";

const NOTHING_COUNTED = { counters: {}, badRecords: NO_BAD_RECORDS };

/** Thrown to stop reading. */
const ENOUGH = new AssertionError("a sample that is full is noticed");

/**
 * Reads records, runs the phase's steps on them, and writes the results. Throws an InputError if
 * the input has changed meanwhile, since any other error may be due to that.
 */
export async function runNarrow(task: NarrowTask): Promise<PhaseResult> {
  const { source } = task;
  try {
    return await readAndWrite(task);
  } finally {
    if (source.kind === "split") assertUnchanged(fileOf(source.split));
  }
}

async function readAndWrite(task: NarrowTask): Promise<PhaseResult> {
  const fused = await runFused(task);
  if (fused !== undefined) return fused;
  const { source } = task;
  const host = new TaskHost(task, source.kind === "split" ? source.split.file : "");
  const memoryBytes = (task.memoryBytes ?? MEMORY_BYTES) * KERNELS_SHARE;
  const sink = openSink({ ...task, memoryBytes }, host);
  try {
    const read = await readAll(task, host, sink);
    // The records of a sample are read again later, and counted then.
    if (phaseOf(task).sample !== undefined) return sink.finish({ ...read, ...NOTHING_COUNTED });
    return sink.finish({ counters: host.counters.values(), ...read });
  } finally {
    sink.close();
  }
}

async function readAll(
  task: NarrowTask,
  host: TaskHost,
  sink: TaskSink,
): Promise<Omit<Read, "counters">> {
  const { progress } = task;
  const first = applySteps(phaseOf(task).steps, host, sink);
  const bad = new BadRecords(task.onBadRecord ?? "fail");
  const reading = openReading(task, bad);
  const pacer = new Pacer();
  let inputRecords = 0;
  let current: unknown;
  const report = (score: number): void =>
    progress?.progressed({
      stage: 0,
      score,
      bytesRead: reading.bytesRead,
      bytesWritten: sink.bytesWritten,
      records: inputRecords,
    });
  setPlace(() => reading.place());
  try {
    await reading.forEach((record) => {
      current = record;
      first.add(record);
      inputRecords++;
      if (pacer.step()) report(reading.score);
      if (sink.isFull) throw ENOUGH;
    });
  } catch (error) {
    if (error !== ENOUGH) {
      throw reading.isAtRecord ? atPlace(() => reading.place(), error, current) : error;
    }
  } finally {
    setPlace(undefined);
  }
  report(1);
  const read = { inputRecords, inputBytes: reading.bytesRead };
  const badRecords = bad.counted();
  return badRecords.count === 0 ? read : { ...read, badRecords };
}

function openReading(task: NarrowTask, bad: BadRecords): RecordReader {
  const { reads } = phaseOf(task);
  const { source } = task;
  if (source.kind === "part") return new PartReading(source.path);
  if (reads.kind === "input") {
    const { memoryBytes = MEMORY_BYTES } = task;
    return openRecords({ split: source.split, input: reads.input, bad, memoryBytes });
  }
  throw new AssertionError("a split is read by a phase that reads an input");
}

class PartReading implements RecordReader {
  isAtRecord = false;
  readonly #path: string;
  readonly #bytes: number;
  #records = 0;
  #isAtEnd = false;

  constructor(path: string) {
    this.#path = path;
    this.#bytes = statSync(path).size;
  }

  async forEach(take: (record: unknown) => void): Promise<void> {
    for (const record of datasetRecords(this.#path)) {
      this.#records++;
      this.isAtRecord = true;
      take(record);
      this.isAtRecord = false;
    }
    this.#isAtEnd = true;
  }

  get bytesRead(): number {
    return this.#isAtEnd ? this.#bytes : 0;
  }

  get score(): number {
    return this.#isAtEnd ? 1 : 0;
  }

  place(): string {
    return `record ${this.#records} of the previous phase's output`;
  }
}
