import { cpSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { defined } from "../../../base/assert.ts";
import { InputError } from "../../../base/input-error.ts";
import { isObject, parseJson } from "../../../base/json.ts";
import type { UsedPackage } from "../../../data/load/module-graph.ts";

/** Copies packages with all of their dependencies into a directory `node_modules`. */
export function shipPackages(packages: Iterable<UsedPackage>, into: string): void {
  const shipped = new Map<string, string>();
  for (const used of packages) ship(used, [into], shipped);
}

/** The named packages that are installed where `from` would find them. */
export function installedPackages(names: readonly string[], from: string): readonly UsedPackage[] {
  return names.flatMap((name) => {
    const root = findPackage(name, from);
    return root === undefined ? [] : [{ name, root }];
  });
}

/**
 * Copies a package to the top level, unless another version is there or nearer to its importer.
 * `chain`: the directories in which Node would look for it, nearest first. `shipped`: the source of
 * each copy.
 */
function ship(
  { name, root }: UsedPackage,
  chain: readonly string[],
  shipped: Map<string, string>,
): void {
  const found = chain.find((place) => shipped.has(join(place, name)));
  if (found !== undefined && shipped.get(join(found, name)) === root) return;
  const place = found === undefined ? chain.slice(-1) : chain;
  const to = join(defined(place[0], "a place for packages"), name);
  shipped.set(to, root);
  const nested = join(root, "node_modules");
  cpSync(root, to, { recursive: true, dereference: true, filter: (path) => path !== nested });
  for (const dependency of dependenciesOf(root)) {
    const from = findPackage(dependency, root);
    if (from === undefined) continue;
    ship({ name: dependency, root: from }, [join(to, "node_modules"), ...place], shipped);
  }
}

const DEPENDENCIES = ["dependencies", "optionalDependencies", "peerDependencies"];

/**
 * A dependency that is not installed is optional; if not, the failed import in the container names
 * it.
 */
function dependenciesOf(root: string): readonly string[] {
  const path = join(root, "package.json");
  const parsed = parseJson(readFileSync(path, "utf8"));
  if (!parsed.ok) throw new InputError("bad-job", path, parsed.problem);
  const manifest = isObject(parsed.value) ? parsed.value : {};
  const names = DEPENDENCIES.flatMap((field) => {
    const { [field]: packages = null } = manifest;
    return isObject(packages) ? Object.keys(packages) : [];
  });
  return [...new Set(names)];
}

/** Finds the package as Node does from this directory. */
function findPackage(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const root = join(at, "node_modules", name);
    if (existsSync(join(root, "package.json"))) return realpathSync(root);
    if (at === dirname(at)) return undefined;
  }
}
