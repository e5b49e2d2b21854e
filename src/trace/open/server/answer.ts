import type { ReadableStream } from "node:stream/web";
import { InputError } from "../../../base/input-error.ts";

/** How much a server may answer. */
export interface AnswerLimits {
  readonly bytesMax: number;
  /** The longest time without a byte. */
  readonly silenceMs: number;
  readonly totalMs: number;
}

/** The archive of the largest event logs has some GB, and an hour brings it from far away. */
export const FILE_LIMITS: AnswerLimits = {
  bytesMax: 16e9,
  silenceMs: 60_000,
  totalMs: 3_600_000,
};

/** A job of a million attempts has answers of some MB each. */
export const TEXT_LIMITS: AnswerLimits = {
  bytesMax: 256e6,
  silenceMs: 60_000,
  totalMs: 600_000,
};

/** The bytes of an answer. InputError if it has no end within the limits. */
export async function* answerOf(
  url: string,
  body: ReadableStream<Uint8Array>,
  { bytesMax, silenceMs, totalMs }: AnswerLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const refuse = (what: string): InputError => new InputError("bad-input", url, what);
  const reader = body.getReader();
  const began = performance.now();
  let size = 0;
  try {
    for (;;) {
      const leftMs = totalMs - (performance.now() - began);
      const part = await within(Math.min(silenceMs, leftMs), reader.read());
      if (part === undefined) {
        const isSilent = silenceMs < leftMs;
        const after = (isSilent ? silenceMs : totalMs) / 1_000;
        throw refuse(
          isSilent
            ? `the server is silent for ${after} s in the middle of its answer`
            : `the answer has no end after ${after} s`,
        );
      }
      if (part.done) return;
      size += part.value.length;
      if (size > bytesMax) {
        const most = `${bytesMax / 1e6} MB`;
        throw refuse(`expected an answer of at most ${most}; if it is a log, download it first`);
      }
      yield part.value;
    }
  } finally {
    // An answer that broke off has no connection left to cancel.
    await reader.cancel().catch(() => {});
  }
}

/** The whole answer as text. */
export async function textOfAnswer(
  url: string,
  { body }: Response,
  limits: AnswerLimits = TEXT_LIMITS,
): Promise<string> {
  const parts: Uint8Array[] = [];
  if (body !== null) for await (const part of answerOf(url, body, limits)) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** Undefined if the work takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
