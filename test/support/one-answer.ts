import { isByChance, shownOf } from "../../src/whatif/change.ts";
import type { WhatIf } from "../../src/whatif/document.ts";

const NOTHING = /^No policy would have helped/;
const NOT_AGAIN = /no policy (that was tried )?would save more than chance/;
const WOULD_HAVE = /would have saved/;
const WOULD_SAVE = /would save \d/;
const SETTINGS = /^Set /;

/** Sentences of an answer, and rows beside them, that cannot both be true. */
export function contradictionsIn({ verdict, rows }: WhatIf): readonly string[] {
  const says = (pattern: RegExp): readonly string[] => verdict.filter((each) => pattern.test(each));
  const savings = rows
    .filter(({ isMarked }) => !isMarked)
    .flatMap((row) => [row, ...(row.thatRun === undefined ? [] : [row.thatRun])])
    .map(shownOf)
    .filter((change) => change.ms < 0 && !isByChance(change))
    .map(({ ms }) => `a row saves ${-ms} ms`);
  const nothing = says(NOTHING);
  const notAgain = says(NOT_AGAIN);
  return [
    ...(nothing.length === 0 ? [] : [...says(WOULD_HAVE), ...savings]),
    ...(nothing.length + notAgain.length === 0 ? [] : says(WOULD_SAVE)),
    ...(nothing.length === 0 ? [] : says(SETTINGS)),
    ...(notAgain.some((each) => !each.includes("that was tried")) ? says(SETTINGS) : []),
  ];
}
