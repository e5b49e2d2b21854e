import { posix } from "node:path";
import { InputError } from "../../../base/input-error.ts";

/** The root of the paths that the user names. */
export interface HdfsRoot {
  /** For instance `hdfs://m1:8020`. */
  readonly fileSystem: string;
  /** For instance `/user/ann`. */
  readonly home: string;
}

/**
 * Resolves a path to one within the cluster's file system, without the file system's name: `/in`,
 * `in` (in the user's home), `hdfs:///in`, `hdfs://m1:8020/in`. InputError for a path of any other
 * file system.
 */
export function hdfsPath(text: string, { fileSystem, home }: HdfsRoot): string {
  const [whole, scheme = "", authority, path = ""] =
    /^([a-z][a-z0-9+.-]*):(?:\/\/([^/]*))?(.*)$/i.exec(text) ?? [];
  if (whole === undefined) return posix.resolve(home, text);
  const named = `hdfs://${authority ?? ""}`;
  const isHere = scheme === "hdfs" && (named === "hdfs://" || named === fileSystem);
  if (isHere && path.startsWith("/")) return posix.resolve("/", path);
  const local = scheme === "file" ? " (local files are put there by `hdfs dfs -put`)" : "";
  throw new InputError("bad-flag", text, `expected a path on ${fileSystem}${local}`);
}
