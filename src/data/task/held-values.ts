import { rmSync } from "node:fs";
import { DatasetWriter, datasetRecords } from "./dataset-file.ts";

/** Values to iterate repeatedly: in memory, or in a file if they exceed their memory. */
export class HeldValues implements Iterable<unknown> {
  #values: unknown[] = [];
  #bytes = 0;
  readonly #path: string;
  #isWritten = false;

  /** `path`: the file to use if one is needed. */
  constructor(values: Iterable<unknown>, path: string, bytesMax: number) {
    this.#path = path;
    const rest = values[Symbol.iterator]();
    for (let next = rest.next(); !next.done; next = rest.next()) {
      this.#values.push(next.value);
      this.#bytes += heldBytes(next.value);
      if (this.#bytes > bytesMax) {
        this.#write(rest);
        return;
      }
    }
  }

  get isWritten(): boolean {
    return this.#isWritten;
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.#isWritten ? datasetRecords(this.#path) : this.#values[Symbol.iterator]();
  }

  /** Call this while no iteration is under way. */
  close(): void {
    if (this.#isWritten) rmSync(this.#path, { force: true });
  }

  #write(rest: Iterator<unknown>): void {
    const writer = new DatasetWriter(this.#path);
    this.#isWritten = true;
    try {
      for (const value of this.#values) writer.write(value);
      this.#values = [];
      for (let next = rest.next(); !next.done; next = rest.next()) writer.write(next.value);
      writer.finish();
    } finally {
      writer.close();
    }
  }
}

/** The bytes of a value on the heap, about. */
function heldBytes(value: unknown): number {
  if (typeof value === "string") return 24 + 2 * value.length;
  if (value instanceof Uint8Array) return 100 + value.length;
  if (typeof value !== "object" || value === null) return 16;
  return Object.values(value).reduce<number>((sum, one) => sum + heldBytes(one), 64);
}
