import { byKind } from "../../base/by-kind.ts";
import type { Input, InputFormat } from "../../job/index.ts";
import { csvFormat } from "./csv-format.ts";
import { fixedFormat } from "./fixed-format.ts";
import type { Format, Opening } from "./format.ts";
import { ndjsonFormat } from "./ndjson-format.ts";
import { parquetFormat } from "./parquet-format.ts";
import type { RecordReader } from "./record-reader.ts";
import { textFormat } from "./text-format.ts";

export const formatOf = (format: InputFormat): Format =>
  byKind<InputFormat, Format>(
    {
      text: textFormat,
      ndjson: ndjsonFormat,
      csv: csvFormat,
      fixed: fixedFormat,
      parquet: parquetFormat,
    },
    format,
  );

/** The reader of the records that start in a split. */
export const openRecords = (
  query: Omit<Opening, "decode"> & { readonly input: Input<unknown> },
): RecordReader => {
  const { input, ...opening } = query;
  return formatOf(input.format).open({ ...opening, decode: input.decode });
};
