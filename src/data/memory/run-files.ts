import { join } from "node:path";
import type { Combine } from "../bytes/combine.ts";
import type { Order } from "../bytes/run-format.ts";
import { type RunWriter, type WrittenRun, writeRun } from "../bytes/run-writer.ts";
import { mergeToFile, mergeUntilFew, type SortedRun } from "./merge-to-file.ts";
import type { NumberFoldKind } from "./number-fold.ts";
import type { Workspace } from "./workspace.ts";

export interface RunFilesQuery {
  readonly space: Workspace;
  /** The attempt's own directory, for spills. */
  readonly directory: string;
  /** The run file to write. */
  readonly to: string;
  readonly partitions: number;
  /** Undefined if values stay as they are. */
  readonly combine?: Combine;
  /** See `RunMerge`. */
  readonly numbers?: NumberFoldKind;
  /** See `RunOptions`. */
  readonly compress?: boolean;
  /** Whether the run's reader takes its records in any order. Default: by key. */
  readonly order?: Order;
}

/** Writes every partition of the held pairs, and drops them; in any order if that will do. */
export type Drain = (writer: RunWriter, order: Order) => void;

export interface ShuffleResult extends WrittenRun {
  /** The number of sorted runs written for want of memory. */
  readonly spills: number;
  /** The number of intermediate files merged before the last merge. */
  readonly merges: number;
}

/** The runs that a task writes: spills, when it must, and at the end one run of all. */
export class RunFiles {
  readonly #query: RunFilesQuery;
  readonly #spills: SortedRun[] = [];
  #bytesSpilled = 0;

  constructor(query: RunFilesQuery) {
    this.#query = query;
  }

  get bytesSpilled(): number {
    return this.#bytesSpilled;
  }

  spill(drain: Drain): void {
    const path = join(this.#query.directory, `spill-${this.#spills.length}.run`);
    this.#bytesSpilled += writeRun(path, byKey(drain), this.#query).bytes;
    this.#spills.push({ kind: "file", path });
  }

  /** Drains the held pairs, unless there are none and there are spills. */
  finish(drain: Drain, isEmpty: boolean): ShuffleResult {
    const { space, to, order = "by-key" } = this.#query;
    if (this.#spills.length === 0) {
      const run = writeRun(to, (writer) => drain(writer, order), this.#query);
      return { ...run, spills: 0, merges: 0 };
    }
    if (!isEmpty) this.spill(drain);
    space.clear();
    let merges = 0;
    const merged = (): void => {
      merges++;
    };
    const from = mergeUntilFew({
      ...this.#query,
      bytesMax: space.memory.free / 2,
      from: this.#spills,
      merged,
    });
    return { ...mergeToFile({ ...this.#query, from }, to), spills: this.#spills.length, merges };
  }
}

const byKey =
  (drain: Drain) =>
  (writer: RunWriter): void =>
    drain(writer, "by-key");
