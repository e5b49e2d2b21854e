import { InputError } from "../../../base/input-error.ts";
import { expandBraces, isHidden, wildcard } from "../../../data/formats/glob.ts";
import { type HdfsRoot, hdfsPath } from "./hdfs-path.ts";
import type { HdfsEntry, WebHdfs } from "./web-hdfs.ts";

/**
 * The files that the patterns name, sorted and each once: as on a local disk, see `globFiles`.
 * InputError if a pattern names none.
 */
export async function hdfsFiles(
  hdfs: WebHdfs,
  patterns: readonly string[],
  root: HdfsRoot,
): Promise<readonly HdfsEntry[]> {
  if (patterns.length === 0) {
    throw new InputError("missing-file", "input", "expected a path, in the job file or by --input");
  }
  const found = new Map<string, HdfsEntry>();
  for (const pattern of patterns) {
    const files = await filesOf(hdfs, hdfsPath(pattern, root));
    if (files.length === 0) throw none(pattern, root);
    for (const file of files) found.set(file.path, file);
  }
  return [...found.values()].sort((x, y) => (x.path < y.path ? -1 : 1));
}

function none(pattern: string, { fileSystem, home }: HdfsRoot): InputError {
  const expected = `no such file on ${fileSystem}, where relative paths are those of ${home}`;
  const hidden = "names that begin with _ or . are passed over";
  return new InputError("missing-file", `input ${pattern}`, `${expected}; ${hidden}`);
}

/** A path that is there is taken by its letters. */
async function filesOf(hdfs: WebHdfs, path: string): Promise<readonly HdfsEntry[]> {
  const entry = await hdfs.find(path);
  if (entry !== undefined) return filesBelow(hdfs, entry);
  const files: HdfsEntry[] = [];
  for (const one of expandBraces(path)) {
    const names = one.split("/").slice(1);
    files.push(...(await match(hdfs, "", names)));
  }
  return files;
}

async function filesBelow(hdfs: WebHdfs, entry: HdfsEntry): Promise<readonly HdfsEntry[]> {
  if (!entry.isDirectory) return [entry];
  const files: HdfsEntry[] = [];
  for (const below of await hdfs.list(entry.path)) {
    if (!isHidden(nameOf(below))) files.push(...(await filesBelow(hdfs, below)));
  }
  return files;
}

async function match(
  hdfs: WebHdfs,
  path: string,
  [name, ...rest]: readonly string[],
): Promise<readonly HdfsEntry[]> {
  if (name === undefined) {
    const entry = await hdfs.find(path);
    return entry === undefined ? [] : filesBelow(hdfs, entry);
  }
  if (!/[*?[]/.test(name)) return match(hdfs, `${path}/${name}`, rest);
  const entries = await hdfs.list(path === "" ? "/" : path);
  const files: HdfsEntry[] = [];
  if (name === "**") {
    files.push(...(await match(hdfs, path, rest.length === 0 ? ["*"] : rest)));
    for (const below of entries) {
      const isDeeper = below.isDirectory && !isHidden(nameOf(below));
      if (isDeeper) files.push(...(await match(hdfs, below.path, [name, ...rest])));
    }
    return files;
  }
  const wanted = wildcard(name);
  for (const below of entries) {
    const own = nameOf(below);
    if (!wanted.test(own) || (isHidden(own) && !isHidden(name))) continue;
    if (below.isDirectory || rest.length === 0)
      files.push(...(await match(hdfs, below.path, rest)));
  }
  return files;
}

const nameOf = ({ path }: HdfsEntry): string => path.slice(path.lastIndexOf("/") + 1);
