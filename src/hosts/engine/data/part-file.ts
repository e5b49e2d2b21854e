import { closeSync, openSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Output } from "../../../job/index.ts";
import { checksumName } from "./checksum.ts";
import { formatOf } from "./record-format.ts";

/** A finished part of the job's output, still under its attempt's temporary name. Plain data. */
export interface PartFile {
  readonly path: string;
  readonly bytes: number;
  /** Records of output. */
  readonly records: number;
  /** Of the whole file. */
  readonly checksum: string;
  readonly counters: Readonly<Record<string, number>>;
  readonly inputRecords: number;
  readonly inputBytes: number;
}

/** `part-00000` and on: the committed name of a part. */
export function partName(index: number): string {
  return `part-${String(index).padStart(5, "0")}`;
}

const PENDING_LENGTH = 64 * 1024;

/** Writes the records of one part, a line each. */
export class PartWriter {
  readonly path: string;
  readonly #handle: number;
  readonly #format: (record: unknown) => string;
  #pending = "";
  #bytes = 0;
  #records = 0;
  #checksum = 0;

  constructor(path: string, output: Output) {
    this.path = path;
    this.#handle = openSync(path, "w");
    this.#format = formatOf(output);
  }

  get bytes(): number {
    return this.#bytes;
  }

  write(record: unknown): void {
    this.#pending += `${this.#format(record)}\n`;
    this.#records++;
    if (this.#pending.length >= PENDING_LENGTH) this.#flush();
  }

  finish(): Pick<PartFile, "path" | "bytes" | "records" | "checksum"> {
    this.#flush();
    const { path } = this;
    return {
      path,
      bytes: this.#bytes,
      records: this.#records,
      checksum: checksumName(this.#checksum),
    };
  }

  close(): void {
    closeSync(this.#handle);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#pending);
    this.#pending = "";
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#handle, bytes, at);
    this.#bytes += bytes.length;
    this.#checksum = crc32(bytes, this.#checksum);
  }
}
