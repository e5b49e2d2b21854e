import { Chance } from "./chance.ts";
import { COMMON_WORDS } from "./common-words.ts";
import { DataFile } from "./data-file.ts";
import { Ranks, zipfMandelbrot } from "./ranks.ts";
import { madeWords, vocabularyOf } from "./vocabulary.ts";

/** Occurs in 40 % of the lines, alone or within a word. */
export const FREQUENT_LITERAL = "the";
/** Occurs in one line of a million. */
export const RARE_LITERAL = "broomwagon";

const LINE_BYTES_MIN = 60;
const LINE_BYTES_SPREAD = 16;
const WORDS = 40_000;
const CASE = 0x20;

/**
 * Text that looks like English to a search: common words, the frequencies of letters, sentences,
 * lines of 60 to 85 bytes.
 */
export function writeProse(
  path: string,
  { bytes, seed }: { readonly bytes: number; readonly seed: number },
): void {
  const invented = madeWords(WORDS, 1).filter((word) => !COMMON_WORDS.includes(word));
  const { bytes: letters, starts } = vocabularyOf([...COMMON_WORDS, ...invented]);
  const ranks = new Ranks(zipfMandelbrot(starts.length - 1));
  const rare = Buffer.from(`${RARE_LITERAL} `);
  const chance = new Chance(seed);
  const file = new DataFile(path);
  let isFirst = true;
  while (file.size < bytes) {
    const end = file.size + LINE_BYTES_MIN + chance.below(LINE_BYTES_SPREAD);
    if (chance.below(1_000_000) === 0) file.slice(rare, 0, rare.length);
    while (file.size < end) {
      const rank = ranks.draw(chance);
      const start = starts[rank]!;
      file.byte(isFirst ? letters[start]! - CASE : letters[start]!);
      file.slice(letters, start + 1, starts[rank + 1]!);
      const mark = chance.below(14);
      isFirst = mark === 0;
      if (mark < 2) file.byte(isFirst ? 0x2e : 0x2c);
      file.byte(file.size < end ? 0x20 : 0x0a);
    }
  }
  file.close();
}
