import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How often each word occurs. */
export type Counts = ReadonlyMap<string, number>;

/** Counts each word of the text with one loop in one thread, without the engine. */
export function countPlainly(text: string): Counts {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The counts that a run wrote: part files with a line `word TAB count` each. */
export function readCounts(output: string): Counts {
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

/**
 * Compares the counts of `copies` copies of a text with the counts of one; reports the first word
 * that differs.
 */
export function compareCounts(one: Counts, copies: number, written: Counts): Comparison {
  for (const word of [...one.keys(), ...written.keys()]) {
    const [expected, found] = [(one.get(word) ?? 0) * copies, written.get(word) ?? 0];
    if (expected === found) continue;
    const text = `${word}: counted ${expected}, written ${found}`;
    return { kind: "different", word, text };
  }
  return { kind: "equal", words: one.size };
}
