import { never } from "../../base/assert.ts";
import { ByteWriter } from "../../job/byte-writer.ts";
import type { Fold, Key } from "../../job/index.ts";
import { type Combine, mergeAll, mergeWithin } from "../bytes/combine.ts";
import { KeyGroups } from "../bytes/groups.ts";
import type { Order } from "../bytes/run-format.ts";
import { writeValue } from "../bytes/value-bytes.ts";
import { FoldTable } from "./any-fold.ts";
import { NumberFold, type NumberFoldKind } from "./number-fold.ts";
import { PairArena, type PairQuery, type Pairs } from "./pair-arena.ts";
import { RunFiles, type ShuffleResult } from "./run-files.ts";
import { giveBack, takeWorkspace, tooLarge, type Workspace } from "./workspace.ts";

/** How a key's values are combined before they travel. */
export type Combining =
  | { readonly kind: "none" }
  | {
      readonly kind: "fold";
      readonly fold: Fold<unknown, unknown, unknown>;
      /** The fold of numbers, if the kernels know it. */
      readonly numbers: NumberFoldKind | undefined;
      /** If false, values only become accumulators. */
      readonly combines: boolean;
    }
  | { readonly kind: "function"; readonly combine: Combine };

export interface ShuffleQuery {
  /** The attempt's own directory, for spills. */
  readonly directory: string;
  /** The run file to write. */
  readonly to: string;
  readonly partitions: number;
  readonly memoryBytes: number;
  /** Undefined: partitions go by the hash of the key's bytes. */
  partition?(key: Key): number;
  readonly combining: Combining;
  /** See `RunOptions`. */
  readonly compress?: boolean;
  /** See `RunFilesQuery`. */
  readonly order?: Order;
}

/** Takes a task's pairs and writes them as one run file. */
export class ShuffleWriter {
  readonly #space: Workspace;
  readonly #pairs: Pairs;
  readonly #files: RunFiles;

  constructor(query: ShuffleQuery) {
    const { directory, to, memoryBytes: bytesMax, partitions, partition } = query;
    const { combining, compress, order } = query;
    const space = takeWorkspace(bytesMax);
    const combine = combineOf(combining, space.bytes);
    const numbers = combining.kind === "fold" && combine ? combining.numbers : undefined;
    this.#space = space;
    this.#files = new RunFiles({
      space,
      directory,
      to,
      partitions,
      ...(combine !== undefined && { combine }),
      ...(numbers !== undefined && { numbers }),
      ...(compress !== undefined && { compress }),
      ...(order !== undefined && { order }),
    });
    this.#pairs = pairsOf(combining, {
      space,
      bytesMax,
      partitions,
      ...(partition !== undefined && { partition: partition.bind(query) }),
      spill: () => this.#files.spill((writer, order) => this.#pairs.drainTo(writer, order)),
    });
  }

  get bytesWritten(): number {
    return this.#files.bytesSpilled;
  }

  add(key: Key, value: unknown): void {
    this.#pairs.add(key, value);
  }

  /** Writes the run file; the spills are deleted. */
  finish(): ShuffleResult {
    this.#pairs.flush();
    const { isEmpty } = this.#pairs;
    return this.#files.finish((writer, order) => this.#pairs.drainTo(writer, order), isEmpty);
  }

  /** Gives the memory back. */
  close(): void {
    giveBack(this.#space);
  }
}

function pairsOf(combining: Combining, query: PairQuery): Pairs {
  switch (combining.kind) {
    case "none":
      return new PairArena(query);
    case "function":
      return new PairArena({ ...query, combine: combining.combine });
    case "fold": {
      const { fold, numbers, combines } = combining;
      const carried = (value: unknown): unknown => fold.add(fold.init(), value);
      const other = (): PairArena => new PairArena({ ...query, carried });
      if (!combines) return other();
      const values = (): FoldTable => new FoldTable({ ...query, fold, other });
      if (numbers === undefined) return values();
      return new NumberFold({ ...query, fold, kind: numbers, other, values });
    }
    default:
      return never(combining);
  }
}

function combineOf(combining: Combining, bytesMax: number): Combine | undefined {
  if (combining.kind === "function") return combining.combine;
  if (combining.kind === "none" || !combining.combines) return undefined;
  return mergeBy(combining.fold, bytesMax);
}

/** Throws an InputError for an accumulator larger than `bytesMax`. */
function mergeBy(fold: Fold<unknown, unknown, unknown>, bytesMax: number): Combine {
  const value = new ByteWriter();
  const merged = (groups: KeyGroups): unknown =>
    fold.keepsAll ? mergeWithin(fold, groups, bytesMax) : mergeAll(fold, groups);
  return (records, writer) => {
    const groups = new KeyGroups(records);
    while (groups.advance()) {
      value.length = 0;
      writeValue(value, merged(groups));
      // Otherwise the reduce would find it later, with more accumulators in memory.
      if (value.length > bytesMax) throw tooLarge(value.length, bytesMax);
      writer.writeApart({ key: groups.keyBytes, value });
    }
  };
}
