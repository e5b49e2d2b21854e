import { createWriteStream, existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, normalize, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { openPromise } from "yauzl";
import { InputError } from "../../base/input-error.ts";
import { Expansion } from "./expansion.ts";
import { HEAD_BYTES, headOf } from "./file-bytes.ts";
import { historiesAmong, historiesIn } from "./histories-in.ts";

/** Whether a file that begins so is a zip archive, maybe an empty one. */
export function isZip(head: Uint8Array): boolean {
  const [p, k, a, b] = head;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/** An archive, and a path within it. */
export interface ArchivedPath {
  readonly zip: string;
  readonly within: string;
}

/** Of a path that leads into an archive: `logs.zip/app-1`. Else undefined. */
export function archivedPath(path: string): ArchivedPath | undefined {
  if (path === "-" || existsSync(path)) return undefined;
  for (let zip = dirname(path); zip !== dirname(zip); zip = dirname(zip)) {
    if (!existsSync(zip)) continue;
    return isZipFile(zip) ? { zip, within: relative(zip, path) } : undefined;
  }
  return undefined;
}

const isZipFile = (path: string): boolean =>
  statSync(path).isFile() && isZip(headOf(path, HEAD_BYTES));

/** The histories of an archive with several, by their paths; else, and of another file, its own. */
export async function historiesInArchive(path: string): Promise<readonly string[]> {
  try {
    if (!existsSync(path) || !isZipFile(path)) return [path];
    const files: string[] = [];
    for await (const { fileName } of (await openPromise(path)).eachEntry()) {
      if (!fileName.endsWith("/")) files.push(fileName);
    }
    const found = historiesAmong(files);
    return found.length > 1 ? found.map((name) => join(path, name)) : [path];
  } catch {
    // Opening the history says what is wrong with it.
    return [path];
  }
}

/**
 * Unpacks an archive, such as a history server's, into a folder, and returns the path of the one
 * history in it, or of the one `within`. `place`: the archive's name in errors.
 */
export async function unzipped(
  zip: string,
  folder: string,
  { place, within }: { readonly place: string; readonly within?: string },
): Promise<string> {
  const isAsked = (name: string): boolean =>
    within === undefined || name === within || name.startsWith(`${within}/`);
  const root = join(folder, "unzipped");
  await mkdir(root);
  try {
    const archive = await openPromise(zip);
    for await (const entry of archive.eachEntry()) {
      // Names that lead out of the folder are refused by yauzl.
      if (entry.fileName.endsWith("/") || !isAsked(normalize(entry.fileName))) continue;
      const file = join(root, entry.fileName);
      await mkdir(dirname(file), { recursive: true });
      const expansion = new Expansion(`${place}: ${entry.fileName}`);
      expansion.addStored(entry.compressedSize);
      const watched = async function* (content: AsyncIterable<Uint8Array>) {
        let checksum = 0;
        for await (const chunk of content) {
          expansion.addContent(chunk.length);
          checksum = crc32(chunk, checksum);
          yield chunk;
        }
        // yauzl leaves this check to us.
        if (checksum !== entry.crc32) throw new Error(`the checksum of ${entry.fileName} is wrong`);
      };
      await pipeline(await archive.openReadStreamPromise(entry), watched, createWriteStream(file));
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError("bad-input", place, `expected a zip archive of event logs: ${why}`);
  }
  const [only, ...others] = historiesIn(root);
  if (only === undefined) throw new InputError("bad-input", place, "the archive has no event log");
  if (others.length === 0) return only;
  const names = [only, ...others].slice(0, 5).map((path) => relative(root, path));
  const example = relative(root, only);
  const found = `found ${others.length + 1}: ${names.join(", ")}`;
  const expected = `expected one history in the archive, ${found}`;
  throw new InputError(
    "bad-input",
    place,
    `${expected}; name one, such as ${join(place, example)}`,
  );
}
