import type { ByteWriter } from "./byte-writer.ts";

/**
 * Writes text as UTF-8, with an unpaired surrogate as its three bytes (WTF-8,
 * simonsapin.github.io/wtf-8), so that every JavaScript string is restored and bytes compare as
 * code points do.
 */
export function writeText(into: ByteWriter, text: string): void {
  const bytes = into.reserve(3 * text.length);
  let at = into.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[at++] = unit;
    } else if (unit < 0x800) {
      bytes[at++] = 0xc0 | (unit >> 6);
      bytes[at++] = 0x80 | (unit & 0x3f);
    } else {
      const code = text.codePointAt(i) ?? unit;
      if (code > 0xffff) {
        i++;
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      } else {
        bytes[at++] = 0xe0 | (code >> 12);
      }
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    }
  }
  into.length = at;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const TEXT_SHORT = 24;

/** The text of bytes that `writeText` wrote. */
export function readText(bytes: Uint8Array, start: number, end: number): string {
  let ascii = true;
  let surrogates = false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x80) ascii = false;
    // Only a surrogate has 0xed before a byte of 0xa0 or more, and a decoder would not restore
    // surrogates.
    if (byte === 0xed && (bytes[i + 1] ?? 0) >= 0xa0) surrogates = true;
  }
  if (ascii && end - start <= TEXT_SHORT) return readAscii(bytes, start, end);
  return surrogates ? readUnits(bytes, start, end) : utf8.decode(bytes.subarray(start, end));
}

function readAscii(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] ?? 0);
  return text;
}

function readUnits(bytes: Uint8Array, start: number, end: number): string {
  const parts: string[] = [];
  for (let i = start; i < end; ) {
    const lead = bytes[i] ?? 0;
    const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    let code = size === 1 ? lead : lead & (0x7f >> size);
    for (let k = 1; k < size; k++) code = (code << 6) | ((bytes[i + k] ?? 0) & 0x3f);
    parts.push(String.fromCodePoint(code));
    i += size;
  }
  return parts.join("");
}
