/** Known names that a mistyped one may stand for, nearest first; nothing may stand for any. */
export function nearNames(word: string, known: readonly string[]): readonly string[] {
  if (word === "") return [];
  const near = known
    .map((name) => ({ name, edits: name.startsWith(word) ? 0 : editsBetween(word, name) }))
    .filter(({ name, edits }) => edits <= Math.max(2, Math.floor(name.length / 3)));
  near.sort((a, b) => (a.edits === b.edits ? (a.name < b.name ? -1 : 1) : a.edits - b.edits));
  return near.map(({ name }) => name);
}

/** Letters to insert, delete or change (Levenshtein). */
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
