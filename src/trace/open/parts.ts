import type { LogEvidence, Missing } from "../../history/evidence.ts";
import type { Note } from "../../history/model.ts";

/** The parts of one history, in the order in which they are read. */
export interface Parts {
  readonly names: readonly string[];
  readonly notes: readonly Note[];
  /** What the names say of parts that are not there. */
  readonly holes: Pick<LogEvidence, "missing" | "compactedTo">;
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
    notes: last > 0 ? [compactedUpTo(last)] : [],
    holes: {
      missing: gapsIn(read, Math.max(1, last)),
      ...(last > 0 && { compactedTo: `events_${last}` }),
    },
  };
}

const compactedUpTo = (last: number): Note => ({
  kind: "dropped",
  text:
    `the history server compacted the log up to events_${last}: ` +
    "tasks of jobs that had finished then are gone " +
    "(spark.history.fs.eventLog.rolling.maxFilesToRetain)",
});

/** Parts that are missing, from the first that must be there. */
function gapsIn(parts: readonly Part[], first: number): readonly Missing[] {
  const gaps: Missing[] = [];
  let expected = first;
  for (const { number } of parts) {
    if (number > expected) {
      gaps.push({ kind: "parts", from: `events_${expected}`, to: `events_${number - 1}` });
    }
    expected = number + 1;
  }
  return gaps;
}

/** `eventlog`, which is being written, and `eventlog-2026-09-21--20-00.gz` before it. */
function rolledByDatabricks(names: readonly string[]): Parts | undefined {
  const dated = names.filter((name) => /^eventlog-\d{4}-\d\d-\d\d--\d\d-\d\d(\.\w+)?$/.test(name));
  if (dated.length === 0) return undefined;
  const current = names.filter((name) => name === "eventlog");
  return { names: [...dated.sort(), ...current], notes: [], holes: {} };
}
