import type { Job, Key, Params } from "../../../job/index.ts";
import { emitted, pairOf } from "./emitted.ts";
import { MapSink } from "./map-sink.ts";
import { type PartFile, PartWriter } from "./part-file.ts";
import { Pacer, type ProgressListener } from "./progress.ts";
import { Records } from "./records.ts";
import type { Split } from "./splits.ts";
import { atPlace } from "./user-code-error.ts";
import { UserContext } from "./user-context.ts";

/** Everything one attempt of a map needs. */
export interface MapTask {
  readonly job: Job;
  readonly params: Params;
  readonly split: Split;
  /** 0 for the task's first attempt. */
  readonly attempt: number;
  /** How many partitions; of no meaning where the job only maps. */
  readonly reduces: number;
  /** This attempt's own directory, which exists: spills come and go in it. */
  readonly directory: string;
  /** The file to write. */
  readonly to: string;
  /** Bytes of collected pairs above which a sorted run is spilled; 64 MB unless told. */
  readonly memoryBytes?: number;
  readonly progress?: ProgressListener;
}

/** What a map attempt leaves: one run file with a segment for each reduce. Plain data. */
export interface MapOutput {
  readonly path: string;
  /** The map task's index. */
  readonly map: number;
  readonly bytes: number;
  readonly records: number;
  /** Of the whole file. */
  readonly checksum: string;
  /** Bytes of each partition's segment, by reduce index. */
  readonly byPartition: readonly number[];
  readonly counters: Readonly<Record<string, number>>;
  readonly inputRecords: number;
  readonly inputBytes: number;
  /** Sorted runs that were written for want of memory and merged at the end. */
  readonly spills: number;
}

/** Reads the split, maps, collects, sorts, combines, and writes one run file. */
export async function runMap(task: MapTask): Promise<MapOutput> {
  const ctx = contextOf(task, (key, value) => sink.add(key, value));
  const sink = new MapSink(task, ctx);
  const { inputRecords, inputBytes } = await mapAll({ task, ctx, sink });
  const { segments, bytes, checksum, spills } = sink.finish();
  return {
    path: task.to,
    map: task.split.index,
    bytes,
    records: segments.reduce((sum, segment) => sum + segment.records, 0),
    checksum,
    byPartition: segments.map((segment) => segment.bytes),
    counters: ctx.counters(),
    inputRecords,
    inputBytes,
    spills,
  };
}

/** The same for a job without a reduce: each pair is a record of one part file. */
export async function runMapOnly(task: MapTask): Promise<PartFile> {
  const writer = new PartWriter(task.to, task.job.output);
  try {
    const add = (key: Key, value: unknown): void => writer.write([key, value]);
    const ctx = contextOf(task, add);
    const sink = {
      add,
      get bytesWritten() {
        return writer.bytes;
      },
    };
    const { inputRecords, inputBytes } = await mapAll({ task, ctx, sink });
    return { ...writer.finish(), counters: ctx.counters(), inputRecords, inputBytes };
  } finally {
    writer.close();
  }
}

/** Where pairs go. */
interface Sink {
  add(key: Key, value: unknown): void;
  readonly bytesWritten: number;
}

function contextOf(task: MapTask, emit: (key: Key, value: unknown) => void): UserContext {
  const { job, params, attempt, split } = task;
  return new UserContext({ job, params, task: split.index, attempt, file: split.file, emit });
}

interface Mapping {
  readonly task: MapTask;
  readonly ctx: UserContext;
  readonly sink: Sink;
}

async function mapAll({ task, ctx, sink }: Mapping) {
  const { job, split, progress } = task;
  const records = new Records(split, job.input);
  const pacer = new Pacer();
  let inputRecords = 0;
  const report = (score: number): void =>
    progress?.progressed({
      stage: 0,
      score,
      bytesRead: records.bytesRead,
      bytesWritten: sink.bytesWritten,
      records: inputRecords,
    });
  try {
    await records.forEach((record) => {
      const pairs = job.map(record, ctx);
      if (pairs !== undefined) {
        for (const pair of emitted(pairs, "map")) {
          const [key, value] = pairOf(pair);
          sink.add(key, value);
        }
      }
      inputRecords++;
      if (pacer.step()) report(records.score);
    });
  } catch (error) {
    throw records.isAtRecord ? atPlace(() => records.place(), error) : error;
  }
  report(1);
  return { inputRecords, inputBytes: records.bytesRead };
}
