import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../../base/input-error.ts";
import { type AskOptions, ask } from "./ask.ts";

/** Writes what a GET answers to a file. */
export async function download(url: string, file: string, options: AskOptions): Promise<void> {
  const { body } = await ask(url, "*/*", options);
  if (body === null) throw new InputError("bad-input", url, "the answer is empty");
  const { onStored = () => {}, signal } = options;
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      onStored(chunk.length);
      yield chunk;
    }
  };
  try {
    await pipeline(Readable.fromWeb(body), count, createWriteStream(file), {
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError("bad-input", url, `the answer breaks off: ${why}`);
  }
}
