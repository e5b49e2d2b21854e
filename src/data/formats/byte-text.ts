import { isAscii, isUtf8 } from "node:buffer";
import { ByteWriter } from "../../job/byte-writer.ts";
import { readEscapedText, writeEscapedText } from "../../job/escaped-text.ts";

/** The text of a file's bytes, from which `bytesOf` makes the same bytes again, UTF-8 or not. */
export function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (isUtf8(bytes)) return bytes.toString("utf8");
  return readEscapedText(bytes, 0, bytes.length);
}

/** A text's bytes as they are written to a file. */
export function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  // Node writes each lone surrogate as this.
  if (!bytes.includes("\ufffd") || !LONE_SURROGATE.test(text)) return bytes;
  const into = new ByteWriter(3 * text.length);
  writeEscapedText(into, text);
  return Buffer.from(into.bytes.buffer, 0, into.length);
}

const LONE_SURROGATE = /\p{Surrogate}/u;
