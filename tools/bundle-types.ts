import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const IMPORT = /(?:from |import\()"(\.[^"]+)"/g;

/**
 * Copies the declarations that the entries reach, out of all that the compiler wrote, so that the
 * package holds no others. `declarations` and `into` are directories; entries are paths within the
 * first.
 */
export function bundleTypes(
  entries: readonly string[],
  { declarations, into }: { readonly declarations: string; readonly into: string },
): void {
  const reached = new Set<string>();
  const open = entries.map((entry) => join(declarations, entry));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path) || !existsSync(path)) continue;
    reached.add(path);
    const from = dirname(path);
    for (const [, name = ""] of readFileSync(path, "utf8").matchAll(IMPORT)) {
      open.push(resolve(from, name.replace(/\.[jt]s$/, ".d.ts")));
    }
  }
  rmSync(into, { recursive: true, force: true });
  for (const path of reached) {
    const to = join(into, relative(declarations, path));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to);
  }
}
