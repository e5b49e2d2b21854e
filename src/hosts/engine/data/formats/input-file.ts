import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { InputError } from "../../../../base/input-error.ts";

/** A file of the job's input, which must stay as it was when the input was cut into splits. */
export class InputFile {
  readonly path: string;
  readonly bytes: number;
  /** How far it has been read. */
  bytesRead = 0;
  readonly #handle: number;

  /** InputError if it is gone, cannot be read, or has another size than this. */
  constructor(path: string, bytes: number) {
    this.path = path;
    this.bytes = bytes;
    this.#handle = this.#asked(() => openSync(path, "r"));
    try {
      this.#assertSize();
    } catch (error) {
      closeSync(this.#handle);
      throw error;
    }
  }

  /**
   * Blocking, the fastest way in Node: up to `size` bytes of the file from `position` on, written
   * to `into` from `at` on; how many, 0 at the file's end. InputError if the file has shrunk.
   */
  read(into: Uint8Array, at: number, size: number, position: number): number {
    const read = this.#asked(() => readSync(this.#handle, into, at, size, position));
    if (read === 0 && size > 0 && position < this.bytes) throw this.#changed(position);
    this.bytesRead = Math.max(this.bytesRead, position + read);
    return read;
  }

  /** The bytes from `start` to `end`, all of them. */
  slice(start: number, end: number): Uint8Array<ArrayBuffer> {
    return this.sliceInto(new Uint8Array(end - start), start, end);
  }

  /** The same, in `into`, which has room for them. */
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

  #assertSize(size = this.#asked(() => fstatSync(this.#handle).size)): void {
    if (size !== this.bytes) throw this.#changed(size);
  }

  #changed(size: number): InputError {
    const before = `expected the ${this.bytes} bytes that it had when the job began`;
    return new InputError("bad-input", this.path, `${before}, found ${size}`);
  }

  #asked<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw unreadable(this.path, error);
    }
  }
}

/** What the system said of an input file, as the user's mistake; anything else as it is. */
export function unreadable(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const reason = REASONS.get(code);
  if (reason === undefined) return error;
  // Of a directory it may be one of its files.
  const named = error instanceof Error && "path" in error ? String(error.path) : path;
  return new InputError("missing-file", named, reason);
}

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "this input file is gone"],
  ["ENOTDIR", "this input file is gone"],
  ["ESTALE", "this input file is gone"],
  ["EACCES", "this input file may not be read: permission denied"],
  ["EPERM", "this input file may not be read: not permitted"],
  ["ELOOP", "this input file may not be read: symbolic links lead round and round"],
  ["EISDIR", "expected a file, found a directory"],
]);
