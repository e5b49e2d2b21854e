import { InputError } from "../base/input-error.ts";
import { oneLine } from "../base/printable.ts";
import { historiesIn } from "../trace/open/histories-in.ts";
import { runJournal } from "./run-journal.ts";

/** A history that a user named. */
export interface NamedHistory {
  readonly path: string;
  /** Its name in messages: as the user gave it, or the path of one of many in a directory. */
  readonly name: string;
}

/** The histories of runs, files, URLs and `-`, and all those in directories. */
export const historiesNamed = (names: readonly string[]): readonly NamedHistory[] =>
  names.flatMap((name) => {
    const found = runJournal(name);
    return historiesIn(found).map((path) => ({
      ...{ path, name: oneLine(path === found ? name : path) },
    }));
  });

/** One history; without a name, that of the latest run. InputError for a directory of several. */
export function historyNamed(name?: string): NamedHistory {
  const found = runJournal(name);
  const [path, ...others] = historiesIn(found);
  if (path !== undefined && others.length === 0) return { path, name: name ?? path };
  const count = path === undefined ? "none" : `${others.length + 1}`;
  const expected = `expected one history, found ${count} in a directory`;
  throw new InputError("bad-input", name ?? found, expected);
}
