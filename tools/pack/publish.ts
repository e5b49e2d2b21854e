import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { addressIn, publishedManifest } from "./published-manifest.ts";
import { publishedPage } from "./published-page.ts";

/** Where the originals wait while a package is packed. */
export const WAITING = ".build/packing";

/**
 * Gives package.json and the Markdown pages the form in which they are published, until
 * `restore`.
 */
export function publish(root: string): void {
  restore(root);
  const files = filesToPack(root);
  const shipped = new Set(files.flatMap((path) => [path, ...foldersAbove(path)]));
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const around = {
    isShipped: (path: string) => shipped.has(path),
    address: addressIn(JSON.parse(read("package.json"))),
  };
  const replace = (path: string, text: string): void => {
    if (text === read(path)) return;
    mkdirSync(dirname(join(root, WAITING, path)), { recursive: true });
    renameSync(join(root, path), join(root, WAITING, path));
    writeFileSync(join(root, path), text);
  };
  replace("package.json", publishedManifest(read("package.json")));
  for (const path of files) {
    if (path.endsWith(".md")) replace(path, publishedPage(path, read(path), around));
  }
}

/** Puts the originals back, if any wait: the same files, byte for byte. */
export function restore(root: string): void {
  const waiting = join(root, WAITING);
  if (!existsSync(waiting)) return;
  for (const path of readdirSync(waiting, { recursive: true, encoding: "utf8" })) {
    if (statSync(join(waiting, path)).isFile()) renameSync(join(waiting, path), join(root, path));
  }
  rmSync(waiting, { recursive: true });
}

function filesToPack(root: string): readonly string[] {
  const flags = ["--dry-run", "--json", "--ignore-scripts", "--silent"];
  const said = execFileSync("npm", ["pack", ...flags], { cwd: root, encoding: "utf8" });
  const [packed]: readonly { readonly files: readonly { readonly path: string }[] }[] =
    JSON.parse(said);
  if (packed === undefined) throw new Error("npm pack names no package");
  return packed.files.map(({ path }) => path);
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
