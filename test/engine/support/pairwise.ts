/**
 * Rows of choices, one value per factor, such that every pair of values of two factors occurs in
 * some row: chosen greedily and deterministically.
 */
export function pairwise<F extends Readonly<Record<string, readonly unknown[]>>>(
  factors: F,
): readonly { readonly [K in keyof F]: F[K][number] }[] {
  const names = Object.keys(factors);
  const valuesOf = (name: string): readonly unknown[] => factors[name] ?? [];
  const open = new Set<string>();
  for (const [left, right] of couples(names)) {
    for (const one of valuesOf(left)) {
      for (const other of valuesOf(right)) open.add(pair(left, one, right, other));
    }
  }
  const rows: Record<string, unknown>[] = [];
  while (open.size > 0) {
    const row: Record<string, unknown> = {};
    for (const name of names) row[name] = best(name, row);
    const before = open.size;
    cover(row);
    // Greedy choices may cover no new pair: then one missing pair is taken as it is.
    if (open.size === before) {
      for (const [name, value] of pairOf([...open][0] ?? "")) row[name] = value;
      cover(row);
    }
    rows.push(row);
  }
  return rows as { readonly [K in keyof F]: F[K][number] }[];

  function best(name: string, row: Readonly<Record<string, unknown>>): unknown {
    const gain = (value: unknown): number =>
      names.reduce((sum, other) => {
        if (other === name) return sum;
        const others = other in row ? [row[other]] : valuesOf(other);
        const found = others.filter((one) => open.has(ordered(name, value, other, one)));
        return sum + found.length / others.length;
      }, 0);
    return valuesOf(name).reduce((most, value) => (gain(value) > gain(most) ? value : most));
  }

  function cover(row: Readonly<Record<string, unknown>>): void {
    for (const [left, right] of couples(names))
      open.delete(pair(left, row[left], right, row[right]));
  }

  function ordered(left: string, one: unknown, right: string, other: unknown): string {
    return names.indexOf(left) < names.indexOf(right)
      ? pair(left, one, right, other)
      : pair(right, other, left, one);
  }
}

const pair = (left: string, one: unknown, right: string, other: unknown): string =>
  JSON.stringify([
    [left, one],
    [right, other],
  ]);

function pairOf(text: string): readonly (readonly [string, unknown])[] {
  return JSON.parse(text);
}

function couples(names: readonly string[]): readonly (readonly [string, string])[] {
  return names.flatMap((left, i) => names.slice(i + 1).map((right) => [left, right] as const));
}
