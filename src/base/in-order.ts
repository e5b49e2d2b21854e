/**
 * The items in order, from a binary heap that is made of their list. COST: O(n) for the first item,
 * O(log n) for each further one: for callers that need only a few of many.
 */
export function* inOrder<T>(
  items: T[],
  isBefore: (a: T, b: T) => boolean,
): Generator<T, undefined> {
  for (let at = (items.length >> 1) - 1; at >= 0; at -= 1) sink(items, at, isBefore);
  for (;;) {
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined) return undefined;
    if (items.length > 0) {
      items[0] = last;
      sink(items, 0, isBefore);
    }
    yield first;
  }
}

/** Moves the item at the place down, until no item below it comes before it. */
function sink<T>(items: T[], from: number, isBefore: (a: T, b: T) => boolean): void {
  const { length } = items;
  const item = items[from]!;
  let at = from;
  for (let below = 2 * at + 1; below < length; below = 2 * at + 1) {
    if (below + 1 < length && isBefore(items[below + 1]!, items[below]!)) below += 1;
    if (!isBefore(items[below]!, item)) break;
    items[at] = items[below]!;
    at = below;
  }
  items[at] = item;
}
