import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { partsIn } from "./parts.ts";

/** The journal of a run, in the run's directory. */
export const JOURNAL = "journal.ndjson";

/**
 * A file, a directory with the parts of one history or `-` stays as it is; another directory yields
 * the histories in it and in the directories below. So does a path that cannot be read: opening it
 * says why, and its neighbours are read.
 */
export const historiesIn = (path: string): readonly string[] => below(path, new Set());

/** `seen`: the directories above and before, by their own paths: links may lead there again. */
function below(path: string, seen: Set<string>): readonly string[] {
  const names = path === "-" ? undefined : namesIn(path);
  if (names === undefined || partsIn(names) !== undefined) return [path];
  if (seen.size > 0 && names.includes(JOURNAL)) return [join(path, JOURNAL)];
  const here = realpathSync(path);
  if (seen.has(here)) return [];
  seen.add(here);
  return names
    .filter((name) => !/^\.|^_SUCCESS$|\.(crc|xml|md)$/.test(name))
    .sort()
    .flatMap((name) => below(join(path, name), seen));
}

/** Undefined for what is no directory, or cannot be read. */
function namesIn(path: string): readonly string[] | undefined {
  try {
    return statSync(path).isDirectory() ? readdirSync(path) : undefined;
  } catch {
    return undefined;
  }
}
