const CHUNK = 8_192;
const REPLACEMENT = 0xfffd;

/** UTF-8 to a string, in any JavaScript engine; invalid bytes become U+FFFD. */
export function textOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let ascii = from;
  while (ascii < to && (bytes[ascii] ?? 0) < 0x80) ascii++;
  let text = asciiText(bytes, from, ascii);
  if (ascii === to) return text;
  const points: number[] = [];
  for (let at = ascii; at < to; ) {
    const { point, length } = pointAt(bytes, at, to);
    points.push(point);
    at += length;
    if (points.length < CHUNK) continue;
    text += String.fromCodePoint(...points);
    points.length = 0;
  }
  return text + String.fromCodePoint(...points);
}

function asciiText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + CHUNK, to)));
  }
  return text;
}

function pointAt(
  bytes: Uint8Array,
  at: number,
  to: number,
): { readonly point: number; readonly length: number } {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length === 1) return { point: first, length };
  if (length === 0 || first > 0xf4 || at + length > to) return { point: REPLACEMENT, length: 1 };
  let point = first & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i] ?? 0;
    if ((next & 0xc0) !== 0x80) return { point: REPLACEMENT, length: i };
    point = (point << 6) | (next & 0x3f);
  }
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  const isTooSmall = (length === 3 && point < 0x800) || (length === 4 && point < 0x10000);
  if (isSurrogate || isTooSmall || point > 0x10ffff) return { point: REPLACEMENT, length };
  return { point, length };
}
