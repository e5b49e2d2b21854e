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
export function historiesIn(path: string, above: readonly string[] = []): readonly string[] {
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
