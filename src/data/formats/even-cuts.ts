import type { Cuts, Cutting } from "./format.ts";
import type { FileState } from "./input-file.ts";
import { compressionOf } from "./split.ts";

/** The last split may be a tenth longer, so that none is a mere rest: Hadoop's SPLIT_SLOP. */
const SLOP = 1.1;

/** Cuts every `splitBytes` bytes. A compressed file is one split. */
export function evenCuts({ path, bytes }: FileState, { splitBytes }: Cutting): Cuts {
  const compression = compressionOf(path);
  const starts = [0];
  if (compression !== "none") return { compression, starts };
  for (let at = splitBytes; bytes - at + splitBytes > SLOP * splitBytes; at += splitBytes) {
    starts.push(at);
  }
  return { compression, starts };
}
