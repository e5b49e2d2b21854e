import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { InputError, type InputErrorCode } from "../base/input-error.ts";

/** The text of a file that the user named. InputError in one line if the file cannot be read. */
export const readText = (path: string): string => reading(path, () => readFileSync(path, "utf8"));

/** Whether the path names a pipe, which can be read only once. */
export const isPipe = (path: string): boolean => reading(path, () => statSync(path).isFIFO());

/** The content of a JSON file that the user named. */
export function readJson(path: string, code: InputErrorCode): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(code, path, `expected JSON: ${reason(error)}`);
  }
}

const CHUNK_BYTES = 1 << 20;

/** The lines of a file of any size, without their line ends. */
export function* readLines(path: string): Generator<string, void> {
  const file = reading(path, () => openSync(path, "r"));
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const decoder = new StringDecoder("utf8");
    let rest = "";
    for (;;) {
      const length = reading(path, () => readSync(file, buffer));
      if (length === 0) break;
      const lines = `${rest}${decoder.write(buffer.subarray(0, length))}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  } finally {
    closeSync(file);
  }
}

/** Whether the last line of a file has no line end. */
export function endsInMidLine(path: string): boolean {
  const file = reading(path, () => openSync(path, "r"));
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
  } finally {
    closeSync(file);
  }
}

/** Writes to the path that the user named. InputError in one line if that fails. */
export function writing<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new InputError("bad-flag", path, `expected a file to write: ${reason(error)}`);
  }
}

const LINES_MAX = 1_000;

/**
 * A file at the path that the user named, written many lines at a time, whole or not at all: an
 * earlier file stays until `close`. A pipe or a device is written directly.
 */
export class LineFile {
  readonly #path: string;
  readonly #written: string;
  readonly #file: number;
  #lines: string[] = [];

  constructor(path: string) {
    this.#path = existsSync(path) ? realpathSync(path) : path;
    const isFile = !existsSync(path) || statSync(path).isFile();
    this.#written = isFile ? `${this.#path}.part` : this.#path;
    this.#file = writing(path, () => openSync(this.#written, "w"));
  }

  /** InputError in one line if the file cannot be written. */
  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= LINES_MAX) this.#write();
  }

  close(): void {
    this.#write();
    closeSync(this.#file);
    if (this.#written !== this.#path) renameSync(this.#written, this.#path);
  }

  /** Gives up, and leaves an earlier file as it was. */
  discard(): void {
    closeSync(this.#file);
    if (this.#written !== this.#path) rmSync(this.#written, { force: true });
  }

  #write(): void {
    const text = this.#lines.map((line) => `${line}\n`).join("");
    this.#lines = [];
    writing(this.#path, () => writeFileSync(this.#file, text));
  }
}

/**
 * Makes a directory that the user named, and its parents. Works one directory at a time: where
 * nothing can be made, as in /proc, Node's own recursion never ends.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return;
    throw new InputError("bad-flag", path, "expected a directory, found a file");
  }
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError("bad-flag", path, `expected a directory that can be made: ${why}`);
  }
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InputError("missing-file", path, `expected a file to read: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "no such file";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EACCES") return "permission denied";
  return error.message;
}
