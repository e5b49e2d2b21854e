import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FileToWrite, gatherCorpus, writeRepeated } from "./corpus.ts";
import { type Counts, countPlainly } from "./plain-count.ts";
import { DEMO } from "./plan.ts";

/** The text that all runs count. */
export interface Text {
  readonly bytes: number;
  readonly copies: number;
  /** The words of one copy of the text, counted in a plain loop. */
  readonly counts: Counts;
  /** The number of files of installed packages that the text is from. */
  readonly sources: number;
}

const CORPUS_BYTES = 1_500_000;
const TEXT_BYTES = { min: 10_000_000, max: 1_000_000_000 };
/** The whole text is as long as this many long files. */
const LONG_FILES_IN_ALL = DEMO.longFiles + DEMO.shortFiles / DEMO.longOverShort;

/**
 * Writes the text to count: this many bytes or, without them, enough to keep a node busy for the
 * demo's time. Counting one copy in a plain loop gives the size, and the check of the outputs.
 */
export function writeText(directory: string, bytesAsked: number | undefined): Text {
  const corpus = gatherCorpus(CORPUS_BYTES);
  const one = corpus.text.toString();
  countPlainly(one);
  // CPU time, so that a busy machine gets as much text as an idle one.
  const before = process.cpuUsage();
  const counts = countPlainly(one);
  const { user, system } = process.cpuUsage(before);
  const bytesPerMs = (1_000 * corpus.text.length) / Math.max(1, user + system);
  rmSync(directory, { force: true, recursive: true });
  mkdirSync(directory);
  const copies = writeRepeated(corpus, filesOf(bytesAsked ?? bytesOfWork(bytesPerMs), directory));
  return { bytes: corpus.text.length * copies, copies, counts, sources: corpus.files };
}

/** The text of which each long file keeps a node busy for the demo's time. */
function bytesOfWork(bytesPerMs: number): number {
  const wanted = bytesPerMs * DEMO.longMs * LONG_FILES_IN_ALL;
  return Math.min(TEXT_BYTES.max, Math.max(TEXT_BYTES.min, wanted));
}

/**
 * The short files come first by name, so that their maps do too. They get shorter and shorter: from
 * many lengths the diagnosis learns how time grows with bytes, and a node's first map, which also
 * compiles the program, takes longest anyway.
 */
function filesOf(bytes: number, directory: string): readonly FileToWrite[] {
  const { shortFiles, longFiles, longOverShort } = DEMO;
  const long = bytes / LONG_FILES_IN_ALL;
  const short = (index: number): number =>
    (long / longOverShort) * (1.75 - (1.5 * (index + 0.5)) / shortFiles);
  const sizes = Array.from({ length: shortFiles }, (_, index) => short(index));
  return [
    ...sizes.map((size, index) => ({ path: pathOf(directory, "1-short", index), bytes: size })),
    ...Array.from({ length: longFiles }, (_, index) => {
      return { path: pathOf(directory, "2-long", index), bytes: long };
    }),
  ];
}

const pathOf = (directory: string, name: string, index: number): string =>
  join(directory, `${name}-${String(index + 1).padStart(2, "0")}.txt`);
