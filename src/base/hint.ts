/** `; did you mean late, late-0.21 or late-early?`: the nearest three, if any are near. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearNames(word, known).slice(0, 3);
  return near.length === 0 ? "" : `; did you mean ${orList(near)}?`;
}

/** For instance `late, late-0.21 or late-early`. */
export const orList = (names: readonly string[]): string =>
  [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" or ");

/**
 * Known names that a mistyped or shortened one may stand for, nearest first; empty text may stand
 * for any. `cap` may stand for `speculativeCap`.
 */
export function nearNames(word: string, known: readonly string[]): readonly string[] {
  if (word === "") return [];
  const near = known
    .map((name) => ({ name, edits: isPart(word, name) ? 0 : editsBetween(word, name) }))
    .filter(({ name, edits }) => edits < name.length && edits <= Math.max(2, name.length / 3));
  near.sort((a, b) => (a.edits === b.edits ? (a.name < b.name ? -1 : 1) : a.edits - b.edits));
  return near.map(({ name }) => name);
}

/** Whether the word begins the name, or is a longer part of it. */
const isPart = (word: string, name: string): boolean =>
  name.startsWith(word) ||
  (word.length >= PART_MIN && name.toLowerCase().includes(word.toLowerCase()));

/** Two letters are in too many names. */
const PART_MIN = 3;

/** The number of letters to insert, delete or change (Levenshtein). */
export function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
