import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openPromise } from "yauzl";
import { InputError } from "../../../base/input-error.ts";
import { objectsIn, textIn } from "../../json-values.ts";
import type { Address } from "./address.ts";
import { type AskOptions, ask, askForJson } from "./ask.ts";

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

/**
 * Fetches the event log of an application from a history server of Spark into a folder. If the
 * address names no attempt, fetches the log of the latest. Returns the path of the log: a file or a
 * rolling directory.
 */
export async function fetchSparkLog(
  { base, application, attempt: asked }: Extract<Address, { kind: "spark" }>,
  folder: string,
  options: AskOptions,
): Promise<string> {
  const url = `${base}/api/v1/applications/${encodeURIComponent(application)}`;
  // The latest comes first. Only cluster managers that restart drivers number attempts.
  const [latest] = objectsIn(await askForJson(url, options), "attempts");
  const attempt = asked ?? (latest === undefined ? undefined : textIn(latest, "attemptId"));
  const logs = `${url}${attempt === undefined ? "" : `/${attempt}`}/logs`;
  const zip = join(folder, "logs.zip");
  await download(logs, zip, options);
  return unpacked(zip, folder, logs);
}

/** Names within the archive are untrusted: only their last part is used. */
async function unpacked(zip: string, folder: string, place: string): Promise<string> {
  const log = join(folder, "log");
  await mkdir(log);
  const files: string[] = [];
  try {
    const archive = await openPromise(zip);
    for await (const entry of archive.eachEntry()) {
      const name = basename(entry.fileName);
      if (entry.fileName.endsWith("/") || name.startsWith(".")) continue;
      const file = join(log, name);
      await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(file));
      files.push(file);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError("bad-input", place, `expected a zip archive of event logs: ${why}`);
  }
  const events = files.filter((file) => !basename(file).startsWith("appstatus_"));
  const [only, another] = events;
  if (only === undefined) throw new InputError("bad-input", place, "the archive has no event log");
  return another === undefined ? only : log;
}
