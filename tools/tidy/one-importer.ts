import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { type Check, isTest, isTypeScript, type SourceFile } from "./source.ts";

/** A longer file may have a reader's reasons to stand alone. */
const LINES_MAX = 60;

/** A file that takes another in stays one concept up to about this length. */
const TOGETHER_MAX = 300;

/** What a package's readers or a process start: no file of ours has to import it. */
const ENTRY = /(^|\/)(index|main)\.tsx?$/;

/** Files that stand alone today though they belong to their importer: the list only shrinks. */
export const APART: ReadonlySet<string> = new Set([
  "src/base/memo.ts",
  "src/cli/completion.ts",
  "src/cli/reproduce/worker.ts",
  "src/cli/resume.ts",
  "src/cli/usage.ts",
  "src/core/state/crossings.ts",
  "src/core/state/free-lists.ts",
  "src/data/memory/first-of-key.ts",
  "src/hosts/engine/serve/client.ts",
  "src/page-server/guard.ts",
  "src/page/hands/overview-hands.ts",
  "src/whatif/prospect.ts",
]);

/** A short file with one importer is a part of it, unless it has a test of its own. */
export const oneImporter: Check = (files) => {
  const sources = new Map(files.filter(isTypeScript).map((file) => [file.path, file]));
  const importers = importersIn([...sources.values()]);
  const found = new Map<string, string>();
  for (const [path, file] of sources) {
    const [only, another] = importers.get(path) ?? [];
    const importer = only === undefined ? undefined : sources.get(only);
    const isOurs = path.startsWith("src/") && importer?.path.startsWith("src/") === true;
    if (!isOurs || another !== undefined || isTest(file) || ENTRY.test(path)) continue;
    const lines = linesOf(file);
    if (lines > LINES_MAX || lines + linesOf(importer) > TOGETHER_MAX) continue;
    if (!hasTest(path, sources)) found.set(path, importer.path);
  }
  return [
    ...[...found]
      .filter(([path]) => !APART.has(path))
      .map(([path, importer]) => {
        const message = `${importer} alone imports this short file: make it a part of that`;
        return { path, line: 1, message };
      }),
    ...[...APART]
      .filter((path) => sources.has(path) && !found.has(path))
      .map((path) => ({ path, line: 1, message: "no longer an exception: take it off APART" })),
  ];
};

/** The files that import each file. */
function importersIn(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    for (const { target } of importsOf(file)) {
      if (!target.startsWith(".")) continue;
      const path = posix.join(posix.dirname(file.path), target);
      importers.set(path, (importers.get(path) ?? new Set()).add(file.path));
    }
  }
  return importers;
}

/** `a.test.ts`, `a.long.test.ts`, `a.paper.test.ts` ... are tests of `a.ts`. */
function hasTest(path: string, sources: ReadonlyMap<string, SourceFile>): boolean {
  const stem = path.replace(/\.tsx?$/, "");
  const kinds = ["", ".long", ".slow", ".paper"];
  return kinds.some((kind) => sources.has(`${stem}${kind}.test.ts`));
}

const linesOf = ({ text }: SourceFile): number => text.split("\n").length - 1;
