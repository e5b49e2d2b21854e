import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AssertionError, assert, defined } from "../../../../base/assert.ts";
import { applySteps } from "../../../../job/apply-steps.ts";
import { fusedReduceOf, reduceFused } from "../fused/fuse-reduce.ts";
import { Groups } from "../groups.ts";
import { MergeCursor } from "../memory/merge-cursor.ts";
import { MergeStream, type RunSource } from "../memory/merge-stream.ts";
import { mergeUntilFew, type Run, removeRuns, withSources } from "../memory/merge-to-file.ts";
import { Segments } from "../memory/segments.ts";
import { giveBack, MEMORY_BYTES, takeWorkspace, type Workspace } from "../memory/workspace.ts";
import { PartWriter } from "../part-file.ts";
import { Pacer } from "../progress.ts";
import { runGroups } from "./group-runner.ts";
import { type PhaseResult, type PhaseTask, phaseOf } from "./phase-task.ts";
import { TaskHost } from "./task-host.ts";
import { openSink, type TaskSink } from "./task-sink.ts";

export interface ReductionTask extends PhaseTask {
  /**
   * By side, the tasks whose outputs are read, by whatever number they have, in the order in which
   * a key's values are to come.
   */
  readonly sources: readonly (readonly number[])[];
}

/** One attempt at a partition: fetch from each source as it finishes, in any order, then finish. */
export interface Reduction {
  /** Copies this partition's segment of a source's output, checking it; throws FetchError. */
  fetch(from: { readonly source: number; readonly path: string }): Promise<void>;
  /** Those that are still to be fetched. */
  readonly missing: ReadonlySet<number>;
  /** Merges, groups, takes the records through the steps. Call it once, after all is fetched. */
  finish(): Promise<PhaseResult>;
  /** Gives back the memory that it holds; in the end, however it went. */
  close(): void;
}

export function openReduction(task: ReductionTask): Reduction {
  return new MergingReduction(task);
}

/** Of its memory, what a join's values of one key may take on the heap. */
const HELD_SHARE = 0.25;

const COPY = 0;
const SORT = 1;
const REDUCE = 2;

/** What of its memory merging may fill with windows; each side of a join has its own. */
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

  constructor(task: ReductionTask) {
    // What it writes into another shuffle wants as much memory as what it reads.
    const sharers = phaseOf(task).writes.kind === "shuffle" ? 2 : 1;
    const memoryBytes = (task.memoryBytes ?? MEMORY_BYTES) / sharers;
    const own = { ...task, memoryBytes };
    this.#task = own;
    this.missing = new Set(task.sources.flat());
    this.#sources = this.missing.size;
    this.#space = takeWorkspace(memoryBytes);
    this.#segments = new Segments(this.#space, own);
  }

  async fetch({ source, path }: { readonly source: number; readonly path: string }): Promise<void> {
    assert(this.missing.has(source), "a source is fetched once, if it is one");
    const { task: partition } = this.#task;
    const { bytes, records, isWritten } = this.#segments.fetch({ map: source, path, partition });
    this.missing.delete(source);
    this.#bytesRead += bytes;
    if (isWritten) this.#bytesWritten += bytes;
    this.#recordsFetched += records;
    this.#report(COPY, 1 - this.missing.size / this.#sources, 0);
  }

  async finish(): Promise<PhaseResult> {
    assert(this.missing.size === 0, "every source has been fetched");
    const sides = this.#task.sources.map((sources, side) => this.#sort(sources, side));
    this.#report(SORT, 1, 0);
    const mark = this.#space.memory.used;
    let result = withSides(sides, (sources) => this.#finishFused(sources));
    if (result === undefined) {
      this.#space.memory.release(mark);
      result = withSides(sides, (sources) => this.#finishGroups(sources));
    }
    for (const runs of sides) removeRuns(runs);
    const merges = this.#merges;
    if (result.kind === "part") return { ...result, part: { ...result.part, merges } };
    return { ...result, output: { ...result.output, merges: result.output.merges + merges } };
  }

  close(): void {
    giveBack(this.#space);
  }

  /** In the order of sources; merged where they are too many to be merged at once. */
  #sort(sources: readonly number[], side: number): readonly Run[] {
    const space = this.#space;
    const directory = join(this.#task.directory, `side-${side}`);
    mkdirSync(directory);
    return mergeUntilFew({
      from: this.#segments.runs(sources),
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

  /** Undefined: kernels cannot do it. */
  #finishFused([sources]: readonly (readonly RunSource[])[]): PhaseResult | undefined {
    const phase = phaseOf(this.#task);
    const fused = fusedReduceOf(phase);
    const output = phase.writes.kind === "output" ? phase.writes.output : undefined;
    if (fused === undefined || output === undefined || sources === undefined) return undefined;
    const sink = openPart(this.#task, output);
    try {
      if (!sink.takesLines) return undefined;
      const space = this.#space;
      const stream = new MergeStream(space, sources);
      const moved = (): void => this.#moved(() => stream.merged, { bytesWritten: sink.bytes });
      if (!reduceFused(fused, { space, stream, sink, moved })) return undefined;
      const counters = new TaskHost(this.#task).counters.values();
      const inputRecords = stream.merged;
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
      // Cursors show memory, which does not grow from now on.
      const groups: readonly Groups[] = streams.map(
        (stream) => new Groups(new MergeCursor(space, stream), () => moved()),
      );
      const read = (): number => groups.reduce((sum, side) => sum + side.valuesRead, 0);
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

  #reduce(sides: readonly Groups[], host: TaskHost, sink: TaskSink): void {
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

/** Opens the runs of side after side. */
function withSides<T>(
  sides: readonly (readonly Run[])[],
  use: (sources: readonly (readonly RunSource[])[]) => T,
): T {
  const [first, ...others] = sides;
  if (first === undefined) return use([]);
  return withSources(first, (sourcesOf) =>
    withSides(others, (sources) => use([sourcesOf(0), ...sources])),
  );
}

function openPart({ program, to }: ReductionTask, output: number): PartWriter {
  const { output: format } = defined(program.outputs[output], "an output of the program");
  return new PartWriter(to, format);
}
