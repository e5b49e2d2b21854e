import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { InputError } from "../../../../base/input-error.ts";
import type { InputFile } from "./input-file.ts";
import { Malformed } from "./malformed.ts";

const CHUNK_BYTES = 256 * 1024;

/** What the file's members hold, one after the other. */
export async function* gunzip(file: InputFile): AsyncGenerator<Uint8Array, void, undefined> {
  if (file.bytes === 0) return;
  const unzipped = createGunzip({ chunkSize: CHUNK_BYTES });
  const stored = Readable.from(chunks(file), { objectMode: false, highWaterMark: CHUNK_BYTES });
  // A stream's error does not travel along a pipe.
  stored.on("error", (error) => unzipped.destroy(error)).pipe(unzipped);
  try {
    for await (const chunk of unzipped) yield chunk;
    assertPadding(file, unzipped.bytesWritten);
  } catch (error) {
    if (error instanceof InputError || error instanceof Malformed) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw malformed(file, unzipped.bytesWritten, reason);
  } finally {
    stored.destroy();
    unzipped.destroy();
  }
}

/** Node takes a zero byte after a member for the first of the padding, and looks no further. */
function assertPadding(file: InputFile, start: number): void {
  for (let at = start; at < file.bytes; at += CHUNK_BYTES) {
    const padding = file.slice(at, Math.min(at + CHUNK_BYTES, file.bytes));
    const other = padding.findIndex((byte) => byte !== 0);
    if (other < 0) continue;
    throw malformed(file, at + other, "found something else behind the zeros at its end");
  }
}

const malformed = (file: InputFile, at: number, reason: string): Malformed =>
  new Malformed(`expected a whole gzip file: ${reason}`, `${file.path}: byte ${at}`);

function* chunks(file: InputFile): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < file.bytes; at += CHUNK_BYTES) {
    yield file.slice(at, Math.min(at + CHUNK_BYTES, file.bytes));
  }
}
