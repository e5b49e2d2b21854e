import { never } from "../../../../base/assert.ts";
import type { InputFormat } from "../../../../job/index.ts";
import type { Split } from "../splits.ts";
import { textOf } from "./byte-text.ts";
import { CsvFraming } from "./csv-framing.ts";
import { Malformed } from "./malformed.ts";

/** How lines become records. */
export interface Framing {
  /**
   * What the line from `start` to `next`, its end included, completes; undefined: no record, or
   * none yet. Throws Malformed.
   */
  record(text: string, start: number, next: number): unknown;
  /** A record has begun that is not complete. */
  readonly isOpen: boolean;
  /** There are no more lines: throws Malformed if a record is open. */
  end(): void;
  /**
   * Once, after Malformed: the record's lines but for the first, which are to be read again, as
   * lines at which a record may begin.
   */
  giveBack(): string;
}

/** The formats that are made of lines. */
export type LinesFormat = Extract<InputFormat, { kind: "text" | "ndjson" | "csv" }>;

export function framingOf(format: LinesFormat, split: Split): Framing {
  switch (format.kind) {
    case "text":
      return { ...EACH_LINE, record: format.encoding === "bytes" ? lineBytes : lineText };
    case "ndjson":
      return { ...EACH_LINE, record: parseLine };
    case "csv":
      return new CsvFraming(format, split);
    default:
      return never(format);
  }
}

/** A record is one line. */
const EACH_LINE = { isOpen: false, end: () => {}, giveBack: () => "" } as const;

/** How the bytes of lines become the text that framings are given. */
export function decoderOf(format: LinesFormat): (bytes: Buffer) => string {
  const isPlain = format.kind === "text" && format.encoding !== "utf8";
  return isPlain ? (bytes) => bytes.toString("latin1") : textOf;
}

const lineText = (text: string, start: number, next: number): string =>
  text.slice(start, lineEnd(text, start, next));

const lineBytes = (text: string, start: number, next: number): Uint8Array =>
  Uint8Array.from(Buffer.from(lineText(text, start, next), "latin1"));

/** Where the line's text ends: before its `\n` or `\r\n`, if it has one. */
function lineEnd(text: string, start: number, next: number): number {
  if (text.charCodeAt(next - 1) !== NEWLINE) return next;
  return next - 2 >= start && text.charCodeAt(next - 2) === RETURN ? next - 2 : next - 1;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

function parseLine(text: string, start: number, next: number): unknown {
  const line = text.slice(start, next);
  if (line.trim() === "") return undefined;
  try {
    return JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // V8 shows a part of the line, which is told in full.
    const what = reason.replace(/(?: '.*')?, (\.\.\.)?".*" is not valid JSON$/s, "");
    throw new Malformed(`expected a line of JSON: ${what}`);
  }
}
