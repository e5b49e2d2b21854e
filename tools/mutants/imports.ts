import { posix } from "node:path";
import type { SourceFile } from "../tidy/source.ts";

/** Imports of values; types are gone when the program runs. */
const IMPORT = /^(?:import|export)\s(?!type\b)[^;]*?from\s+"(\.[^"]+)"|^import\s+"(\.[^"]+)"/gm;

/** For each file, the files that import it. */
export function importersOf(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const { path, text } of files) {
    if (!path.endsWith(".ts")) continue;
    for (const [, from, bare] of text.matchAll(IMPORT)) {
      const target = posix.join(posix.dirname(path), from ?? bare ?? "");
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  return importers;
}

/** The test files that run the file, those with the fewest imports between first. */
export function testsOf(
  importers: ReadonlyMap<string, readonly string[]>,
  path: string,
): readonly string[] {
  const seen = new Set([path]);
  // A set yields what is added to it while it is read.
  for (const file of seen) for (const importer of importers.get(file) ?? []) seen.add(importer);
  return [...seen].filter((file) => file.endsWith(".test.ts"));
}
