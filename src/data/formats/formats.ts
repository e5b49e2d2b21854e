import { never } from "../../base/assert.ts";
import type { Input, InputFormat } from "../../job/index.ts";
import { textOf } from "./byte-text.ts";
import { CsvFraming } from "./csv-framing.ts";
import { OPEN_BYTES_MAX } from "./csv-quotes.ts";
import { csvStarts } from "./csv-starts.ts";
import { FixedRecords } from "./fixed-records.ts";
import type { Cuts, Cutting, Format, Needed, Opening, RemoteFile } from "./format.ts";
import { EACH_LINE, type Framing } from "./framing.ts";
import type { FileState } from "./input-file.ts";
import { LineRecords } from "./line-records.ts";
import { Malformed } from "./malformed.ts";
import { ParquetRecords } from "./parquet-records.ts";
import { parquetStarts } from "./parquet-splits.ts";
import type { RecordReader } from "./record-reader.ts";
import { compressionOf, type Split } from "./split.ts";

export function formatOf(format: InputFormat): Format {
  switch (format.kind) {
    case "text":
      return textFormat(format);
    case "ndjson":
      return ndjsonFormat();
    case "csv":
      return csvFormat(format);
    case "fixed":
      return fixedFormat(format);
    case "parquet":
      return parquetFormat(format);
    default:
      return never(format);
  }
}

/** The reader of the records that start in a split. */
export const openRecords = (
  query: Omit<Opening, "decode"> & { readonly input: Input<unknown> },
): RecordReader => {
  const { input, ...opening } = query;
  return formatOf(input.format).open({ ...opening, decode: input.decode });
};

function textFormat({ encoding }: Extract<InputFormat, { kind: "text" }>): Format {
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

/** The end of the line's text: before the line end, if the line has one. */
function lineEnd(text: string, start: number, next: number): number {
  if (text.charCodeAt(next - 1) !== NEWLINE) return next;
  return next - 2 >= start && text.charCodeAt(next - 2) === RETURN ? next - 2 : next - 1;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

const ndjsonFormat = (): Format =>
  lineFormat({ textOf, framing: () => ({ ...EACH_LINE, record: parseLine }) });

function parseLine(text: string, start: number, next: number): unknown {
  const line = text.slice(start, next);
  if (line.trim() === "") return undefined;
  try {
    return JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // V8's message shows a part of the line; this error shows it in full.
    const what = reason.replace(/(?: '.*')?, (\.\.\.)?".*" is not valid JSON$/s, "");
    throw new Malformed(`expected a line of JSON: ${what}`);
  }
}

const HEADER_BYTES_MAX = 256 * 1024;

function csvFormat(format: Extract<InputFormat, { kind: "csv" }>): Format {
  return {
    ...lineFormat({ textOf, framing: (split) => new CsvFraming(format, split) }),
    async cut(file, how) {
      const cuts = evenCuts(file, how);
      return { ...cuts, firstRecords: await csvStarts(file, cuts.starts, format.separator) };
    },
    // Only reading from the file's start shows whether a line end ends a record.
    cutReads: async ({ path, isCut }) => (isCut && compressionOf(path) === "none" ? 0 : undefined),
    needs(split) {
      const { fileBytes, end } = split;
      const lines = linesOf(split);
      // A record extends no further than this into the following bytes; the same holds for a
      // header.
      const head = format.header ? Math.min(fileBytes, HEADER_BYTES_MAX, lines.from) : 0;
      return { ...lines, head, to: Math.min(fileBytes, end + OPEN_BYTES_MAX) };
    },
  };
}

function fixedFormat(format: Extract<InputFormat, { kind: "fixed" }>): Format {
  return {
    packages: [],
    cut: async (file, how) => evenCuts(file, how),
    cutReads: async () => undefined,
    needs(split) {
      const { fileBytes, end } = split;
      const to = Math.min(fileBytes, Math.ceil(end / format.bytes) * format.bytes);
      return { ...linesOf(split), to, toLineEnd: false };
    },
    open: (query) => new FixedRecords({ ...query, format }),
  };
}

const FOOTER_BYTES = 8;

function parquetFormat(format: Extract<InputFormat, { kind: "parquet" }>): Format {
  return {
    packages: ["hyparquet", "hyparquet-compressors"],
    async cut(file, how) {
      return { compression: "none", starts: await parquetStarts({ file, ...how }) };
    },
    cutReads: footerAt,
    // The metadata at the end of the file describes the whole file.
    needs: () => undefined,
    open: (query) => new ParquetRecords({ ...query, format }),
  };
}

async function footerAt({ bytes, read }: RemoteFile): Promise<number | undefined> {
  if (bytes === 0) return undefined;
  const end = await read(Math.max(0, bytes - FOOTER_BYTES), bytes);
  const isWhole = end.length === FOOTER_BYTES && end.includes("PAR1", 4);
  // The mark at the end follows the length of the metadata.
  return Math.max(0, bytes - FOOTER_BYTES - (isWhole ? end.readUInt32LE() : 0));
}

/** A format of lines, where a split's records may begin at any line. */
function lineFormat(of: {
  /** Decodes the bytes of lines to text. */
  readonly textOf: (bytes: Buffer) => string;
  framing(split: Split): Framing;
}): Format {
  return {
    packages: [],
    cut: async (file, how) => evenCuts(file, how),
    cutReads: async () => undefined,
    needs: (split) => ({ ...linesOf(split), to: split.end }),
    open(query) {
      const { textOf } = of;
      return new LineRecords({ ...query, textOf, framing: of.framing(query.split) });
    },
  };
}

/** The byte before a split says whether a line starts at the split's start. */
const linesOf = ({ start, end }: Split): Needed => ({
  head: 0,
  from: Math.max(0, start - 1),
  to: end,
  toLineEnd: true,
});

/** The last split may be a tenth longer, so that none is a mere rest: Hadoop's SPLIT_SLOP. */
const SLOP = 1.1;

/** Cuts every `splitBytes` bytes. A compressed file is one split. */
function evenCuts({ path, bytes }: FileState, { splitBytes }: Cutting): Cuts {
  const compression = compressionOf(path);
  const starts = [0];
  if (compression !== "none") return { compression, starts };
  for (let at = splitBytes; bytes - at + splitBytes > SLOP * splitBytes; at += splitBytes) {
    starts.push(at);
  }
  return { compression, starts };
}
