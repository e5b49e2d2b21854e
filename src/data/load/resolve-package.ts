import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert } from "../../base/assert.ts";

/** The conditions of an `import` in Node. */
const CONDITIONS = ["node", "import", "module-sync", "default"];

/**
 * The file that `import "name/sub"` means to a module at `from`, as Node resolves it; undefined if
 * there is none. Node resolves only from the place of the calling module, which is not the job
 * file's.
 */
export function resolvePackage(query: { specifier: string; from: string }): string | undefined {
  const [name = "", sub = "."] = split(query.specifier);
  for (let at = dirname(query.from); ; at = dirname(at)) {
    const own = readManifest(at);
    const isSelf = own?.name === name && own.exports !== undefined;
    const root = isSelf ? at : join(at, "node_modules", name);
    const manifest = isSelf ? own : readManifest(root);
    if (manifest !== undefined) return existing(root, target(manifest, sub));
    if (at === dirname(at)) return undefined;
  }
}

/** `@scope/name` for `@scope/name/a/b`. */
export const packageName = (specifier: string): string => split(specifier)[0] ?? specifier;

/** The root directory of the package of this name to which the file belongs. */
export function packageRoot(name: string, file: string): string {
  for (let at = dirname(file); at !== dirname(at); at = dirname(at)) {
    if (readManifest(at)?.name === name) return at;
  }
  // The package is installed under another name than its own.
  const at = file.lastIndexOf(join("node_modules", name));
  assert(at >= 0, "a file of a package lies in it");
  return file.slice(0, at) + join("node_modules", name);
}

interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
}

/** Splits `@scope/name/a/b` into `@scope/name` and `./a/b`. */
function split(specifier: string): readonly string[] {
  const parts = specifier.split("/");
  const count = specifier.startsWith("@") ? 2 : 1;
  return [parts.slice(0, count).join("/"), [".", ...parts.slice(count)].join("/")];
}

function readManifest(directory: string): Manifest | undefined {
  const path = join(directory, "package.json");
  if (!existsSync(path)) return undefined;
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  return typeof manifest === "object" && manifest !== null ? manifest : undefined;
}

/** The paths within the package. */
function target(manifest: Manifest, sub: string): readonly string[] {
  const { exports, main } = manifest;
  if (exports !== undefined && exports !== null) return asList(exported(exports, sub));
  if (sub !== ".") return [sub];
  const mains = typeof main === "string" ? [main, `${main}.js`, join(main, "index.js")] : [];
  return [...mains, "index.js"];
}

const asList = (path: string | undefined): readonly string[] => (path === undefined ? [] : [path]);

function exported(exports: unknown, sub: string): string | undefined {
  const entries = entriesOf(exports);
  const isBySub = entries.some(([name]) => name.startsWith("."));
  if (!isBySub) return sub === "." ? conditional(exports) : undefined;
  const exact = entries.find(([name]) => name === sub);
  if (exact !== undefined) return conditional(exact[1]);
  // The pattern with the longest text before its star is the most specific.
  const patterns = entries.filter(([name]) => name.includes("*")).sort(byLengthBeforeStar);
  for (const [name, value] of patterns) {
    const [before = "", after = ""] = name.split("*");
    const fits = sub.startsWith(before) && sub.endsWith(after) && sub.length > name.length - 1;
    const star = sub.slice(before.length, sub.length - after.length);
    if (fits) return conditional(value)?.replaceAll("*", () => star);
  }
  return undefined;
}

function byLengthBeforeStar(
  [x]: readonly [string, unknown],
  [y]: readonly [string, unknown],
): number {
  const order = y.indexOf("*") - x.indexOf("*");
  return order !== 0 ? order : x < y ? -1 : 1;
}

/** The first condition that holds, in the package's own order. */
function conditional(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(conditional).find((one) => one !== undefined);
  for (const [condition, inner] of entriesOf(value)) {
    const found = CONDITIONS.includes(condition) ? conditional(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function existing(root: string, candidates: readonly string[]): string | undefined {
  const found = candidates.map((one) => join(root, one)).find((path) => existsSync(path));
  return found === undefined ? undefined : realpathSync(found);
}
