import { Chance } from "./chance.ts";
import { DataFile } from "./data-file.ts";
import { Ranks, zipfMandelbrot } from "./ranks.ts";
import { madeWords, vocabularyOf } from "./vocabulary.ts";

const SPACE = 0x20;
const LINE_FEED = 0x0a;
/** The same for every text, so that texts of different seeds share their words. */
const VOCABULARY_SEED = 1;

/**
 * Words with the frequencies of natural text, 6 to 19 per line, separated by spaces: whole lines of
 * at least `bytes` bytes in all.
 */
export function writeWords(
  path: string,
  { bytes, words, seed }: { readonly bytes: number; readonly words: number; readonly seed: number },
): void {
  const vocabulary = vocabularyOf(madeWords(words, VOCABULARY_SEED));
  const ranks = new Ranks(zipfMandelbrot(words));
  const chance = new Chance(seed);
  const file = new DataFile(path);
  while (file.size < bytes) {
    for (let left = 6 + chance.below(14); left > 0; left--) {
      const rank = ranks.draw(chance);
      file.slice(vocabulary.bytes, vocabulary.starts[rank]!, vocabulary.starts[rank + 1]!);
      file.byte(left === 1 ? LINE_FEED : SPACE);
    }
  }
  file.close();
}
