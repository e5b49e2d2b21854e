import { cell } from "../base/rows.ts";

/** The first place of a rising list with a value above this one; its length if there is none. */
export function firstAbove(rising: ArrayLike<number>, value: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cell(rising[middle]) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
