import { closeSync, openSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import type { Output } from "../../job/index.ts";
import type { BadRecordCount } from "../formats/malformed.ts";
import { type RecordText, recordText } from "../formats/record-text.ts";
import { checksumName } from "./checksum.ts";
import { crc32 } from "./crc32.ts";
import { writeAll } from "./write-all.ts";

/** A finished part of the job's output, still under its attempt's temporary name. Plain data. */
export interface PartFile {
  readonly path: string;
  readonly bytes: number;
  /** Records of output. */
  readonly records: number;
  /** The checksum of the whole file. */
  readonly checksum: string;
  readonly counters: Readonly<Record<string, number>>;
  readonly inputRecords: number;
  readonly inputBytes: number;
  /** Absent if no record was skipped. */
  readonly badRecords?: BadRecordCount;
  /**
   * The number of intermediate files merged, for want of memory, before the last merge; absent if
   * none.
   */
  readonly merges?: number;
}

/** The committed name of a part: `part-00000` and on. */
export function partName(index: number, { compress }: Pick<Output, "compress"> = {}): string {
  return `part-${String(index).padStart(5, "0")}${compress === undefined ? "" : ".gz"}`;
}

/**
 * Whether a string or a whole number, or several separated by TABs, are written as their UTF-8, if
 * none of them holds a TAB or a line end.
 */
export const takesLines = ({ format }: Output): boolean =>
  format.kind === "text" && format.encoding === "utf8" && format.marks !== "escaped";

const PENDING_LENGTH = 64 * 1024;

/** Writes the records of one part, one line each. */
export class PartWriter {
  readonly path: string;
  readonly #handle: number;
  readonly #text: RecordText;
  /** Set if the part is compressed. */
  readonly #members: GzipMembers | undefined;
  #pending = "";
  #bytes = 0;
  #records = 0;
  #checksum = 0;

  constructor(path: string, output: Output) {
    this.path = path;
    this.#handle = openSync(path, "w");
    this.#text = recordText(output);
    if (output.compress !== undefined) {
      this.#members = new GzipMembers((bytes) => this.#write(bytes));
    }
    const { head, isHeadFirst } = this.#text;
    if (!isHeadFirst || basename(path).startsWith(partName(0))) this.#pending = head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  write(record: unknown): void {
    this.#pending += this.#text.line(record);
    this.#records++;
    if (this.#pending.length >= PENDING_LENGTH) this.#flush();
  }

  /**
   * Writes whole lines of UTF-8, with their ends, as they are; only for an output that
   * `takesLines`.
   */
  writeLines(bytes: Uint8Array, start: number, end: number, records: number): void {
    if (this.#pending !== "") this.#flush();
    this.#put(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start));
    this.#records += records;
  }

  finish(): Pick<PartFile, "path" | "bytes" | "records" | "checksum"> {
    this.#flush();
    this.#members?.finish();
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
    const text = this.#text.bytes(this.#pending);
    this.#pending = "";
    this.#put(text);
  }

  #put(text: Buffer): void {
    if (this.#members === undefined) this.#write(text);
    else this.#members.add(text);
  }

  #write(bytes: Buffer): void {
    writeAll({ path: this.path, handle: this.#handle }, bytes);
    this.#bytes += bytes.length;
    this.#checksum = crc32(bytes, this.#checksum);
  }
}

const MEMBER_BYTES = 1024 * 1024;

/**
 * Writes bytes as a gzip file of members that hold a megabyte each, independent of how the bytes
 * arrive: the same bytes give the same file.
 */
class GzipMembers {
  readonly #member = Buffer.allocUnsafeSlow(MEMBER_BYTES);
  readonly #write: (bytes: Buffer) => void;
  #length = 0;
  #hasWritten = false;

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write;
  }

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.copy(this.#member, this.#length, at);
      this.#length += taken;
      at += taken;
      if (this.#length === MEMBER_BYTES) this.#flush();
    }
  }

  /** A file without any member would not be gzip. */
  finish(): void {
    if (this.#length > 0 || !this.#hasWritten) this.#flush();
  }

  #flush(): void {
    this.#write(gzipSync(this.#member.subarray(0, this.#length)));
    this.#length = 0;
    this.#hasWritten = true;
  }
}
