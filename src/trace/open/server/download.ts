import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../../base/input-error.ts";
import { DETECT_BYTES } from "../../detect.ts";
import { objectsIn, textIn } from "../../json-values.ts";
import { isZip, unzipped } from "../zip.ts";
import type { Address } from "./address.ts";
import { type AnswerLimits, answerOf, FILE_LIMITS } from "./answer.ts";
import { type AskOptions, ask, askForJson } from "./ask.ts";

export interface DownloadOptions extends AskOptions {
  /** Throws an InputError if what begins so is of no use; called with some kB, or all there is. */
  readonly onHead: (head: Uint8Array) => void;
  readonly limits?: AnswerLimits;
}

/** Writes what a GET answers to a file. */
export async function download(url: string, file: string, options: DownloadOptions): Promise<void> {
  const { body } = await ask(url, "*/*", options);
  if (body === null) throw new InputError("bad-input", url, "the answer is empty");
  const { onStored = () => {}, onHead, limits = FILE_LIMITS, signal } = options;
  const counted = async function* () {
    let head: Uint8Array[] | undefined = [];
    let size = 0;
    for await (const chunk of answerOf(url, body, limits)) {
      onStored(chunk.length);
      size += chunk.length;
      head?.push(chunk);
      if (head !== undefined && size >= DETECT_BYTES) {
        onHead(Buffer.concat(head));
        head = undefined;
      }
      yield chunk;
    }
    if (head !== undefined) onHead(Buffer.concat(head));
  };
  try {
    await pipeline(counted, createWriteStream(file), {
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof InputError) throw error;
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
  const onHead = (head: Uint8Array): void => {
    if (isZip(head)) return;
    throw new InputError("bad-input", logs, "expected a zip archive of event logs, found no zip");
  };
  await download(logs, zip, { ...options, onHead });
  return unzipped(zip, folder, { place: logs });
}
