import type { FileIdentity } from "./input-file.ts";

export type Compression = "gzip" | "zstd";

/** How a file of this name is compressed. */
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
  /** Bytes of the file as stored; records belong to the split in which they start. */
  readonly start: number;
  readonly end: number;
  /** The size of the whole file when it was split; a file that has changed since is an error. */
  readonly fileBytes: number;
  /** What it was then beside its size; absent: see `FileState`. */
  readonly fileIdentity?: FileIdentity;
  /**
   * CSV: where the first record starts that starts at `start` or behind it. Of other lines, each is
   * a record.
   */
  readonly firstRecord?: number;
}
