import type { FileIdentity } from "./input-file.ts";

export type Compression = "gzip" | "zstd";

/** The compression of a file, by its name. */
export function compressionOf(path: string): Compression | "none" {
  if (path.endsWith(".gz")) return "gzip";
  return path.endsWith(".zst") ? "zstd" : "none";
}

/** The part of a file that one map task reads: plain data, may be sent to another process. */
export interface Split {
  /** The map task's index, from 0. */
  readonly index: number;
  /** Absolute path. */
  readonly file: string;
  readonly compression: Compression | "none";
  /** The first byte in the stored file; a record belongs to the split in which it starts. */
  readonly start: number;
  readonly end: number;
  /** The size of the whole file when it was split; a changed file is an error. */
  readonly fileBytes: number;
  /** The file's identity when it was split; absent: see `FileState`. */
  readonly fileIdentity?: FileIdentity;
  /**
   * For CSV: the start of the first record at or after `start`. In other line formats each line is
   * a record.
   */
  readonly firstRecord?: number;
}
