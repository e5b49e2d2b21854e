import { Chance } from "./chance.ts";

/** Words by rank, concatenated: the word of rank r is from `starts[r]` to `starts[r + 1]`. */
export interface Vocabulary {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
}

export function vocabularyOf(words: readonly string[]): Vocabulary {
  const starts = new Int32Array(words.length + 1);
  words.forEach((word, rank) => {
    starts[rank + 1] = starts[rank]! + word.length;
  });
  return { bytes: Buffer.from(words.join(""), "latin1"), starts };
}

/**
 * Invented words, distinct: the rarer, the longer, as in real languages. One in a hundred is long.
 */
export function madeWords(count: number, seed: number): readonly string[] {
  const chance = new Chance(seed);
  const words = new Set<string>();
  while (words.size < count) {
    const usual = 0.8 + 0.38 * Math.log2(words.size + 1) + 3 * chance.fraction();
    const letters = Math.max(2, Math.round(usual)) + (chance.below(100) === 0 ? 10 : 0);
    let word = "";
    for (let i = 0; i < letters; i++) word += LETTERS[chance.below(LETTERS.length)];
    words.add(word);
  }
  return [...words];
}

/** Each letter with its count in 200 letters of English. */
const LETTERS = Object.entries({
  ...{ a: 16, b: 3, c: 6, d: 9, e: 25, f: 4, g: 4, h: 12, i: 14, j: 1, k: 2, l: 8, m: 5 },
  ...{ n: 13, o: 15, p: 4, q: 1, r: 12, s: 13, t: 18, u: 6, v: 2, w: 5, x: 1, y: 4, z: 1 },
})
  .map(([letter, often]) => letter.repeat(often))
  .join("");
