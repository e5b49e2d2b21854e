import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AssertionError, assert, defined } from "../../base/assert.ts";
import { applySteps } from "../../job/apply-steps.ts";
import { KeyGroups } from "../bytes/groups.ts";
import { PartWriter, takesLines } from "../bytes/part-file.ts";
import { type FusedReduce, foldedLines, fusedReduceOf, reduceFused } from "../fused/fuse-reduce.ts";
import { forgetNumberTable } from "../fused/number-table.ts";
import { MergeCursor } from "../memory/merge-cursor.ts";
import { MergeStream, type RunSource } from "../memory/merge-stream.ts";
import { mergeUntilFew, removeRuns, type SortedRun, withSources } from "../memory/merge-to-file.ts";
import { putLines } from "../memory/put-lines.ts";
import { Segments } from "../memory/segments.ts";
import { UnorderedRuns } from "../memory/unordered-runs.ts";
import {
  BEYOND,
  giveBack,
  KERNELS_SHARE,
  MEMORY_BYTES,
  takeWorkspace,
  type Workspace,
} from "../memory/workspace.ts";
import { runGroups } from "./group-runner.ts";
import { foldedNumbers } from "./order.ts";
import { type PhaseResult, type PhaseTask, phaseOf } from "./phase-task.ts";
import { Pacer } from "./progress.ts";
import { TaskHost } from "./task-host.ts";
import { openSink, type TaskSink } from "./task-sink.ts";

export interface ReductionTask extends PhaseTask {
  /**
   * By side, the numbers of the tasks whose outputs are read, in the order in which a key's values
   * must come.
   */
  readonly sources: readonly (readonly number[])[];
}

/** One attempt at a partition: fetch from each source as it finishes, in any order, then finish. */
export interface Reduction {
  /** Copies this partition's segment of a source's output, checking it; throws FetchError. */
  fetch(from: FetchFrom): Promise<void>;
  /** The sources still to be fetched. */
  readonly missing: ReadonlySet<number>;
  /** Merges and groups the records and runs the steps. Call this once, after all fetches. */
  finish(): Promise<PhaseResult>;
  /** Gives the memory back. Call this in any case at the end. */
  close(): void;
}

export interface FetchFrom {
  readonly source: number;
  readonly path: string;
  /** This reduction's partition in the file, if the file's partitions are not the shuffle's. */
  readonly partition?: number;
}

export function openReduction(task: ReductionTask): Reduction {
  return new MergingReduction(task);
}

/** The share of the memory that a join's values of one key may take on the heap. */
const HELD_SHARE = 0.25;

const COPY = 0;
const SORT = 1;
const REDUCE = 2;

/** The share of the memory that windows for merging may fill; each side of a join has its own. */
const WINDOWS_SHARE = 0.5;

class MergingReduction implements Reduction {
  readonly missing: Set<number>;
  readonly #task: ReductionTask;
  readonly #space: Workspace;
  readonly #segments: Segments;
  readonly #pacer = new Pacer();
  readonly #sources: number;
  #bytesRead = 0;
  #bytesWritten = 0;
  #recordsFetched = 0;
  #recordsMerged = 0;
  #merges = 0;
  /**
   * Runs that came unordered and were sorted by folding, and the number of records that folding
   * saved.
   */
  #folded: readonly SortedRun[] = [];
  #recordsFolded = 0;

  constructor(task: ReductionTask) {
    if (task.tables.length === 0) forgetNumberTable();
    // The shuffle that it writes needs as much memory as the one that it reads.
    const sharers = phaseOf(task).writes.kind === "shuffle" ? 2 : 1;
    const isFused = fusedReduceOf(phaseOf(task)) !== undefined;
    const share = (isFused ? 1 : KERNELS_SHARE) / sharers;
    const taskBytes = task.memoryBytes ?? MEMORY_BYTES;
    const memoryBytes = taskBytes * share;
    const own = { ...task, memoryBytes };
    this.#task = own;
    this.missing = new Set(task.sources.flat());
    this.#sources = this.missing.size;
    this.#space = takeWorkspace(memoryBytes, BEYOND * KERNELS_SHARE * taskBytes);
    this.#segments = new Segments(this.#space, own);
  }

  async fetch({ source, path, partition = this.#task.task }: FetchFrom): Promise<void> {
    assert(this.missing.has(source), "a source is fetched once, if it is one");
    const { bytes, records, isWritten } = this.#segments.fetch({ map: source, path, partition });
    this.missing.delete(source);
    this.#bytesRead += bytes;
    if (isWritten) this.#bytesWritten += bytes;
    this.#recordsFetched += records;
    this.#report(COPY, 1 - this.missing.size / this.#sources, 0);
  }

  async finish(): Promise<PhaseResult> {
    assert(this.missing.size === 0, "every source has been fetched");
    const result = this.#finishUnordered() ?? this.#finishOrdered();
    const merges = this.#merges;
    if (result.kind === "part") return { ...result, part: { ...result.part, merges } };
    return { ...result, output: { ...result.output, merges: result.output.merges + merges } };
  }

  close(): void {
    giveBack(this.#space);
  }

  /** Undefined if some run is ordered, or the kernels cannot do all of it. */
  #finishUnordered(): PhaseResult | undefined {
    const sources = this.#task.sources.flat();
    const from = this.#segments.runs(sources, "any");
    if (from.length === 0) return undefined;
    const numbers = foldedNumbers(phaseOf(this.#task));
    assert(numbers !== undefined, "only a fold of numbers reads unordered runs");
    const { directory } = this.#task;
    const how = { space: this.#space, from, numbers, directory, ...compressing(this.#task) };
    const unordered = new UnorderedRuns(how);
    const isAll = this.#segments.runs(sources).length === 0;
    const result = isAll ? this.#finishTable(unordered) : undefined;
    if (result === undefined) this.#folded = unordered.toRuns();
    else unordered.close();
    this.#recordsFolded = unordered.recordsFolded;
    return result;
  }

  #finishOrdered(): PhaseResult {
    const sides = this.#task.sources.map((sources, side) => this.#sort(sources, side));
    this.#report(SORT, 1, 0);
    const mark = this.#space.memory.used;
    let result = withSides(sides, (sources) => this.#finishFused(sources));
    if (result === undefined) {
      this.#space.memory.release(mark);
      result = withSides(sides, (sources) => this.#finishGroups(sources));
    }
    for (const runs of sides) removeRuns(runs);
    return result;
  }

  /** Runs in the order of sources, merged if there are too many to merge at once. */
  #sort(sources: readonly number[], side: number): readonly SortedRun[] {
    const space = this.#space;
    const directory = join(this.#task.directory, `side-${side}`);
    mkdirSync(directory);
    return mergeUntilFew({
      from: [...this.#folded, ...this.#segments.runs(sources)],
      space,
      directory,
      ...compressing(this.#task),
      partitions: 1,
      bytesMax: (space.memory.free * WINDOWS_SHARE) / this.#task.sources.length,
      merged: ({ bytes, segments }) => {
        this.#merges++;
        this.#recordsMerged += segments[0]?.records ?? 0;
        this.#bytesWritten += bytes;
        const share = this.#recordsMerged / Math.max(1, this.#recordsFetched);
        this.#report(SORT, Math.min(1, share), 0);
      },
    });
  }

  /** Undefined if the kernels cannot do it. */
  #finishFused([sources]: readonly (readonly RunSource[])[]): PhaseResult | undefined {
    if (sources === undefined) return undefined;
    const space = this.#space;
    return this.#finishLines((fused, sink) => {
      const stream = new MergeStream(space, sources);
      const moved = (): void =>
        this.#moved(() => this.#recordsFolded + stream.merged, { bytesWritten: sink.bytes });
      return reduceFused(fused, { space, stream, sink, moved });
    });
  }

  /** As `#finishFused`, from a table, if the table holds all records. */
  #finishTable(unordered: UnorderedRuns): PhaseResult | undefined {
    return this.#finishLines((fused, sink) => {
      const folded = unordered.sorted();
      if (folded === undefined || fused.kind !== "fold") return false;
      putLines(foldedLines(fused, { space: this.#space, sink, ...folded }), folded.entries);
      return true;
    });
  }

  /** `write` returns whether it could write the lines. */
  #finishLines(write: (fused: FusedReduce, sink: PartWriter) => boolean): PhaseResult | undefined {
    const phase = phaseOf(this.#task);
    const fused = fusedReduceOf(phase);
    const output = phase.writes.kind === "output" ? phase.writes.output : undefined;
    if (fused === undefined || output === undefined) return undefined;
    const sink = openLines(this.#task, output);
    if (sink === undefined) return undefined;
    try {
      if (!write(fused, sink)) return undefined;
      const counters = new TaskHost(this.#task).counters.values();
      const inputRecords = this.#recordsFetched;
      const part = { ...sink.finish(), counters, inputRecords, inputBytes: this.#bytesRead };
      this.#report(REDUCE, 1, inputRecords, part.bytes);
      return { kind: "part", part };
    } finally {
      sink.close();
    }
  }

  #finishGroups(sides: readonly (readonly RunSource[])[]): PhaseResult {
    const space = this.#space;
    const host = new TaskHost(this.#task);
    const sink = openSink(this.#task, host);
    try {
      const streams = sides.map((sources) => new MergeStream(space, sources));
      // Cursors are views of the memory, which does not grow from now on.
      const groups: readonly KeyGroups[] = streams.map(
        (stream) => new KeyGroups(new MergeCursor(space, stream), () => moved()),
      );
      const read = (): number =>
        groups.reduce((sum, side) => sum + side.valuesRead, this.#recordsFolded);
      const moved = (): void => this.#moved(read, sink);
      this.#reduce(groups, host, sink);
      return this.#finished(sink, host, read());
    } finally {
      sink.close();
    }
  }

  #finished(sink: TaskSink, host: TaskHost, inputRecords: number): PhaseResult {
    const counters = host.counters.values();
    const result = sink.finish({ counters, inputRecords, inputBytes: this.#bytesRead });
    this.#report(REDUCE, 1, inputRecords, sink.bytesWritten);
    return result;
  }

  #reduce(sides: readonly KeyGroups[], host: TaskHost, sink: TaskSink): void {
    const { reads, steps } = phaseOf(this.#task);
    if (reads.kind !== "shuffle") throw new AssertionError("a reduction reads a shuffle");
    const into = applySteps(steps, host, sink);
    const ctx = host.context((key, value) => into.addPair(key, value));
    const { directory, memoryBytes = MEMORY_BYTES } = this.#task;
    const bytesMax = memoryBytes * HELD_SHARE;
    runGroups({ group: reads.group, sides, ctx, into, directory, bytesMax });
  }

  #moved(read: () => number, out: { readonly bytesWritten: number }): void {
    if (!this.#pacer.step()) return;
    const valuesRead = read();
    const fraction = Math.min(1, valuesRead / Math.max(1, this.#recordsFetched));
    this.#report(REDUCE, fraction, valuesRead, out.bytesWritten);
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

const compressing = ({ compress }: ReductionTask) => (compress === undefined ? {} : { compress });

/** Opens the runs of each side in turn. */
function withSides<T>(
  sides: readonly (readonly SortedRun[])[],
  use: (sources: readonly (readonly RunSource[])[]) => T,
): T {
  const [first, ...others] = sides;
  if (first === undefined) return use([]);
  return withSources(first, (sourcesOf) =>
    withSides(others, (sources) => use([sourcesOf(0), ...sources])),
  );
}

/** Undefined if the output is not made of lines. */
function openLines({ program, to }: ReductionTask, output: number): PartWriter | undefined {
  const { output: how } = defined(program.outputs[output], "an output of the program");
  return takesLines(how) ? new PartWriter(to, how) : undefined;
}
