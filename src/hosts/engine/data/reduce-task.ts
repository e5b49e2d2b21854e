import { rmSync } from "node:fs";
import { join } from "node:path";
import { AssertionError, assert, never } from "../../../base/assert.ts";
import type { Job, Params } from "../../../job/index.ts";
import { copyAll, mergeAll } from "./combine.ts";
import { emitted } from "./emitted.ts";
import { fetchSegment } from "./fetch.ts";
import { Groups } from "./groups.ts";
import { merged } from "./merge.ts";
import { mergeUntilFew, openAll } from "./merge-runs.ts";
import { type PartFile, PartWriter } from "./part-file.ts";
import { Pacer, type ProgressListener } from "./progress.ts";
import { atPlace } from "./user-code-error.ts";
import { UserContext } from "./user-context.ts";

/** Everything one attempt of a reduce needs. */
export interface ReduceTask {
  readonly job: Job;
  readonly params: Params;
  /** The reduce task's index: the partition it reads. */
  readonly partition: number;
  /** How many maps the job has; each must be fetched once before `finish`. */
  readonly maps: number;
  /** 0 for the task's first attempt. */
  readonly attempt: number;
  /** This attempt's own directory, which exists: fetched segments and merges come and go in it. */
  readonly directory: string;
  readonly progress?: ProgressListener;
}

/** One attempt of a reduce: fetch from every map as they finish, in any order, then finish. */
export interface Reduction {
  /** Copies this partition's segment of a map's output file, checking it; throws FetchError. */
  fetch(source: { readonly map: number; readonly path: string }): Promise<void>;
  /** Which maps have been fetched. */
  readonly fetched: ReadonlySet<number>;
  /** Merges, reduces, and writes the part file `to`. Call it once, after every map is fetched. */
  finish(to: string): Promise<PartFile>;
}

export function openReduction(task: ReduceTask): Reduction {
  return new FileReduction(task);
}

const COPY = 0;
const SORT = 1;
const REDUCE = 2;

class FileReduction implements Reduction {
  readonly fetched = new Set<number>();
  readonly #task: ReduceTask;
  readonly #pacer = new Pacer();
  #bytesRead = 0;
  #bytesWritten = 0;
  #recordsFetched = 0;

  constructor(task: ReduceTask) {
    this.#task = task;
  }

  async fetch({ map, path }: { readonly map: number; readonly path: string }): Promise<void> {
    const { partition, maps } = this.#task;
    assert(!this.fetched.has(map), "a map is fetched once");
    assert(map < maps, "a map that is fetched is one of the job's");
    const { bytes, records } = fetchSegment({ map, path, partition, to: this.#segment(map) });
    this.fetched.add(map);
    this.#bytesRead += bytes;
    this.#bytesWritten += bytes;
    this.#recordsFetched += records;
    this.#report(COPY, this.fetched.size / maps, 0);
  }

  async finish(to: string): Promise<PartFile> {
    const { job, maps } = this.#task;
    assert(this.fetched.size === maps, "every map has been fetched");
    const paths = this.#sort();
    const readers = openAll(paths);
    const writer = new PartWriter(to, job.output);
    try {
      const cursor = merged(readers.map((reader) => reader.cursor(0)));
      const groups = new Groups(cursor, (valuesRead) => this.#moved(valuesRead, writer));
      const counters = this.#reduce(groups, writer);
      const part = writer.finish();
      const { bytes } = part;
      this.#report(REDUCE, 1, groups.valuesRead, bytes);
      return { ...part, counters, inputRecords: groups.valuesRead, inputBytes: this.#bytesRead };
    } finally {
      writer.close();
      for (const reader of readers) reader.close();
      for (const path of paths) rmSync(path, { force: true });
    }
  }

  #segment(map: number): string {
    return join(this.#task.directory, `map-${map}.run`);
  }

  /**
   * Segments in the order of maps, not of their fetching; merged where they are too many to read at
   * once.
   */
  #sort(): readonly string[] {
    const { maps, directory } = this.#task;
    const from = Array.from({ length: maps }, (_, map) => this.#segment(map));
    let recordsMerged = 0;
    const paths = mergeUntilFew({
      from,
      directory,
      partitions: 1,
      combine: copyAll,
      merged: ({ bytes, segments }) => {
        recordsMerged += segments[0]?.records ?? 0;
        this.#bytesWritten += bytes;
        this.#report(SORT, Math.min(1, recordsMerged / Math.max(1, this.#recordsFetched)), 0);
      },
    });
    this.#report(SORT, 1, 0);
    return paths;
  }

  /** The counters. */
  #reduce(groups: Groups, writer: PartWriter): Readonly<Record<string, number>> {
    const { job, params, partition, attempt } = this.#task;
    const emit = (key: unknown, value: unknown): void => writer.write([key, value]);
    const ctx = new UserContext({ job, params, task: partition, attempt, file: "", emit });
    while (groups.advance()) {
      try {
        this.#reduceKey(groups, writer, ctx);
      } catch (error) {
        throw atPlace(() => `key ${JSON.stringify(String(groups.key))}`, error);
      }
    }
    return ctx.counters();
  }

  #reduceKey(groups: Groups, writer: PartWriter, ctx: UserContext): void {
    const { reducer } = this.#task.job;
    switch (reducer.kind) {
      case "fold":
        writer.write([groups.key, reducer.fold.done(mergeAll(reducer.fold, groups))]);
        return;
      case "function": {
        const records = reducer.reduce(groups.key, groups.values(), ctx);
        if (records === undefined) return;
        for (const record of emitted(records, "reduce")) writer.write(record);
        return;
      }
      case "none":
        throw new AssertionError("a job that only maps has no reduces");
      default:
        never(reducer);
    }
  }

  #moved(valuesRead: number, writer: PartWriter): void {
    if (!this.#pacer.step()) return;
    const fraction = Math.min(1, valuesRead / Math.max(1, this.#recordsFetched));
    this.#report(REDUCE, fraction, valuesRead, writer.bytes);
  }

  #report(stage: number, fraction: number, records: number, bytesOut = 0): void {
    this.#task.progress?.progressed({
      stage,
      score: (stage + fraction) / 3,
      bytesRead: this.#bytesRead,
      bytesWritten: this.#bytesWritten + bytesOut,
      records,
    });
  }
}
