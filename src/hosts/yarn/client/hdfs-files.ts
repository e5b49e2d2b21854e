import { InputError } from "../../../base/input-error.ts";
import { globFiles } from "../../../data/formats/glob.ts";
import { type HdfsRoot, hdfsPath } from "./hdfs-path.ts";
import type { HdfsEntry, WebHdfs } from "./web-hdfs.ts";

/**
 * The files that the patterns match, sorted, each once, as on a local disk; see `globFiles`.
 * InputError if a pattern matches none.
 */
export async function hdfsFiles(
  hdfs: WebHdfs,
  patterns: readonly string[],
  root: HdfsRoot,
): Promise<readonly HdfsEntry[]> {
  if (patterns.length === 0) {
    throw new InputError("missing-file", "input", "expected a path, in the job file or by --input");
  }
  const tree = {
    absolute: (path: string) => hdfsPath(path, root),
    find: (path: string) => hdfs.find(path),
    list: (path: string) => hdfs.list(path),
  };
  const found = new Map<string, HdfsEntry>();
  for (const pattern of patterns) {
    const files = await globFiles(tree, pattern);
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
