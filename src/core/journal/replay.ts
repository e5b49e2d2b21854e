import type { Discipline, DisciplineDescription } from "../../policy/policy.ts";
import { createScheduler } from "../scheduler.ts";
import type { Setup } from "../setup.ts";
import { isList, isObject, type Json } from "./json.ts";
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
 * byte. `restore` finds the policies that the first line names; a parameter that a policy did not
 * have yet when the journal was written stands at its default.
 */
export function replay(
  lines: Iterable<string>,
  restore: (description: DisciplineDescription) => Discipline,
  place = "journal",
): Replayed {
  const journal = parseJournal(lines, place);
  const { explain, ...described } = journal.setup;
  const setup: Setup = { ...described, discipline: restore(described.discipline) };
  const writer = journalWriter(setup, { explain, sealed: journal.sealed });
  const header = writer.header();
  if (!agrees(JSON.parse(journal.header), JSON.parse(header))) {
    return { kind: "different", line: 1, expected: journal.header, got: header };
  }
  const scheduler = createScheduler(setup, { explain });
  let steps = 0;
  for (const entry of journal.entries) {
    if (entry.kind === "host") continue;
    const got = writer.step(entry.event, scheduler.step(entry.event).actions);
    const difference = differs(entry.line, entry.text, got);
    if (difference !== undefined) return difference;
    steps += 1;
  }
  return { kind: "same", steps };
}

function differs(line: number, expected: string, got: string): Replayed | undefined {
  return expected === got ? undefined : { kind: "different", line, expected, got };
}

/** All that was recorded is there and the same, and nothing more but parameters of policies. */
function agrees(recorded: Json, got: Json, isParams = false): boolean {
  if (isList(recorded)) {
    if (!isList(got) || got.length !== recorded.length) return false;
    return recorded.every((element, i) => agrees(element, got[i] ?? null));
  }
  if (!isObject(recorded)) return recorded === got;
  if (!isObject(got)) return false;
  const names = Object.keys(recorded);
  if (!isParams && Object.keys(got).length !== names.length) return false;
  return names.every((name) => {
    const [left, right] = [recorded[name], got[name]];
    return left !== undefined && right !== undefined && agrees(left, right, name === "params");
  });
}
