import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../base/input-error.ts";
import { oneLine } from "../base/printable.ts";
import { partsIn } from "../trace/open/parts.ts";
import { JOURNAL, runJournal } from "./run-journal.ts";

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

/**
 * A file, a directory with the parts of one history or `-` stays as it is; another directory yields
 * the histories in it and in the directories below. So does a path that cannot be read: opening it
 * says why, and its neighbours are read.
 */
function historiesIn(path: string, above: readonly string[] = []): readonly string[] {
  const names = path === "-" ? undefined : namesIn(path);
  if (names === undefined || partsIn(names) !== undefined) return [path];
  if (above.length > 0 && names.includes(JOURNAL)) return [join(path, JOURNAL)];
  const here = realpathSync(path);
  // A link to a directory above leads round in a circle.
  if (above.includes(here)) return [];
  return names
    .filter((name) => !/^\.|^_SUCCESS$|\.(crc|xml|md)$/.test(name))
    .sort()
    .flatMap((name) => historiesIn(join(path, name), [...above, here]));
}

/** Undefined for what is no directory, or cannot be read. */
function namesIn(path: string): readonly string[] | undefined {
  try {
    return statSync(path).isDirectory() ? readdirSync(path) : undefined;
  } catch {
    return undefined;
  }
}
