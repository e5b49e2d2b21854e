import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DATA } from "../place.ts";
import { writeProse } from "./prose.ts";
import { writeRecords } from "./records.ts";
import { writeFacts, writeGroups } from "./table.ts";
import { writeWords } from "./text.ts";

/** Changes whenever a seed no longer gives the same bytes. */
const VERSION = 1;

/** Writes a file of its kind at this share of its full size. */
type Maker = (path: string, scale: number) => void;

const words =
  (sizes: { readonly bytes: number; readonly words: number; readonly seed: number }): Maker =>
  (path, scale) =>
    writeWords(path, { ...sizes, bytes: sizes.bytes * scale });

/** A gigabyte each, of the same million words. */
export const TEN_TEXTS: readonly string[] = Array.from({ length: 10 }, (_, i) => `text-1m-${i}`);

const MAKERS: ReadonlyMap<string, Maker> = new Map([
  ["text-1k", words({ bytes: 1e3, words: 1_000, seed: 1 })],
  ["text-50k", words({ bytes: 500e6, words: 50_000, seed: 1 })],
  ...TEN_TEXTS.map((name, i): [string, Maker] => [
    name,
    words({ bytes: 1e9, words: 1_000_000, seed: i + 1 }),
  ]),
  ["prose", (path, scale) => writeProse(path, { bytes: 4e9 * scale, seed: 1 })],
  ["records", (path, scale) => writeRecords(path, { lines: 10e6 * scale, seed: 1 })],
  ["facts", (path, scale) => writeFacts(path, { rows: 20e6 * scale, keys: 1e6 * scale, seed: 1 })],
  ["groups", (path, scale) => writeGroups(path, { keys: 1e6 * scale, seed: 2 })],
]);

/** The dataset's file, made on first use. */
export function dataset(
  name: string,
  { scale, making }: { readonly scale: number; making(name: string): void },
): string {
  const make = MAKERS.get(name);
  if (make === undefined) throw new Error(`no dataset ${name}`);
  const path = join(DATA, `${name}-x${scale}-v${VERSION}`);
  if (existsSync(path)) return path;
  making(name);
  mkdirSync(DATA, { recursive: true });
  make(path, scale);
  return path;
}
