import type { Note } from "../../history/model.ts";

/** The parts of one history, in the order in which they are read. */
export interface Parts {
  readonly names: readonly string[];
  /** What the names say of parts that are not there. */
  readonly notes: readonly Note[];
}

/** Undefined if a directory with these names is not one history, but may hold several. */
export function partsIn(names: readonly string[]): Parts | undefined {
  return rolledBySpark(names) ?? rolledByDatabricks(names);
}

interface Part {
  readonly name: string;
  readonly number: number;
  /** It stands for itself and all parts before it. */
  readonly isCompacted: boolean;
}

/** `events_NUMBER_APPLICATION`, maybe with a codec and `.compact`, beside an `appstatus_`. */
function rolledBySpark(names: readonly string[]): Parts | undefined {
  const parts = names.flatMap((name): Part[] => {
    const [, number] = /^events_(\d+)_/.exec(name) ?? [];
    if (number === undefined) return [];
    return [{ name, number: Number(number), isCompacted: name.endsWith(".compact") }];
  });
  if (parts.length === 0 && !names.some((name) => name.startsWith("appstatus_"))) return undefined;
  const compacted = parts.filter(({ isCompacted }) => isCompacted);
  const last = compacted.reduce((most, { number }) => Math.max(most, number), 0);
  const read = parts
    .filter(({ number, isCompacted }) => (isCompacted ? number === last : number > last))
    .sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  return {
    names: read.map(({ name }) => name),
    notes: [...(last > 0 ? [compactedUpTo(last)] : []), ...gapsIn(read, Math.max(1, last))],
  };
}

const compactedUpTo = (last: number): Note => ({
  kind: "dropped",
  text:
    `the history server compacted the log up to events_${last}: ` +
    "tasks of jobs that had finished then are gone " +
    "(spark.history.fs.eventLog.rolling.maxFilesToRetain)",
});

/** Part numbers that are missing, from the first that must be there. */
function gapsIn(parts: readonly Part[], first: number): readonly Note[] {
  const notes: Note[] = [];
  let expected = first;
  for (const { number } of parts) {
    if (number > expected) notes.push(missing(expected, number - 1));
    expected = number + 1;
  }
  return notes;
}

const missing = (from: number, to: number): Note => ({
  kind: "dropped",
  text:
    from === to
      ? `events_${from} is missing: what happened then is not known`
      : `events_${from} to events_${to} are missing: what happened then is not known`,
});

/** `eventlog`, which is being written, and `eventlog-2026-09-21--20-00.gz` before it. */
function rolledByDatabricks(names: readonly string[]): Parts | undefined {
  const dated = names.filter((name) => /^eventlog-\d{4}-\d\d-\d\d--\d\d-\d\d(\.\w+)?$/.test(name));
  if (dated.length === 0) return undefined;
  const current = names.filter((name) => name === "eventlog");
  return { names: [...dated.sort(), ...current], notes: [] };
}
