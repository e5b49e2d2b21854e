import { evenCuts } from "./even-cuts.ts";
import type { Format, Needed } from "./format.ts";
import type { Framing } from "./framing.ts";
import { LineRecords } from "./line-records.ts";
import type { Split } from "./split.ts";

/** A format of lines, where a split's records may begin at any line. */
export function lineFormat(of: {
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
export const linesOf = ({ start, end }: Split): Needed => ({
  head: 0,
  from: Math.max(0, start - 1),
  to: end,
  toLineEnd: true,
});
