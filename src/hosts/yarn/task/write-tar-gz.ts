import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";

/** Writes all files of a directory into a gzipped tar; the same files give the same bytes. */
export async function writeTarGz(directory: string, to: string): Promise<void> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
  const files = names.map((name) => {
    const body = readFileSync(join(directory, name));
    const header = { name, size: body.length, mode: 0o644, mtime: new Date(0) };
    return { header, body };
  });
  writeFileSync(to, gzipSync(await packTar(files)));
}
