import { InputError } from "../base/input-error.ts";
import { parseJson } from "../base/json.ts";
import { restoreDiscipline } from "../policy/discipline.ts";
import type { Discipline, DisciplineDescription } from "../policy/policy.ts";
import type { Registry } from "../policy/registry.ts";
import { endsInMidLine, readLines } from "./files.ts";

/** An unknown name in the first line is a mistake of the journal. */
export function restored(
  described: DisciplineDescription,
  path: string,
  registry?: Registry,
): Discipline {
  try {
    return restoreDiscipline(described, registry);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError("bad-journal", `${path}:1`, error.message);
  }
}

/**
 * The whole lines of a journal. If the last line is cut off, as by a crash during its write, its
 * number goes to `torn`.
 */
export function* journalLines(
  path: string,
  torn: (line: number) => void = () => {},
): Generator<string, void> {
  let number = 0;
  let last: string | undefined;
  for (const line of readLines(path)) {
    if (last !== undefined) yield last;
    last = line;
    number += 1;
  }
  if (last === undefined) return;
  // A first line that is cut off is an error, not a torn journal.
  if (number > 1 && !parseJson(last).ok && endsInMidLine(path)) torn(number);
  else yield last;
}
