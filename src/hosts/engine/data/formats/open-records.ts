import type { Input } from "../../../../job/index.ts";
import type { Split } from "../splits.ts";
import { FixedRecords } from "./fixed-records.ts";
import { LineRecords } from "./line-records.ts";
import type { BadRecords } from "./malformed.ts";
import { ParquetRecords } from "./parquet-records.ts";
import type { RecordReader } from "./record-reader.ts";

/** What reads the records that start in a split. */
export function openRecords(query: {
  readonly split: Split;
  readonly input: Input<unknown>;
  readonly bad: BadRecords;
  /** Of the task: what no record may exceed. */
  readonly memoryBytes?: number;
}): RecordReader {
  const { split, bad, memoryBytes } = query;
  const memory = memoryBytes === undefined ? {} : { memoryBytes };
  const { format, decode } = query.input;
  switch (format.kind) {
    case "fixed":
      return new FixedRecords({ split, format, bad, ...memory });
    case "parquet":
      return new ParquetRecords({ split, format, bad });
    default:
      return new LineRecords({ split, format, decode, bad, ...memory });
  }
}
