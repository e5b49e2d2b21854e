import { cell } from "../../base/rows.ts";

/** The most of these spans that overlap at a moment before `end`. */
export function mostAtOnce(
  spans: readonly { readonly from: number; readonly until?: number }[],
  end: number,
): number {
  const begins = Float64Array.from(spans, ({ from }) => from).sort();
  const ends = Float64Array.from(spans, ({ until = Number.POSITIVE_INFINITY }) => until).sort();
  let [most, gone] = [0, 0];
  for (const [come, at] of begins.entries()) {
    if (at >= end) break;
    while (gone < ends.length && cell(ends[gone]) <= at) gone++;
    most = Math.max(most, come + 1 - gone);
  }
  return most;
}
