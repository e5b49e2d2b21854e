import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert, never } from "../../base/assert.ts";
import { ByteWriter } from "../../job/byte-writer.ts";
import type { Key } from "../../job/index.ts";
import { writeKey } from "../../job/key-bytes.ts";
import { hashKey } from "../../job/key-hash.ts";
import type { PhaseProgram } from "../../job/program.ts";
import { writeText } from "../../job/wtf8.ts";
import { type PartFile, PartWriter, takesLines } from "../bytes/part-file.ts";
import { writeRun } from "../bytes/run-writer.ts";
import { writeValue } from "../bytes/value-bytes.ts";
import type { Split } from "../formats/split.ts";
import type { ShuffleResult } from "../memory/run-files.ts";
import { giveBack, MEMORY_BYTES, takeWorkspace, type Workspace } from "../memory/workspace.ts";
import { DatasetWriter } from "../task/dataset-file.ts";
import { orderOf } from "../task/order.ts";
import { type NarrowTask, type PhaseResult, phaseOf } from "../task/phase-task.ts";
import { splittersFrom } from "../task/sampled-keys.ts";
import { filesOf, TaskHost } from "../task/task-host.ts";
import { type CountLines, countLines } from "./count-lines.ts";
import { countSlices } from "./count-slices.ts";
import { countWords } from "./count-words.ts";
import { foldColumns } from "./fold-columns.ts";
import { type FusedNarrow, fusedNarrowOf } from "./fuse-narrow.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import { joinColumns } from "./join-columns.ts";
import { keepColumns } from "./keep-columns.ts";
import { LineRange } from "./line-range.ts";
import { countMatching, writeMatching } from "./match-lines.ts";
import { forgetNumberTable, numberTableOf } from "./number-table.ts";
import type { LiteralFinder } from "./required-literal.ts";
import { type SortLines, sortLines } from "./sort-lines.ts";

/** The share of a task's memory that a join's table may take. */
const TABLE_SHARE = 0.5;

/**
 * Does the whole task with kernels, if its phase consists of steps they know. Undefined, with
 * nothing done, if it does not, or the bytes are not fit for the kernels.
 */
export async function runFused(task: NarrowTask): Promise<PhaseResult | undefined> {
  const { source, memoryBytes = MEMORY_BYTES } = task;
  if (task.tables.length === 0) forgetNumberTable();
  const phase = phaseOf(task);
  const fused = fusedNarrowOf(task.program, phase, await literalFinder(phase));
  if (fused === undefined || source.kind !== "split") return undefined;
  if (source.split.compression !== "none") return undefined;
  const range = new LineRange(source.split);
  // The joined table takes the other part.
  const share = fused.kind === "join-columns" ? 1 - TABLE_SHARE : 1;
  const space = takeWorkspace(memoryBytes * share);
  try {
    if (range.isTooLong) return undefined;
    const result = new FusedTask(task, source.split, space, range).run(fused);
    if (result === undefined) removeSpills(task.directory);
    return result;
  } finally {
    giveBack(space);
    range.close();
  }
}

/** A finder that finds nothing if no step has an expression. */
async function literalFinder({ steps }: PhaseProgram): Promise<LiteralFinder> {
  const hasPattern = steps.some(
    (step) => step.kind === "matching" && step.pattern instanceof RegExp,
  );
  return hasPattern ? (await import("./required-literal.ts")).requiredLiteral : () => undefined;
}

class FusedTask {
  readonly #task: NarrowTask;
  readonly #split: Split;
  readonly #space: Workspace;
  readonly #range: LineRange;

  constructor(task: NarrowTask, split: Split, space: Workspace, range: LineRange) {
    this.#task = task;
    this.#split = split;
    this.#space = space;
    this.#range = range;
  }

  run(fused: FusedNarrow): PhaseResult | undefined {
    switch (fused.kind) {
      case "count-words":
        return this.#shuffled(countWords(this.#map, this.#space, this.#range, fused));
      case "count-lines":
        return this.#countLines(fused);
      case "count-slices":
        return this.#shuffled(countSlices(this.#map, this.#space, this.#range, fused));
      case "sort-lines":
        return this.#sortLines(fused.value);
      case "count-matching":
        return this.#countMatching(fused);
      case "write-matching":
        return this.#writeMatching(fused);
      case "fold-columns":
        return this.#shuffled(
          foldColumns(this.#map, this.#space, this.#range, { ...fused, kind: fused.fold }),
        );
      case "keep-columns":
        return this.#keepColumns(fused);
      case "join-columns":
        return this.#joinColumns(fused);
      default:
        return never(fused);
    }
  }

  get #map(): FusedMap {
    const { partitions, directory, to, progress, compress } = this.#task;
    return {
      split: this.#split,
      partitions,
      directory,
      to,
      ...(progress !== undefined && { progress }),
      ...(compress !== undefined && { compress }),
      order: orderOf(this.#task.program, phaseOf(this.#task)),
    };
  }

  /**
   * If most lines differ, they are sorted, and each line's value is the fold of that line alone.
   */
  #countLines(how: CountLines): PhaseResult | undefined {
    const counted = countLines(this.#map, this.#space, this.#range, how);
    if (counted?.kind !== "too-different") return this.#shuffled(counted?.result);
    removeSpills(this.#task.directory);
    this.#space.clear();
    this.#range.rewind();
    return this.#sortLines(how.isDistinct ? null : 1);
  }

  #sortLines(value: Key): PhaseResult | undefined {
    const { writes } = phaseOf(this.#task);
    assert(writes.kind === "shuffle", "sorted lines are shuffled");
    const { partition } = writes;
    const bytes = new ByteWriter();
    writeValue(bytes, value);
    // One partition needs no sample.
    const isParted = partition.kind === "range" && this.#task.partitions > 1;
    const splittersFor = isParted ? this.#splittersFor(partition.sample) : undefined;
    if (isParted && splittersFor === undefined) return undefined;
    return this.#shuffled(
      sortLines(this.#map, this.#space, this.#range, {
        value: bytes.view(),
        ...(splittersFor !== undefined && { splittersFor }),
      }),
    );
  }

  /** Undefined if the sample has keys that are not texts. */
  #splittersFor(sample: number): SortLines["splittersFor"] {
    const files = filesOf(this.#task, sample);
    const isText = (key: Key): key is string => typeof key === "string";
    if (!splittersFrom({ files, partitions: this.#task.partitions }).every(isText))
      return undefined;
    return (shares) => splittersFrom({ files, partitions: shares }).filter(isText).map(textBytes);
  }

  #countMatching({
    where,
    key,
  }: Extract<FusedNarrow, { kind: "count-matching" }>): PhaseResult | undefined {
    const counted = countMatching(this.#space, this.#range, where, this.#moved);
    if (counted === undefined) return undefined;
    const { partitions, to } = this.#task;
    const { records: inputRecords, matches } = counted;
    const run = writeRun(to, (writer) => {
      for (let partition = 0; partition < partitions; partition++) {
        if (matches > 0 && hashKey(key) % partitions === partition) {
          const pair = { key: new ByteWriter(), value: new ByteWriter() };
          writeKey(pair.key, key);
          writeValue(pair.value, matches);
          writer.writeApart(pair);
        }
        writer.endPartition();
      }
    });
    const inputBytes = this.#range.bytesRead;
    return this.#shuffled({ ...run, spills: 0, merges: 0, inputRecords, inputBytes });
  }

  #writeMatching({
    where,
    output,
  }: Extract<FusedNarrow, { kind: "write-matching" }>): PhaseResult | undefined {
    const { to, program } = this.#task;
    const { output: how } = program.outputs[output] ?? {};
    assert(how !== undefined, "an output of the program");
    if (!takesLines(how)) return undefined;
    const writer = new PartWriter(to, how);
    try {
      const sink = {
        writeLines: writer.writeLines.bind(writer),
        write: writer.write.bind(writer),
        moved: this.#moved,
      };
      const found = writeMatching(this.#space, this.#range, where, sink);
      return found && this.#part(writer.finish(), found.records);
    } finally {
      writer.close();
    }
  }

  #keepColumns(fused: Extract<FusedNarrow, { kind: "keep-columns" }>): PhaseResult | undefined {
    const writer = new DatasetWriter(this.#task.to);
    try {
      const take = (pair: readonly [number, number]): void => writer.write(pair);
      const query = { ...fused, split: this.#split, take };
      const kept = keepColumns(this.#space, this.#range, query);
      return kept && this.#part(writer.finish(), kept.records);
    } finally {
      writer.close();
    }
  }

  #joinColumns(fused: Extract<FusedNarrow, { kind: "join-columns" }>): PhaseResult | undefined {
    const { memoryBytes = MEMORY_BYTES } = this.#task;
    const files = filesOf(this.#task, fused.table);
    const table = numberTableOf(files, memoryBytes * TABLE_SHARE);
    if (table === undefined) return undefined;
    const query = { ...fused, kind: fused.fold, table };
    return this.#shuffled(joinColumns(this.#map, this.#space, this.#range, query));
  }

  #part(
    { bytes, records, checksum }: Pick<PartFile, "bytes" | "records" | "checksum">,
    inputRecords: number,
  ): PhaseResult {
    const { to: path } = this.#task;
    const counters = new TaskHost(this.#task).counters.values();
    const read = { counters, inputRecords, inputBytes: this.#range.bytesRead };
    return { kind: "part", part: { path, bytes, records, checksum, ...read } };
  }

  readonly #moved = (records: number): void => {
    report(this.#map, { records, bytesRead: this.#range.bytesRead, bytesWritten: 0 });
  };

  #shuffled(result: (ShuffleResult & FusedResult) | undefined): PhaseResult | undefined {
    if (result === undefined) return undefined;
    const { segments, ...run } = result;
    const { to: path } = this.#task;
    const records = segments.reduce((sum, one) => sum + one.records, 0);
    const byPartition = segments.map(({ bytes }) => bytes);
    const counters = new TaskHost(this.#task).counters.values();
    return { kind: "shuffle-output", output: { path, ...run, records, byPartition, counters } };
  }
}

function textBytes(text: string): Uint8Array {
  const bytes = new ByteWriter(3 * text.length);
  writeText(bytes, text);
  return bytes.view();
}

function removeSpills(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith("spill-") || name.startsWith("merge-")) rmSync(join(directory, name));
  }
}
