import { relative } from "node:path";

/**
 * The path as seen from the working directory, if it is below it; that of another file system as it
 * is.
 */
export function here(path: string): string {
  if (/^[a-z]+:\/\//.test(path)) return path;
  const seen = relative(process.cwd(), path);
  return seen === "" || seen.startsWith("..") ? path : seen;
}
