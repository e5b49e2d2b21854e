import { createHash } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";

/** Whether the order of the lines is part of the answer. */
export type LineOrder = "any" | "fixed";

/** The answer of a contestant; two answers are equal if their checksums are. */
export interface Answer {
  readonly bytes: number;
  readonly checksum: string;
}

const CHUNK = 4 << 20;

/**
 * The answer in a file, or in a directory's parts in order; lines are sorted first if any order
 * will do.
 */
export function answerOf(path: string, order: LineOrder): Answer {
  const hash = createHash("sha256");
  let bytes = 0;
  const take = (chunk: Uint8Array): void => {
    hash.update(chunk);
    bytes += chunk.length;
  };
  const files = filesOf(path);
  if (order === "any") take(sortedLines(files));
  else for (const file of files) chunksOf(file, take);
  return { bytes, checksum: hash.digest("hex") };
}

/** Success markers and the like begin with `_` or with a dot. */
function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !/^[._]/.test(name))
    .sort()
    .map((name) => join(path, name));
}

function sortedLines(files: readonly string[]): Uint8Array {
  // One character per byte, so that the order is that of the bytes.
  const text = files.map((file) => readFileSync(file, "latin1")).join("");
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return Buffer.from(lines.sort().join("\n"), "latin1");
}

function chunksOf(path: string, take: (chunk: Uint8Array) => void): void {
  const chunk = new Uint8Array(CHUNK);
  const file = openSync(path, "r");
  for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
    take(chunk.subarray(0, read));
  }
  closeSync(file);
}
