import { parseJson } from "../base/json.ts";
import { endsInMidLine, readLines } from "./files.ts";

/**
 * The lines of a journal that are whole. The number of the last line goes to `torn` if it is cut
 * off, as a crash in the middle of its writing leaves it.
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
  // A first line that is cut off tells nothing.
  if (number > 1 && !parseJson(last).ok && endsInMidLine(path)) torn(number);
  else yield last;
}
