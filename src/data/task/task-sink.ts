import { never } from "../../base/assert.ts";
import type { RecordSink } from "../../job/apply-steps.ts";
import { ByteWriter } from "../../job/byte-writer.ts";
import { blamed } from "../../job/culprit.ts";
import { emitted, pairOf } from "../../job/emitted.ts";
import type { Key, Output } from "../../job/index.ts";
import type { Combiner, KeySample, Writes } from "../../job/program.ts";
import type { UserContext } from "../../job/user-context.ts";
import type { Combine } from "../bytes/combine.ts";
import { KeyGroups } from "../bytes/groups.ts";
import { PartWriter } from "../bytes/part-file.ts";
import type { RunSegment } from "../bytes/run-format.ts";
import { writeValue } from "../bytes/value-bytes.ts";
import type { BadRecordCount } from "../formats/malformed.ts";
import { type Combining, ShuffleWriter } from "../memory/shuffle-writer.ts";
import { MEMORY_BYTES } from "../memory/workspace.ts";
import { DatasetWriter, type RecordWriter } from "./dataset-file.ts";
import { FrequentWriter } from "./frequent-writer.ts";
import { orderOf } from "./order.ts";
import { partitioningOf } from "./partitioning.ts";
import { type PhaseResult, type PhaseTask, phaseOf } from "./phase-task.ts";
import { filesOf, type TaskHost } from "./task-host.ts";

/** The destination of a task's records: a shuffle, a dataset or an output. */
export interface TaskSink extends RecordSink {
  /** Whether it takes no more records. */
  readonly isFull: boolean;
  readonly bytesWritten: number;
  finish(read: Read): PhaseResult;
  close(): void;
}

/** The records that the task has read, and its counters. */
export interface Read {
  readonly counters: Readonly<Record<string, number>>;
  readonly inputRecords: number;
  readonly inputBytes: number;
  /** Absent if no record was skipped. */
  readonly badRecords?: BadRecordCount;
}

export function openSink(task: PhaseTask, host: TaskHost): TaskSink {
  const { writes, sample } = phaseOf(task);
  switch (writes.kind) {
    case "shuffle":
      return new ShuffleSink(task, writes, host);
    case "dataset":
      return datasetSink(task.to, sample);
    case "output": {
      const { output } = task.program.outputs[writes.output] ?? {};
      if (output === undefined) throw new Error("an output that the program does not have");
      return new FileSink(partWriter(task.to, output), task.to);
    }
    default:
      return never(writes);
  }
}

const partWriter = (to: string, output: Output): RecordWriter =>
  output.format.kind === "records" ? new DatasetWriter(to) : new PartWriter(to, output);

class ShuffleSink implements TaskSink {
  readonly isFull = false;
  readonly addPair: (key: Key, value: unknown) => void;
  readonly #writer: ShuffleWriter;
  readonly #path: string;

  constructor(task: PhaseTask, writes: Extract<Writes, { kind: "shuffle" }>, host: TaskHost) {
    const { directory, to, partitions, memoryBytes = MEMORY_BYTES, compress } = task;
    const query = { partition: writes.partition, partitions, task: task.task };
    const files = (dataset: number): readonly string[] => filesOf(task, dataset);
    const partitioning = partitioningOf({ ...query, files });
    // A key that goes to several partitions is added once for each; this is the present one.
    let now = 0;
    const partition = partitioning?.kind === "many" ? (): number => now : partitioning?.of;
    const writer = new ShuffleWriter({
      directory,
      to,
      partitions,
      memoryBytes,
      combining: combiningOf(writes.combine, host),
      order: orderOf(task.program, phaseOf(task)),
      ...(partition !== undefined && { partition }),
      ...(compress !== undefined && { compress }),
    });
    this.#path = to;
    this.#writer = writer;
    this.addPair =
      partitioning?.kind === "many"
        ? (key, value) => {
            for (now of partitioning.of(key)) writer.add(key, value);
          }
        : (key, value) => writer.add(key, value);
  }

  get bytesWritten(): number {
    return this.#writer.bytesWritten;
  }

  add(record: unknown): void {
    const [key, value] = pairOf(record);
    this.addPair(key, value);
  }

  finish(read: Read): PhaseResult {
    const { segments, ...run } = this.#writer.finish();
    const records = segments.reduce((sum: number, one: RunSegment) => sum + one.records, 0);
    const byPartition = segments.map(({ bytes }) => bytes);
    return {
      kind: "shuffle-output",
      output: { path: this.#path, ...run, records, byPartition, ...read },
    };
  }

  close(): void {
    this.#writer.close();
  }
}

function combiningOf(combine: Combiner, host: TaskHost): Combining {
  switch (combine.kind) {
    case "none":
      return combine;
    case "fold":
      return { ...combine, numbers: combine.fold.numbers };
    case "function": {
      // `emit` does nothing in a combine, which returns its values.
      const ctx = host.context(() => {});
      return { kind: "function", combine: userCombine(combine, ctx) };
    }
    default:
      return never(combine);
  }
}

function datasetSink(to: string, sample: KeySample | undefined): TaskSink {
  switch (sample?.kind) {
    case undefined:
      return new FileSink(new DatasetWriter(to), to);
    case "first":
      return new FileSink(new DatasetWriter(to), to, sample.keys);
    case "frequent":
      return new FileSink(new FrequentWriter(to, sample.keys), to);
    default:
      return never(sample);
  }
}

class FileSink implements TaskSink {
  readonly #writer: RecordWriter;
  readonly #path: string;
  #recordsLeft: number;

  constructor(writer: RecordWriter, path: string, recordsMax = Number.POSITIVE_INFINITY) {
    this.#writer = writer;
    this.#path = path;
    this.#recordsLeft = recordsMax;
  }

  get isFull(): boolean {
    return this.#recordsLeft <= 0;
  }

  get bytesWritten(): number {
    return this.#writer.bytes;
  }

  add(record: unknown): void {
    if (this.isFull) return;
    this.#recordsLeft--;
    this.#writer.write(record);
  }

  addPair(key: Key, value: unknown): void {
    this.add([key, value]);
  }

  finish(read: Read): PhaseResult {
    const { bytes, records, checksum } = this.#writer.finish();
    return { kind: "part", part: { path: this.#path, bytes, records, checksum, ...read } };
  }

  close(): void {
    this.#writer.close();
  }
}

/** The user's own combine: the values that it returns for a key travel. */
function userCombine(combiner: Extract<Combiner, { kind: "function" }>, ctx: UserContext): Combine {
  const value = new ByteWriter();
  return (records, writer) => {
    const groups = new KeyGroups(records);
    while (groups.advance()) {
      try {
        const made = combiner.combine(groups.key, groups.values(), ctx);
        for (const one of emitted(made, "combine")) {
          value.length = 0;
          writeValue(value, one);
          writer.writeApart({ key: groups.keyBytes, value });
        }
      } catch (error) {
        throw blamed(error, combiner.combine);
      }
    }
  };
}
