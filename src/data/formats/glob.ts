import { InputError } from "../../base/input-error.ts";

/** A tree of files in which patterns are looked up: the local disk, HDFS. */
export interface Tree<Entry extends TreeEntry> {
  /** The absolute form of a user's path or pattern. */
  absolute(path: string): string;
  find(path: string): Promise<Entry | undefined>;
  /** Empty if the directory does not exist. */
  list(path: string): Promise<readonly Entry[]>;
}

export interface TreeEntry {
  readonly path: string;
  readonly isDirectory: boolean;
  /** Whether it is a link: `find` follows the link, and knows whether it leads to a directory. */
  readonly isLink?: boolean;
}

/**
 * The files that a pattern names: `*` and `?` within a name, `**` for any number of directories,
 * `{a,b}` for either, `[a-z]` for one of a class. A directory stands for all files below it. Names
 * that start with `_` or `.` are skipped unless the pattern spells that character out; a path that
 * exists is taken literally. The files come in no particular order, possibly more than once.
 */
export async function globFiles<Entry extends TreeEntry>(
  tree: Tree<Entry>,
  pattern: string,
): Promise<readonly Entry[]> {
  const entry = await tree.find(tree.absolute(pattern));
  if (entry !== undefined) return filesBelow(tree, entry);
  const files: Entry[] = [];
  for (const one of expandBraces(pattern)) {
    const names = tree.absolute(one).split("/").slice(1);
    files.push(...(await match(tree, "", names)));
  }
  return files;
}

async function filesBelow<Entry extends TreeEntry>(
  tree: Tree<Entry>,
  found: Entry,
): Promise<readonly Entry[]> {
  const entry = found.isLink ? ((await tree.find(found.path)) ?? found) : found;
  if (!entry.isDirectory) return [entry];
  const files: Entry[] = [];
  for (const below of await tree.list(entry.path)) {
    if (!isHidden(nameOf(below))) files.push(...(await filesBelow(tree, below)));
  }
  return files;
}

async function match<Entry extends TreeEntry>(
  tree: Tree<Entry>,
  path: string,
  [name, ...rest]: readonly string[],
): Promise<readonly Entry[]> {
  if (name === undefined) {
    const entry = await tree.find(path);
    return entry === undefined ? [] : filesBelow(tree, entry);
  }
  if (!/[*?[]/.test(name)) return match(tree, `${path}/${name}`, rest);
  const files: Entry[] = [];
  const entries = await tree.list(path === "" ? "/" : path);
  if (name === "**") {
    files.push(...(await match(tree, path, rest.length === 0 ? ["*"] : rest)));
    for (const below of entries) {
      if (!below.isDirectory || isHidden(nameOf(below))) continue;
      files.push(...(await match(tree, below.path, [name, ...rest])));
    }
    return files;
  }
  const wanted = wildcard(name);
  for (const below of entries) {
    const own = nameOf(below);
    if (!wanted.test(own) || (isHidden(own) && !isHidden(name))) continue;
    if (rest.length === 0 && !below.isLink) files.push(...(await filesBelow(tree, below)));
    else if (below.isDirectory || below.isLink)
      files.push(...(await match(tree, below.path, rest)));
  }
  return files;
}

const nameOf = ({ path }: TreeEntry): string => path.slice(path.lastIndexOf("/") + 1);

/** Whether patterns skip the name unless they spell it out. */
const isHidden = (name: string): boolean => name.startsWith("_") || name.startsWith(".");

/**
 * The expression for one name between slashes. Throws an InputError for an invalid class, such as
 * `[z-a]`.
 */
function wildcard(name: string): RegExp {
  const source = name.replace(/\[!?[^\]]+\]|[*?]|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.length === 1) return `\\${part}`;
    return part.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
  });
  try {
    return new RegExp(`^${source}$`, "u");
  } catch {
    throw new InputError("bad-flag", `input ${name}`, "expected classes such as [a-z] in a glob");
  }
}

/** Expands the innermost braces first: `a{b,c{d,e}}` is `ab`, `acd` and `ace`. */
function expandBraces(pattern: string): string[] {
  const braces = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const [all, choices = ""] = braces;
  const before = pattern.slice(0, braces.index);
  const after = pattern.slice(braces.index + all.length);
  return choices.split(",").flatMap((choice) => expandBraces(before + choice + after));
}
