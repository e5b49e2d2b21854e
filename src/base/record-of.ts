/** A value for each of the keys. */
export const recordOf = <K extends string, T>(
  keys: readonly K[],
  of: (key: K) => T,
): Record<K, T> => Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, T>;
