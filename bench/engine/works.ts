import { grep, grepRare } from "./works/grep.ts";
import { safety, safetyOfSort, small, tenfold } from "./works/ourselves.ts";
import { sort, sortInLittle } from "./works/sort.ts";
import { join, sumOfKeys } from "./works/tables.ts";
import { manyWords, words } from "./works/word-count.ts";
import type { Work } from "./works/work.ts";

export const WORKS: readonly Work[] = [
  words,
  manyWords,
  sort,
  sortInLittle,
  grep,
  grepRare,
  sumOfKeys,
  join,
  small,
  safety,
  safetyOfSort,
  tenfold,
];
