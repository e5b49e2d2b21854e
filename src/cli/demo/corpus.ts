import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../../base/input-error.ts";
import { sum } from "../../base/stats.ts";

/** Real text that every machine with Node has: the documentation of installed packages. */
export interface Corpus {
  readonly text: Buffer;
  readonly files: number;
}

const IS_TEXT = /\.(md|js|mjs|cjs|ts|mts)$|^LICEN[CS]E/i;
/** Larger files are mostly generated. */
const FILE_BYTES_MAX = 400_000;

/** The first files in the order of their paths, up to this many bytes. */
export function gatherCorpus(bytesWanted: number): Corpus {
  const pieces: Buffer[] = [];
  let total = 0;
  for (const folder of textFolders()) {
    for (const path of textFiles(folder)) {
      if (total >= bytesWanted) break;
      const text = readFileSync(path);
      if (text.length > FILE_BYTES_MAX || text.includes(0)) continue;
      pieces.push(text, Buffer.from("\n"));
      total += text.length + 1;
    }
  }
  if (total === 0) {
    throw new InputError("missing-file", textFolders().join(", "), "expected packages with text");
  }
  return { text: Buffer.concat(pieces), files: pieces.length / 2 };
}

/** A file to be written, and about how long it is to be. */
export interface FileToWrite {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Writes the whole corpus repeatedly, cut at blanks into these files, whose bytes are a little more
 * than wanted. Returns the number of copies.
 */
export function writeRepeated({ text }: Corpus, files: readonly FileToWrite[]): number {
  const wanted = sum(files.map(({ bytes }) => bytes));
  const copies = Math.max(1, Math.ceil(wanted / text.length));
  const end = copies * text.length;
  const scale = end / wanted;
  let from = 0;
  let planned = 0;
  for (const { path, bytes } of files) {
    planned += bytes * scale;
    const to = Math.max(from, afterBlank(text, Math.min(end, Math.round(planned))));
    writePiece(path, text, { from, to });
    from = to;
  }
  return copies;
}

/** The first place from this one on that stands after a blank of the repeated text. */
function afterBlank(text: Buffer, place: number): number {
  let after = place;
  while (after % text.length !== 0 && !isBlank(text[(after % text.length) - 1])) after += 1;
  return after;
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a;

/** Writes a piece of the text that repeats for ever. */
function writePiece(
  path: string,
  text: Buffer,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const file = openSync(path, "w");
  for (let at = from; at < to; ) {
    const start = at % text.length;
    at += writeSync(file, text, start, Math.min(to - at, text.length - start));
  }
  closeSync(file);
}

/** The packages beside this one or below it, and the packages that come with Node. */
function textFolders(): readonly string[] {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const parent = dirname(root.replace(/\/$/, ""));
  const own = basename(parent) === "node_modules" ? parent : join(root, "node_modules");
  const ofNode = join(dirname(dirname(process.execPath)), "lib", "node_modules");
  return [own, ofNode].filter((folder) => existsSync(folder));
}

/** Symbolic links are not followed, so nothing is read twice. */
function* textFiles(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* textFiles(path);
    else if (entry.isFile() && IS_TEXT.test(entry.name)) yield path;
  }
}
