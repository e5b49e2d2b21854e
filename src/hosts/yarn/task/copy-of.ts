import { formatOf } from "../../../data/formats/formats.ts";
import type { Split } from "../../../data/index.ts";
import type { Input } from "../../../job/index.ts";
import type { InputCopy } from "./task-list.ts";

/** The part of a split's file that a container needs in order to read the split's records. */
export function copyOf(split: Split, { format }: Pick<Input<unknown>, "format">): InputCopy {
  const { file: path, fileBytes, compression } = split;
  const whole = { path, fileBytes, head: 0, from: 0, to: fileBytes, toLineEnd: false };
  // The start of a record within a compressed file is unknown, so all of it is needed.
  if (compression !== "none") return whole;
  return { ...whole, ...formatOf(format).needs(split) };
}
