import type { ByteWriter } from "./byte-writer.ts";

/**
 * Decodes bytes that may not all be UTF-8: an invalid byte becomes a lone surrogate, U+DC80 to
 * U+DCFF, and is written as that byte again. So any bytes are restored: Python's surrogateescape
 * (PEP 383). A surrogate written as three bytes is not UTF-8 either.
 */
export function readEscapedText(bytes: Uint8Array, start: number, end: number): string {
  const parts: string[] = [];
  let from = start;
  for (let at = start; at < end; ) {
    const size = sequenceBytes(bytes, at, end);
    if (size > 0) {
      at += size;
      continue;
    }
    if (from < at) parts.push(utf8.decode(bytes.subarray(from, at)));
    parts.push(String.fromCharCode(ESCAPE + (bytes[at] ?? 0)));
    from = ++at;
  }
  if (from < end) parts.push(utf8.decode(bytes.subarray(from, end)));
  return parts.length === 1 ? (parts[0] ?? "") : parts.join("");
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const ESCAPE = 0xdc00;

/**
 * Writes the bytes of a text from `readEscapedText`. A lone surrogate that stands for no byte
 * becomes U+FFFD.
 */
export function writeEscapedText(into: ByteWriter, text: string): void {
  const bytes = into.reserve(3 * text.length);
  let at = into.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i) ?? 0;
    if (code < 0x80) {
      bytes[at++] = code;
    } else if (code >= ESCAPE + 0x80 && code <= ESCAPE + 0xff) {
      bytes[at++] = code - ESCAPE;
    } else if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else if (code <= 0xffff) {
      const shown = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
      bytes[at++] = 0xe0 | (shown >> 12);
      bytes[at++] = 0x80 | ((shown >> 6) & 0x3f);
      bytes[at++] = 0x80 | (shown & 0x3f);
    } else {
      i++;
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    }
  }
  into.length = at;
}

/** The number of bytes of the character at `at`; 0 if they are not UTF-8 (RFC 3629). */
function sequenceBytes(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (at + size > end) return 0;
  // The second byte reveals overlong forms, surrogates and code points beyond U+10FFFF.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const greatest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < least || second > greatest) return 0;
  for (let i = 2; i < size; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return size;
}
