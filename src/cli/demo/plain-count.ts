import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { readLines } from "../files.ts";

export type PlainCounts = ReadonlyMap<string, number>;

/** The number of lines between two checks for Ctrl-C. */
const LINES_AT_ONCE = 50_000;

/**
 * Counts each word of the file with one loop in one thread, without the engine. Stops early when
 * the signal aborts.
 */
export async function countPlainly(path: string, signal?: AbortSignal): Promise<PlainCounts> {
  const counts = new Map<string, number>();
  let lines = 0;
  for (const line of readLines(path)) {
    lines += 1;
    if (lines % LINES_AT_ONCE === 0) await setImmediate();
    if (signal?.aborted) break;
    for (const [word] of line.toLowerCase().matchAll(/\p{L}+/gu)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

/** The counts that a run wrote: part files with a line `word TAB count` each. */
export function readCounts(output: string): PlainCounts {
  const counts = new Map<string, number>();
  for (const name of readdirSync(output).sort()) {
    if (!name.startsWith("part-")) continue;
    for (const line of readFileSync(join(output, name), "utf8").split("\n")) {
      if (line === "") continue;
      const [word = "", count = ""] = line.split("\t");
      // A word in two places has a wrong count.
      counts.set(word, counts.has(word) ? Number.NaN : Number(count));
    }
  }
  return counts;
}

export type Comparison =
  | { readonly kind: "equal"; readonly words: number }
  | { readonly kind: "different"; readonly word: string; readonly text: string };

/** Compares the counts; reports the first word that differs. */
export function compareCounts(plain: PlainCounts, written: PlainCounts): Comparison {
  for (const word of [...plain.keys(), ...written.keys()]) {
    const [expected, found] = [plain.get(word), written.get(word)];
    if (expected === found) continue;
    const text = `${word}: counted ${expected ?? 0}, written ${found ?? 0}`;
    return { kind: "different", word, text };
  }
  return { kind: "equal", words: plain.size };
}
