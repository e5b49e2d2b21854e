/** Whether there are more than `count` items. COST: O(count); stops as soon as it knows. */
export function hasMoreThan(count: number, items: Iterable<unknown>): boolean {
  let seen = 0;
  for (const _ of items) if (++seen > count) return true;
  return false;
}
