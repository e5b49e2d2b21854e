import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { InputError } from "../../base/input-error.ts";
import { partsIn } from "./parts.ts";

/** The journal of a run, in the run's directory. */
export const JOURNAL = "journal.ndjson";

/**
 * A file, a directory with the parts of one history or `-` stays as it is; another directory yields
 * the histories in it and in the directories below. So does a path that cannot be read: opening it
 * says why, and its neighbours are read. InputError if there are too many files.
 */
export function historiesIn(
  path: string,
  { onDirectory = () => undefined, filesMax = FILES_MAX }: WalkOptions = {},
): readonly string[] {
  let files = 0;
  const namesIn = (place: string): readonly string[] | undefined => {
    const names = namesOnDisk(place);
    if (names === undefined) files += 1;
    else onDirectory(files, place);
    if (files <= filesMax) return names;
    const expected = "expected a directory of histories";
    const many = `found more than ${filesMax.toLocaleString("en")} files in and below it`;
    throw new InputError("bad-input", path, `${expected}, ${many}: name those that hold histories`);
  };
  return below(path, new Set(), { namesIn, placeOf: realpathSync });
}

/** So many are no directory of histories, but a disk. */
const FILES_MAX = 200_000;

export interface WalkOptions {
  /** Called with the number of files so far, and the directory that is looked into. */
  readonly onDirectory?: (files: number, directory: string) => void;
  readonly filesMax?: number;
}

/** What the system shows as files, and never ends to read. */
const OF_SYSTEM: ReadonlySet<string> = new Set(["/dev", "/proc", "/sys"]);

/** As historiesIn, of the files of an archive: their paths within it. */
export function historiesAmong(files: readonly string[]): readonly string[] {
  const names = new Map<string, Set<string>>([[".", new Set()]]);
  for (const file of files) {
    for (let path = normalize(file); path !== "."; path = dirname(path)) {
      const directory = dirname(path);
      names.set(directory, (names.get(directory) ?? new Set()).add(basename(path)));
    }
  }
  const namesIn = (path: string) => names.get(path) && [...(names.get(path) ?? [])];
  return below(".", new Set(), { namesIn, placeOf: (path) => path });
}

interface Tree {
  /** Undefined for what is no directory, or cannot be read. */
  readonly namesIn: (path: string) => readonly string[] | undefined;
  /** A directory's own path: links lead to it by others. */
  readonly placeOf: (path: string) => string;
}

/** `seen`: the directories above and before: links may lead there again. */
function below(path: string, seen: Set<string>, tree: Tree): readonly string[] {
  const names = path === "-" ? undefined : tree.namesIn(path);
  if (names === undefined || partsIn(names) !== undefined) return [path];
  if (seen.size > 0 && names.includes(JOURNAL)) return [join(path, JOURNAL)];
  const here = tree.placeOf(path);
  if (seen.has(here) || (seen.size > 0 && OF_SYSTEM.has(here))) return [];
  seen.add(here);
  return names
    .filter((name) => !/^\.|^_SUCCESS$|\.(crc|xml|md)$/.test(name))
    .sort()
    .flatMap((name) => below(join(path, name), seen, tree));
}

function namesOnDisk(path: string): readonly string[] | undefined {
  try {
    return statSync(path).isDirectory() ? readdirSync(path) : undefined;
  } catch {
    return undefined;
  }
}
