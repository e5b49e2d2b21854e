import { statSync } from "node:fs";
import { AssertionError } from "../../base/assert.ts";
import { applySteps } from "../../job/apply-steps.ts";
import { awaitsCalls } from "../../job/pull-steps.ts";
import type { Step } from "../../job/step.ts";
import { openRecords } from "../formats/formats.ts";
import { assertUnchanged, fileOf } from "../formats/input-file.ts";
import { BadRecords, NO_BAD_RECORDS } from "../formats/malformed.ts";
import { eachRecord, type RecordReader } from "../formats/record-reader.ts";
import { runFused } from "../fused/run-fused.ts";
import { KERNELS_SHARE, MEMORY_BYTES } from "../memory/workspace.ts";
import { DatasetPart } from "./dataset-file.ts";
import type { ReadSoFar } from "./passing.ts";
import { type NarrowTask, type PhaseResult, phaseOf } from "./phase-task.ts";
import { setPlace } from "./place.ts";
import { Pacer } from "./progress.ts";
import { type ReadingThroughCalls, readThroughCalls } from "./read-through-calls.ts";
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
  const { steps } = phaseOf(task);
  const bad = new BadRecords(task.onBadRecord ?? "fail");
  const reading = openReading(task, bad);
  const report = ({ score, bytesRead, records }: ReadSoFar): void => {
    const { bytesWritten } = sink;
    progress?.progressed({ stage: 0, score, bytesRead, bytesWritten, records });
  };
  const inputRecords = awaitsCalls(steps)
    ? await readThroughCalls({ steps, host, reading, sink, report })
    : await readDirectly(steps, host, { reading, sink, report });
  report({ score: 1, bytesRead: reading.bytesRead, records: inputRecords });
  const read = { inputRecords, inputBytes: reading.bytesRead };
  const badRecords = bad.counted();
  return badRecords.count === 0 ? read : { ...read, badRecords };
}

/** Returns the number of records read. */
async function readDirectly(
  steps: readonly Step[],
  host: TaskHost,
  { reading, sink, report }: Pick<ReadingThroughCalls, "reading" | "report"> & { sink: TaskSink },
): Promise<number> {
  const first = applySteps(steps, host, sink);
  const pacer = new Pacer();
  let records = 0;
  let current: unknown;
  setPlace(() => reading.place());
  try {
    await eachRecord(reading, (record) => {
      current = record;
      first.add(record);
      records++;
      if (pacer.step()) report({ score: reading.score, bytesRead: reading.bytesRead, records });
      if (sink.isFull) throw ENOUGH;
    });
  } catch (error) {
    if (error !== ENOUGH) {
      throw reading.isAtRecord ? atPlace(() => reading.place(), error, current) : error;
    }
  } finally {
    setPlace(undefined);
  }
  return records;
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

/** The records of a part of a dataset. */
class PartReading implements RecordReader {
  isAtRecord = false;
  readonly #path: string;
  readonly #bytes: number;
  #recordsAll = 0;
  #records = 0;

  constructor(path: string) {
    this.#path = path;
    this.#bytes = statSync(path).size;
  }

  async *pieces(take: (record: unknown) => void): AsyncGenerator<void, void, undefined> {
    const part = new DatasetPart(this.#path);
    this.#recordsAll = part.records;
    try {
      for (const record of part.all()) {
        this.#records++;
        this.isAtRecord = true;
        take(record);
        this.isAtRecord = false;
        if (this.#records % PIECE_RECORDS === 0) yield;
      }
    } finally {
      part.close();
    }
  }

  get bytesRead(): number {
    return Math.floor(this.score * this.#bytes);
  }

  get score(): number {
    return this.#recordsAll === 0 ? 0 : this.#records / this.#recordsAll;
  }

  get at(): number {
    return this.#records;
  }

  place(at = this.at): string {
    return `record ${at} of the previous phase's output`;
  }
}

/** A kept record may be large: few are handed over at once. */
const PIECE_RECORDS = 64;
