import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../../base/input-error.ts";

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

/**
 * Writes the whole corpus repeatedly until the file has at least this many bytes. Returns the
 * number of copies.
 */
export function writeRepeated(corpus: Corpus, path: string, bytesWanted: number): number {
  const copies = Math.max(1, Math.ceil(bytesWanted / corpus.text.length));
  const file = openSync(path, "w");
  for (let copy = 0; copy < copies; copy += 1) {
    for (let at = 0; at < corpus.text.length; ) at += writeSync(file, corpus.text, at);
  }
  closeSync(file);
  return copies;
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
