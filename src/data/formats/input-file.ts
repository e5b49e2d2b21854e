import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { InputError } from "../../base/input-error.ts";

/**
 * Together with the size, distinguishes a file from other files and from its own earlier state. As
 * text, since neither number fits a JSON number.
 */
export interface FileIdentity {
  /** The time of the last change, in nanoseconds since 1970. */
  readonly modifiedNs: string;
  readonly inode: string;
}

export const identityOf = ({ mtimeNs, ino }: BigIntStats): FileIdentity => ({
  modifiedNs: String(mtimeNs),
  inode: String(ino),
});

/** The state of a file when the input was cut into splits. */
export interface FileState {
  readonly path: string;
  readonly bytes: number;
  /** Absent for a copy made by the host, which knows only the size. */
  readonly identity?: FileIdentity;
}

export const fileOf = ({ file: path, fileBytes: bytes, fileIdentity }: SplitFile): FileState => ({
  path,
  bytes,
  ...(fileIdentity !== undefined && { identity: fileIdentity }),
});

/** The fields of a split that describe its file. */
interface SplitFile {
  readonly file: string;
  readonly fileBytes: number;
  readonly fileIdentity?: FileIdentity;
}

/**
 * Throws an InputError if the file has changed since, even if it has changed back to the same
 * bytes. A file that has been deleted passes: the task that opened it has read it to its end.
 */
export function assertUnchanged(state: FileState): void {
  if (state.identity === undefined) return;
  const { path } = state;
  const now = asked(path, () => statSync(path, { bigint: true, throwIfNoEntry: false }));
  const change = now && changeOf(state, now);
  if (change !== undefined) throw new InputError("bad-input", path, change);
}

/** Undefined if the file is unchanged. */
function changeOf({ bytes, identity }: FileState, now: BigIntStats): string | undefined {
  if (Number(now.size) !== bytes) return otherSize(bytes, Number(now.size));
  if (identity === undefined) return undefined;
  const { modifiedNs, inode } = identityOf(now);
  if (inode !== identity.inode) {
    const found = `found another in its place (inode ${identity.inode} then, ${inode} now)`;
    return `expected the file that was there when the job began, ${found}`;
  }
  if (modifiedNs === identity.modifiedNs) return undefined;
  const times = `${timeText(identity.modifiedNs)} then, ${timeText(modifiedNs)} now`;
  return `expected the file as it was when the job began, found it modified since (${times})`;
}

const otherSize = (bytes: number, found: number): string =>
  `expected the ${bytes} bytes that it had when the job began, found ${found}`;

/** ISO 8601, with nanoseconds. */
function timeText(ns: string): string {
  const [ms, rest] = [BigInt(ns) / 1_000_000n, BigInt(ns) % 1_000_000n];
  return new Date(Number(ms)).toISOString().replace("Z", `${String(rest).padStart(6, "0")}Z`);
}

/** A file of the job's input, which must not change after the input was cut into splits. */
export class InputFile {
  readonly path: string;
  readonly bytes: number;
  /** The number of bytes read. */
  bytesRead = 0;
  readonly #handle: number;

  /** Throws an InputError if the file is missing, cannot be read, or has changed. */
  constructor(state: FileState) {
    const { path, bytes } = state;
    this.path = path;
    this.bytes = bytes;
    this.#handle = asked(path, () => openSync(path, "r"));
    try {
      const now = asked(path, () => fstatSync(this.#handle, { bigint: true }));
      const change = changeOf(state, now);
      if (change !== undefined) throw new InputError("bad-input", path, change);
    } catch (error) {
      closeSync(this.#handle);
      throw error;
    }
  }

  /**
   * Reads up to `size` bytes of the file from `position` on into `into` from `at` on; returns their
   * number, 0 at the file's end. The read blocks: the fastest way in Node. Throws an InputError if
   * the file has shrunk.
   */
  read(into: Uint8Array, at: number, size: number, position: number): number {
    const read = asked(this.path, () => readSync(this.#handle, into, at, size, position));
    if (read === 0 && size > 0 && position < this.bytes) throw this.#changed(position);
    this.bytesRead = Math.max(this.bytesRead, position + read);
    return read;
  }

  /** All bytes from `start` to `end`. */
  slice(start: number, end: number): Uint8Array<ArrayBuffer> {
    return this.sliceInto(new Uint8Array(end - start), start, end);
  }

  /** All bytes from `start` to `end`, in `into`, which must have room for them. */
  sliceInto(into: Uint8Array<ArrayBuffer>, start: number, end: number): Uint8Array<ArrayBuffer> {
    const bytes = into.subarray(0, end - start);
    for (let at = 0; at < bytes.length; ) {
      const read = this.read(bytes, at, bytes.length - at, start + at);
      if (read === 0) throw this.#changed(start + at);
      at += read;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#handle);
  }

  #changed(size: number): InputError {
    return new InputError("bad-input", this.path, otherSize(this.bytes, size));
  }
}

/** Work with a file; the system's error about it becomes the user's mistake. */
export function asked<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The system's error about an input file, as the user's mistake; any other error unchanged. */
export function unreadable(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const reason = REASONS.get(code);
  if (reason === undefined) return error;
  // An error about a directory may name one of its files.
  const named = error instanceof Error && "path" in error ? String(error.path) : path;
  return new InputError("missing-file", named, reason);
}

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "this input file is gone"],
  ["ENOTDIR", "this input file is gone"],
  ["ESTALE", "this input file is gone"],
  ["EACCES", "this input file may not be read: permission denied"],
  ["EPERM", "this input file may not be read: not permitted"],
  ["ELOOP", "this input file may not be read: symbolic links form a loop"],
  ["EISDIR", "expected a file, found a directory"],
  ["ENAMETOOLONG", "this input file may not be read: its name is too long"],
  ["ENXIO", "expected a file, found a socket or a device"],
  ["EIO", "this input file cannot be read: its device fails"],
]);
