import { ByteWriter } from "../../job/byte-writer.ts";
import { RunReader } from "../bytes/run-reader.ts";
import { RunWriter, type WrittenRun } from "../bytes/run-writer.ts";
import { readValue, writeValue } from "../bytes/value-bytes.ts";

/** The common interface of writers of datasets and of parts. */
export interface RecordWriter {
  write(record: unknown): void;
  readonly bytes: number;
  finish(): { readonly bytes: number; readonly records: number; readonly checksum: string };
  close(): void;
}

/**
 * A part of a dataset: a run file of one partition. A record has no key, and the user's record as
 * its value.
 */
export class DatasetWriter {
  readonly #writer: RunWriter;
  readonly #key = new ByteWriter(1);
  readonly #value = new ByteWriter();
  #records = 0;
  #bytes = 0;

  constructor(path: string) {
    this.#writer = new RunWriter(path);
  }

  /** Approximate until the end, then exact. */
  get bytes(): number {
    return this.#bytes;
  }

  write(record: unknown): void {
    this.#value.length = 0;
    writeValue(this.#value, record);
    this.#writer.writeApart({ key: this.#key, value: this.#value });
    this.#records++;
    this.#bytes += this.#value.length;
  }

  finish(): WrittenRun & { readonly records: number } {
    this.#writer.endPartition();
    return { ...this.#writer.finish(), records: this.#records };
  }

  close(): void {
    this.#writer.close();
  }
}

/** A part that is open for reading; every read checks the file. */
export class DatasetPart {
  readonly #reader: RunReader;

  constructor(path: string) {
    this.#reader = new RunReader(path);
  }

  /** The number of its records. */
  get records(): number {
    return this.#reader.segment(0).records;
  }

  /** The records one by one. */
  *all(): Generator<unknown, void, undefined> {
    const cursor = this.#reader.cursor(0);
    while (cursor.advance()) {
      yield readValue({ bytes: cursor.bytes, at: cursor.keyEnd, end: cursor.end });
    }
  }

  close(): void {
    this.#reader.close();
  }
}

/** Reads the records of a part one by one. */
export function* datasetRecords(path: string): Generator<unknown, void, undefined> {
  const part = new DatasetPart(path);
  try {
    yield* part.all();
  } finally {
    part.close();
  }
}
