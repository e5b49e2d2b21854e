import { ByteWriter } from "../../job/byte-writer.ts";
import type { Cursor } from "../bytes/cursor.ts";
import type { RunWriter } from "../bytes/run-writer.ts";
import { writeValue } from "../bytes/value-bytes.ts";
import { ENTRY_BYTES } from "../kernel/kernel.ts";
import { type Entries, keyBytesOf, keyOf, partitionOf, payloadOf } from "./entries.ts";
import type { Workspace } from "./workspace.ts";

/** Keys in order, each with an accumulator on the heap, written as records. */
export class FoldEntries implements Cursor {
  bytes: Uint8Array = new Uint8Array(0);
  readonly keyStart = 0;
  keyEnd = 0;
  end = 0;
  readonly #space: Workspace;
  readonly #entries: Entries;
  readonly #accumulators: readonly unknown[];
  readonly #record = new ByteWriter(256);
  #next = 0;

  /** `entries`: their payloads are the indices of the accumulators. */
  constructor(space: Workspace, entries: Entries, accumulators: readonly unknown[]) {
    this.#space = space;
    this.#entries = entries;
    this.#accumulators = accumulators;
  }

  /**
   * Writes records by partition, as the entries are sorted; or, where entries are sorted by key
   * alone, by the partitions that `own` gives for each accumulator.
   */
  writeTo(writer: RunWriter, partitions: number, own: readonly number[] | undefined): void {
    for (let partition = 0; partition < partitions; partition++) {
      if (own !== undefined) this.#next = 0;
      for (; this.#next < this.#entries.count; this.#next++) {
        const entry = this.#entries.at + this.#next * ENTRY_BYTES;
        if (own !== undefined) {
          if (own[payloadOf(this.#space, entry)] !== partition) continue;
        } else if (partitionOf(this.#space, entry) !== partition) {
          break;
        }
        this.#show(entry);
        writer.write(this);
      }
      writer.endPartition();
    }
  }

  advance(): boolean {
    if (this.#next === this.#entries.count) return false;
    this.#show(this.#entries.at + this.#next++ * ENTRY_BYTES);
    return true;
  }

  #show(entry: number): void {
    const record = this.#record;
    const start = keyOf(this.#space, entry);
    record.length = 0;
    record.appendRange(this.#space.memory.bytes, start, start + keyBytesOf(this.#space, entry));
    this.keyEnd = record.length;
    writeValue(record, this.#accumulators[payloadOf(this.#space, entry)]);
    this.bytes = record.bytes;
    this.end = record.length;
  }
}
