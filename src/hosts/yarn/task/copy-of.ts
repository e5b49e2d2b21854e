import type { Input } from "../../../job/index.ts";
import { OPEN_BYTES_MAX } from "../../engine/data/formats/csv-quotes.ts";
import type { Split } from "../../engine/data/index.ts";
import type { InputCopy } from "./task-list.ts";

/** What a container needs of a split's file, so that its records can be read there. */
export function copyOf(split: Split, { format }: Pick<Input<unknown>, "format">): InputCopy {
  const { file: path, fileBytes, start, end, compression } = split;
  const whole = { path, fileBytes, head: 0, from: 0, to: fileBytes, toLineEnd: false };
  // Nobody knows where in a compressed file a record starts; the end of a Parquet file says it.
  if (compression !== "none" || format.kind === "parquet") return whole;
  // By the byte before a split it is known whether a line starts with it.
  const from = Math.max(0, start - 1);
  const range = { ...whole, from };
  switch (format.kind) {
    case "fixed":
      return { ...range, to: Math.min(fileBytes, Math.ceil(end / format.bytes) * format.bytes) };
    case "csv": {
      // A record reaches no further than this into what follows; of a header, the same is true.
      const head = format.header ? Math.min(fileBytes, HEADER_BYTES_MAX, from) : 0;
      const to = Math.min(fileBytes, end + OPEN_BYTES_MAX);
      return { ...range, head, to, toLineEnd: true };
    }
    default:
      return { ...range, to: end, toLineEnd: true };
  }
}

const HEADER_BYTES_MAX = 256 * 1024;
