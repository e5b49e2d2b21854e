import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * A file, a rolling directory of Spark or `-` stays as it is; another directory yields its
 * histories.
 */
export function historiesIn(path: string): readonly string[] {
  const stat = path === "-" ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true || isRolling(path)) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !/^\.|\.(crc|xml|md)$/.test(name))
    .filter((entry) => entry.isFile() || (entry.isDirectory() && isRolling(join(path, entry.name))))
    .map(({ name }) => join(path, name))
    .sort();
}

const isRolling = (path: string): boolean =>
  readdirSync(path).some((name) => /^events_\d+_/.test(name));
