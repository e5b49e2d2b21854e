import type { Discipline, DisciplineDescription } from "../../policy/policy.ts";
import { createScheduler } from "../scheduler.ts";
import type { Setup } from "../setup.ts";
import { parseJournal } from "./read.ts";
import { journalWriter } from "./write.ts";

export type Replayed =
  | { readonly kind: "same"; readonly steps: number }
  /** The first line that a fresh scheduler writes differently. */
  | {
      readonly kind: "different";
      readonly line: number;
      readonly expected: string;
      readonly got: string;
    };

/**
 * Runs the events of a journal through a fresh scheduler, which must reproduce every line to the
 * byte. `restore` finds the policies that the first line names.
 */
export function replay(
  lines: Iterable<string>,
  restore: (description: DisciplineDescription) => Discipline,
  place = "journal",
): Replayed {
  const journal = parseJournal(lines, place);
  const { explain, ...described } = journal.setup;
  const setup: Setup = { ...described, discipline: restore(described.discipline) };
  const writer = journalWriter(setup, { explain });
  const first = differs(1, journal.header, writer.header());
  if (first !== undefined) return first;
  const scheduler = createScheduler(setup, { explain });
  let steps = 0;
  for (const entry of journal.entries) {
    if (entry.kind === "host") continue;
    const got = writer.step(entry.event, scheduler.step(entry.event));
    const difference = differs(entry.line, entry.text, got);
    if (difference !== undefined) return difference;
    steps += 1;
  }
  return { kind: "same", steps };
}

function differs(line: number, expected: string, got: string): Replayed | undefined {
  return expected === got ? undefined : { kind: "different", line, expected, got };
}
