import { join } from "node:path";
import type { Key } from "../../../job/index.ts";
import { type Collector, PairCollector, Partitioner } from "./collector.ts";
import { type Combine, combineOf } from "./combine.ts";
import { FoldCollector } from "./fold-collector.ts";
import type { MapTask } from "./map-task.ts";
import { mergeRuns, mergeUntilFew } from "./merge-runs.ts";
import { type WrittenRun, writeRun } from "./run-writer.ts";
import type { UserContext } from "./user-context.ts";

const MEMORY_BYTES = 64 * 1024 * 1024;

export interface MapSinkResult extends WrittenRun {
  readonly spills: number;
}

/**
 * Takes a map's pairs; spills them as sorted runs when they outgrow the memory; ends as one run
 * file.
 */
export class MapSink {
  readonly #task: MapTask;
  readonly #combine: Combine;
  readonly #collector: Collector;
  readonly #memoryBytes: number;
  readonly #spills: string[] = [];
  #bytesSpilled = 0;

  constructor(task: MapTask, ctx: UserContext) {
    this.#task = task;
    this.#combine = combineOf(task.job, ctx);
    this.#collector = collectorOf(task, this.#combine);
    this.#memoryBytes = task.memoryBytes ?? MEMORY_BYTES;
  }

  get bytesWritten(): number {
    return this.#bytesSpilled;
  }

  add(key: Key, value: unknown): void {
    const collector = this.#collector;
    collector.add(key, value);
    if (collector.bytes > this.#memoryBytes || collector.isFull) this.#spill();
  }

  /** Writes the run file; the spills are gone. */
  finish(): MapSinkResult {
    const { to, directory, reduces: partitions } = this.#task;
    if (this.#spills.length === 0) return { ...this.#write(to), spills: 0 };
    if (!this.#collector.isEmpty) this.#spill();
    const combine = this.#combine;
    const merge = { directory, partitions, combine };
    const few = mergeUntilFew({ ...merge, from: this.#spills });
    return { ...mergeRuns({ ...merge, from: few, to }), spills: this.#spills.length };
  }

  #spill(): void {
    const path = join(this.#task.directory, `spill-${this.#spills.length}.run`);
    this.#bytesSpilled += this.#write(path).bytes;
    this.#spills.push(path);
  }

  #write(path: string): WrittenRun {
    return writeRun(path, (writer) => this.#collector.drainTo(writer));
  }
}

/**
 * A fold is gathered in a hash table; where it must not combine, each value travels as an
 * accumulator.
 */
function collectorOf({ job, reduces }: MapTask, combine: Combine): Collector {
  const partitioner = new Partitioner(job, reduces);
  const { reducer } = job;
  if (reducer.kind !== "fold") return new PairCollector({ partitioner, combine });
  const { fold } = reducer;
  if (reducer.combines) return new FoldCollector(fold, partitioner);
  const carried = (value: unknown): unknown => fold.add(fold.init(), value);
  return new PairCollector({ partitioner, combine, carried });
}
