import { formatOf } from "../../../data/formats/formats.ts";
import type { Split } from "../../../data/index.ts";
import type { Input } from "../../../job/index.ts";
import type { InputCopy } from "./task-list.ts";

/** What a container needs of a split's file, so that its records can be read there. */
export function copyOf(split: Split, { format }: Pick<Input<unknown>, "format">): InputCopy {
  const { file: path, fileBytes, compression } = split;
  const whole = { path, fileBytes, head: 0, from: 0, to: fileBytes, toLineEnd: false };
  // Where in a compressed file a record starts is not known.
  if (compression !== "none") return whole;
  return { ...whole, ...formatOf(format).needs(split) };
}
