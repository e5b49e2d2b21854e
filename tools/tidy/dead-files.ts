import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { type Check, isTypeScript, type SourceFile, textOf, walk } from "./source.ts";

/**
 * Files that are started from outside, or are ends in themselves: all others must be reachable from
 * these.
 */
const ENTRIES = [
  /\.test(-d)?\.ts$/,
  /^vitest\.config\.ts$/,
  /^tools\/(bundle\.config|global-setup|tally-reporter)\.ts$/,
  /^bench\/main\.ts$/,
  /^test\/(evidence|letter|referee)\/main\.ts$/,
  /^test\/simulate\/command\/(main|worker)\.ts$/,
  /^tools\/cluster\/(slow\/)?main\.ts$/,
  /^tools\/pack\/(main|release-check)\.ts$/,
  /^tools\/mutants\/(main|vitest\.config)\.ts$/,
  /^bench\/fidelity\/jobs\//,
  /^bench\/(history|whatif)\/[a-z-]+-run\.ts$/,
  /^examples\//,
  /^src\/(cli\/main|index)\.ts$/,
  /^src\/page\/(main|live)\.tsx$/,
  /^src\/page\/worker\/main\.ts$/,
  /^src\/hosts\/yarn\/(policy|task)\/main\.ts$/,
  /^src\/(job|core|policy|testing|trace|diagnose|whatif|hosts\/sim|hosts\/engine)\/index\.ts$/,
];

/** A test, or a file that only tests use. */
const OF_TESTS = /^test\/|\.test(-d)?\.ts$/;

/** Every file is used by another, and every file in `src` by more than tests. */
export const deadFiles: Check = (files) => {
  const sources = new Map(files.filter(isTypeScript).map((file) => [file.path, file]));
  const entries = [...sources.keys()].filter((path) => ENTRIES.some((entry) => entry.test(path)));
  const reached = reachedFrom(entries, sources);
  const product = entries.filter((path) => !OF_TESTS.test(path));
  const shipped = reachedFrom(product, sources);
  const dead = [...sources.keys()]
    .filter((path) => !reached.has(path))
    .map((path) => ({ path, line: 1, message: "nothing uses this file: delete it" }));
  const misplaced = [...reached]
    .filter((path) => path.startsWith("src/") && !OF_TESTS.test(path) && !shipped.has(path))
    .map((path) => ({ path, line: 1, message: "tests alone use this file: move it to test/" }));
  const compiled = files
    .filter(({ path }) => sources.has(path.replace(/\.js$/, ".ts")) && path.endsWith(".js"))
    .map(({ path }) => ({ path, line: 1, message: "compiled beside its source: delete it" }));
  return [...dead, ...misplaced, ...compiled];
};

function reachedFrom(
  entries: readonly string[],
  sources: ReadonlyMap<string, SourceFile>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = sources.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    open.push(...usedBy(file));
  }
  return reached;
}

/**
 * The files that the file imports, or names in a string: `new URL("./worker.js", import.meta.url)`.
 */
function usedBy(file: SourceFile): readonly string[] {
  const named = importsOf(file).map(({ target }) => target);
  walk(file, (node) => {
    const value = node.type === "Literal" ? textOf(node, "value") : undefined;
    if (value !== undefined && /^\.\.?\/.*\.(js|ts)$/.test(value)) named.push(value);
  });
  return named
    .filter((target) => target.startsWith("."))
    .map((target) => posix.join(posix.dirname(file.path), target).replace(/\.js$/, ".ts"));
}
