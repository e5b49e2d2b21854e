import { InputError } from "../base/input-error.ts";
import { parseJson } from "../base/json.ts";
import { restoreDiscipline } from "../policy/discipline.ts";
import type { Discipline, DisciplineDescription } from "../policy/policy.ts";
import type { Registry } from "../policy/registry.ts";
import { endsInMidLine, readLines } from "./files.ts";

/** Restores the discipline of a journal, whose mistake an unknown name in the first line is. */
export const restoring =
  (path: string, registry?: Registry) =>
  (described: DisciplineDescription): Discipline => {
    try {
      return restoreDiscipline(described, registry);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError("bad-journal", `${path}:1`, error.message);
    }
  };

type Torn = (line: number) => void;

/**
 * The whole lines of a journal. If the last line is cut off, as by a crash during its write, its
 * number goes to `torn`.
 */
export const journalLines = (path: string, torn: Torn = () => {}): Generator<string, void> =>
  wholeLines(readLines(path), torn, () => endsInMidLine(path));

/** As `journalLines`; `isCut`: whether a last line that is no JSON is cut off. */
export function* wholeLines(
  lines: Iterable<string>,
  torn: Torn,
  isCut: () => boolean = () => true,
): Generator<string, void> {
  let number = 0;
  let last: string | undefined;
  for (const line of lines) {
    if (last !== undefined) yield last;
    last = line;
    number += 1;
  }
  if (last === undefined) return;
  // A first line that is cut off is an error, not a torn journal.
  if (number > 1 && !parseJson(last).ok && isCut()) torn(number);
  else yield last;
}
