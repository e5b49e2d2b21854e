import { createWriteStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../base/input-error.ts";
import { asked } from "../../data/formats/input-file.ts";
import { readerOf } from "../../data/formats/remote-path.ts";
import { compressionOf, fileBytes, HEAD_BYTES, type ReadEvents, unframed } from "./file-bytes.ts";
import { type Parts, partsIn } from "./parts.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The files of one history, in the order in which they are read. */
export interface HistoryFiles extends Omit<Parts, "names"> {
  readonly files: readonly string[];
}

/** InputError if the path names no history. */
export function filesOfHistory(path: string): HistoryFiles {
  if (path === "-") return only(path);
  const stat = asked(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) {
    const reader = readerOf(path);
    const pipe = `this URL is not read: try \`${reader} | broomwagon why -\``;
    throw new InputError("missing-file", path, reader === undefined ? "no such file" : pipe);
  }
  if (stat.isFile()) return only(path);
  if (!stat.isDirectory()) {
    const pipe = "a pipe is read from standard input: try `... | broomwagon why -`";
    throw new InputError("bad-input", path, `expected a file or a directory; ${pipe}`);
  }
  const { names, ...known } = partsIn(asked(path, () => readdirSync(path))) ?? NO_PARTS;
  if (names.length > 0) return { files: names.map((name) => join(path, name)), ...known };
  const expected = "expected a history, or a rolling directory with files events_1_...";
  throw new InputError("bad-input", path, `${expected}; this directory has none`);
}

const NO_PARTS: Parts = { names: [], notes: [], holes: {} };
const only = (path: string): HistoryFiles => ({ files: [path], notes: [], holes: {} });

/** The decompressed bytes of a file, or of standard input for `-`. */
export const historyBytes = (path: string, events: ReadEvents = {}): Chunks =>
  path === "-" ? standardInput(events) : fileBytes(path, events);

const PLACE = "standard input";

type Chunks = AsyncGenerator<Uint8Array, void, undefined>;

/** The decompressed bytes of standard input. */
async function* standardInput(events: ReadEvents): Chunks {
  const chunks = counted(events);
  const first: Uint8Array[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first.push(value);
    size += value.length;
  }
  const head = Buffer.concat(first);
  const all = joined(head, chunks);
  const compression = compressionOf(head, PLACE);
  switch (compression) {
    case "none":
      return yield* all;
    case "lz4":
    case "snappy":
      return yield* unframed(all, { framing: compression, place: PLACE }, events);
    default:
      yield* fromFile(all, events);
  }
}

/** As of an answer of a server: what comes through a pipe may have no end. */
const BYTES_MAX = 16e9;

async function* counted({ onStored }: ReadEvents): Chunks {
  let total = 0;
  for await (const chunk of process.stdin) {
    if (!(chunk instanceof Uint8Array)) continue;
    total += chunk.length;
    if (total > BYTES_MAX) {
      const expected = `expected at most ${BYTES_MAX / 1e9} GB; a file may be larger`;
      throw new InputError("bad-input", PLACE, expected);
    }
    onStored?.(chunk.length);
    yield chunk;
  }
}

async function* joined(head: Uint8Array, rest: Chunks): Chunks {
  if (head.length > 0) yield head;
  yield* rest;
}

/** The decoders of gzip and zstd, which report places, read a file. */
async function* fromFile(stored: Chunks, { onCut }: ReadEvents): Chunks {
  const folder = temporaryFolder();
  const file = join(folder.path, "history");
  try {
    await pipeline(Readable.from(stored), createWriteStream(file));
    yield* fileBytes(file, {
      onCut: (place, found) => onCut?.(place.replace(file, PLACE), found),
    });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const expected = error.message.slice(error.place.length + 2);
    throw new InputError(error.code, error.place.replace(file, PLACE), expected);
  } finally {
    folder.remove();
  }
}
