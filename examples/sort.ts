/**
 * All lines in order: within a part by code point, and the parts one after the other by their first
 * byte.
 *
 *     npx broomwagon run examples/sort.ts --input "data/books/*.txt" --output sorted --reduces 4
 */
import { defineJob } from "broomwagon/job";

export default defineJob({
  name: "sort",
  map: (line) => [[line, null]],
  /**
   * Equal shares of the printable ASCII characters; whatever comes before or after them goes along.
   */
  partition(line, reduces) {
    const first = Math.min(Math.max(line.codePointAt(0) ?? 0, 0x20), 0x7e);
    return Math.floor(((first - 0x20) * reduces) / (0x7f - 0x20));
  },
  *reduce(line, copies) {
    for (const _ of copies) yield line;
  },
});
