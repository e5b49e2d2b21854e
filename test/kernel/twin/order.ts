/** Texts whose characters are bytes. A prefix comes first. */
export const compareTexts = (left: string, right: string): number =>
  left < right ? -1 : left === right ? 0 : 1;

interface Parted {
  readonly key: string;
  readonly partition: number;
}

/** By partition, then by key; equal entries keep their order. */
export const sorted = <T extends Parted>(entries: readonly T[]): T[] =>
  entries.toSorted(
    (left, right) => left.partition - right.partition || compareTexts(left.key, right.key),
  );

/** Only by partition. */
export const parted = <T extends Parted>(entries: readonly T[]): T[] =>
  entries.toSorted((left, right) => left.partition - right.partition);

/** The number of sorted keys before the splitter. */
export const countBelow = (keys: readonly string[], splitter: string): number =>
  keys.filter((key) => key < splitter).length;

/** The window of a sorted run that can be merged now. */
export interface Window {
  readonly keys: readonly string[];
  /** Whether no keys follow the window. */
  readonly isLast: boolean;
}

/**
 * The first keys of all windows, each with its run: by key, then by run. They end when a run is
 * `dry`: its window is empty, and more keys follow.
 */
export function merged(
  windows: readonly Window[],
  room: number,
): { readonly made: readonly { key: string; run: number }[]; readonly dry: number | undefined } {
  const left = windows.map(({ keys, isLast }) => ({ keys: [...keys], isLast }));
  const made: { key: string; run: number }[] = [];
  const dryRun = (): number => left.findIndex(({ keys, isLast }) => keys.length === 0 && !isLast);
  while (made.length < room && dryRun() < 0) {
    const heads = left.flatMap(({ keys: [key] }, run) => (key === undefined ? [] : [{ key, run }]));
    const [least] = heads.toSorted((one, other) => compareTexts(one.key, other.key));
    if (least === undefined) break;
    left[least.run]?.keys.shift();
    made.push(least);
  }
  return { made, dry: dryRun() < 0 ? undefined : dryRun() };
}

/** Each key's place among the distinct keys, in the order of first occurrence. */
export function idsOf<T>(keys: readonly T[]): number[] {
  const distinct = [...new Set(keys)];
  const ids = new Map(distinct.map((key, id) => [key, id]));
  return keys.map((key) => ids.get(key) ?? -1);
}
