import { relative } from "node:path";

/** The path as seen from the working directory, if it is below it. */
export function here(path: string): string {
  const seen = relative(process.cwd(), path);
  return seen === "" || seen.startsWith("..") ? path : seen;
}
