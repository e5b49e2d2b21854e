import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Tree, TreeEntry } from "./glob.ts";

/** This machine's files; `from`: the directory that relative paths start from. */
export const localTree = (from: string): Tree<TreeEntry> => ({
  absolute: (path) => resolve(from, path),
  find: async (path) =>
    existsSync(path) ? { path, isDirectory: statSync(path).isDirectory() } : undefined,
  list: async (path) => {
    if (!existsSync(path) || !statSync(path).isDirectory()) return [];
    return readdirSync(path, { withFileTypes: true }).map((entry) => ({
      path: join(path, entry.name),
      isDirectory: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
    }));
  },
});
