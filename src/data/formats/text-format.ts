import type { InputFormat } from "../../job/index.ts";
import { textOf } from "./byte-text.ts";
import type { Format } from "./format.ts";
import { EACH_LINE } from "./framing.ts";
import { lineFormat } from "./line-format.ts";

export function textFormat({ encoding }: Extract<InputFormat, { kind: "text" }>): Format {
  const record = encoding === "bytes" ? lineBytes : lineText;
  return lineFormat({
    textOf: encoding === "utf8" ? textOf : (bytes) => bytes.toString("latin1"),
    framing: () => ({ ...EACH_LINE, record }),
  });
}

const lineText = (text: string, start: number, next: number): string =>
  text.slice(start, lineEnd(text, start, next));

const lineBytes = (text: string, start: number, next: number): Uint8Array =>
  Uint8Array.from(Buffer.from(lineText(text, start, next), "latin1"));

/**
 * The end of the line's text: before its `
 * ` or `\r
 * `, if it has one.
 */
function lineEnd(text: string, start: number, next: number): number {
  if (text.charCodeAt(next - 1) !== NEWLINE) return next;
  return next - 2 >= start && text.charCodeAt(next - 2) === RETURN ? next - 2 : next - 1;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
