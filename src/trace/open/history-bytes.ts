import { createWriteStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../base/input-error.ts";
import { readerOf } from "../../data/formats/remote-path.ts";
import { compressionOf, fileBytes, HEAD_BYTES, type OnStored } from "./file-bytes.ts";
import { FramedBlocks } from "./framed-blocks.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The files of one history, in the order in which they are read. */
export function filesOfHistory(path: string): readonly string[] {
  if (path === "-") return [path];
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    const reader = readerOf(path);
    const pipe = `this URL is not read: try \`${reader} | broomwagon why -\``;
    throw new InputError("missing-file", path, reader === undefined ? "no such file" : pipe);
  }
  if (!stat.isDirectory()) return [path];
  const numbered = readdirSync(path).flatMap((name) => {
    const [, number] = /^events_(\d+)_/.exec(name) ?? [];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  return numbered.sort((a, b) => a.number - b.number).map(({ name }) => join(path, name));
}

/** The decompressed bytes of a file, or of standard input for `-`. */
export const historyBytes = (
  path: string,
  onStored: OnStored = () => {},
): AsyncGenerator<Uint8Array, void, undefined> =>
  path === "-" ? standardInput(onStored) : fileBytes(path, onStored);

const PLACE = "standard input";

type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

/** The decompressed bytes of standard input. */
async function* standardInput(onStored: OnStored): Chunks {
  const chunks = counted(onStored);
  const first: Uint8Array[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first.push(value);
    size += value.length;
  }
  const all = joined(first, chunks);
  const compression = compressionOf(Buffer.concat(first), PLACE);
  switch (compression) {
    case "none":
      return yield* all;
    case "lz4":
    case "snappy": {
      const blocks = new FramedBlocks(compression, PLACE);
      for await (const chunk of all) yield* blocks.push(chunk);
      return blocks.end();
    }
    default:
      yield* fromFile(all);
  }
}

async function* counted(onStored: OnStored): Chunks {
  for await (const chunk of process.stdin) {
    if (!(chunk instanceof Uint8Array)) continue;
    onStored(chunk.length);
    yield chunk;
  }
}

async function* joined(first: readonly Uint8Array[], rest: Chunks): Chunks {
  yield* first;
  yield* rest;
}

/** The decoders of gzip and zstd, which report places, read a file. */
async function* fromFile(stored: Chunks): Chunks {
  const folder = temporaryFolder();
  const file = join(folder.path, "history");
  try {
    await pipeline(Readable.from(stored), createWriteStream(file));
    yield* fileBytes(file, () => {});
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const expected = error.message.slice(error.place.length + 2);
    throw new InputError(error.code, error.place.replace(file, PLACE), expected);
  } finally {
    folder.remove();
  }
}
