import { Chance } from "./chance.ts";
import { DataFile } from "./data-file.ts";
import { Ranks, zipfMandelbrot } from "./ranks.ts";
import { madeWords, vocabularyOf } from "./vocabulary.ts";

const SPACE = 0x20;
const LINE_FEED = 0x0a;
/** Of every text, so that texts of other seeds have the same words. */
const VOCABULARY_SEED = 1;

/**
 * Words as often as in natural text, 6 to 19 a line, a space between two of them: at least so many
 * bytes of whole lines.
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
