import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A folder that exists while the work runs; a signal that ends the process also removes the folder.
 */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-history-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const end = (signal: NodeJS.Signals): void => {
    remove();
    forget();
    process.kill(process.pid, signal);
  };
  const forget = (): void => SIGNALS.forEach((signal) => void process.off(signal, end));
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work(folder);
  } finally {
    forget();
    remove();
  }
}
