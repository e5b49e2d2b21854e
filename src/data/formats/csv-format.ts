import type { InputFormat } from "../../job/index.ts";
import { textOf } from "./byte-text.ts";
import { CsvFraming } from "./csv-framing.ts";
import { OPEN_BYTES_MAX } from "./csv-quotes.ts";
import { csvStarts } from "./csv-starts.ts";
import { evenCuts } from "./even-cuts.ts";
import type { Format } from "./format.ts";
import { lineFormat, linesOf } from "./line-format.ts";
import { compressionOf } from "./split.ts";

const HEADER_BYTES_MAX = 256 * 1024;

export function csvFormat(format: Extract<InputFormat, { kind: "csv" }>): Format {
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
