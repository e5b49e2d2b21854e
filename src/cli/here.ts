import { relative } from "node:path";

/**
 * The path relative to the working directory, if it is below it; a path of another file system
 * stays unchanged.
 */
export function here(path: string): string {
  if (/^[a-z]+:\/\//.test(path)) return path;
  const seen = relative(process.cwd(), path);
  return seen === "" || seen.startsWith("..") ? path : seen;
}
