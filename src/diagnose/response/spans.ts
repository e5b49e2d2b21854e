import { cell } from "../../base/rows.ts";

/** A set of times: disjoint spans that rise, as from, to, from, to, and so on. */
export type Spans = Float64Array;

/** The times that at least one of the spans covers. COST: O(n log n). */
export function union(from: ArrayLike<number>, to: ArrayLike<number>): Spans {
  const order = Array.from(from, (_, n) => n).filter((n) => cell(to[n]) > cell(from[n]));
  order.sort((a, b) => Math.sign(cell(from[a]) - cell(from[b])));
  const found: number[] = [];
  for (const n of order) {
    const [start, end] = [cell(from[n]), cell(to[n])];
    const last = found.length - 1;
    if (last < 0 || start > cell(found[last])) found.push(start, end);
    else found[last] = Math.max(cell(found[last]), end);
  }
  return Float64Array.from(found);
}

/** The times from `from` to `to` that are not in the set. */
export function outside(spans: Spans, from: number, to: number): Spans {
  const found: number[] = [];
  let at = from;
  for (let n = 0; n < spans.length; n += 2) {
    const [start, end] = [cell(spans[n]), cell(spans[n + 1])];
    if (start > at) found.push(at, Math.min(start, to));
    at = Math.max(at, end);
    if (at >= to) break;
  }
  if (at < to) found.push(at, to);
  return withoutEmpty(found);
}

/** The times that are in both sets. */
export function both(a: Spans, b: Spans): Spans {
  const found: number[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    found.push(Math.max(cell(a[i]), cell(b[j])), Math.min(cell(a[i + 1]), cell(b[j + 1])));
    if (cell(a[i + 1]) < cell(b[j + 1])) i += 2;
    else j += 2;
  }
  return withoutEmpty(found);
}

/** The times of `a` that are not in `b`. */
export const without = (a: Spans, b: Spans): Spans =>
  a.length === 0 ? a : both(a, outside(b, cell(a[0]), cell(a.at(-1))));

export function lengthOf(spans: Spans): number {
  let total = 0;
  for (let n = 0; n < spans.length; n += 2) total += cell(spans[n + 1]) - cell(spans[n]);
  return total;
}

function withoutEmpty(spans: readonly number[]): Spans {
  const kept: number[] = [];
  for (let n = 0; n < spans.length; n += 2) {
    const [from, to] = [cell(spans[n]), cell(spans[n + 1])];
    if (to > from) kept.push(from, to);
  }
  return Float64Array.from(kept);
}
