import type { InputFormat } from "../../job/index.ts";
import { evenCuts } from "./even-cuts.ts";
import { FixedRecords } from "./fixed-records.ts";
import type { Format } from "./format.ts";
import { linesOf } from "./line-format.ts";

export function fixedFormat(format: Extract<InputFormat, { kind: "fixed" }>): Format {
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
