/** Rare cases that may confuse a speculator; a comparison must include many of them. */
export type Rarity = "late-start" | "fourth-attempt" | "stall";

/** The rare cases of one job, from the lines of a `Played`. */
export function* raritiesOf(lines: readonly string[]): Iterable<Rarity> {
  const assignedAt = new Map<string, number>();
  const progress = new Map<string, number>();
  for (const line of lines) {
    const [kind, at, task, number, reported] = line.split(" ");
    const attempt = `${task} ${number}`;
    if (kind === "add" && Number(number) === 3) yield "fourth-attempt";
    else if (kind === "assign") assignedAt.set(attempt, Number(at));
    // The attempt has its container, and does not start at once.
    else if (kind === "start" && Number(at) > Number(assignedAt.get(attempt))) yield "late-start";
    else if (kind === "progress") {
      const now = Number(reported);
      if (progress.get(attempt) === now) yield "stall";
      progress.set(attempt, now);
    }
  }
}
