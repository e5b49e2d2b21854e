/**
 * How often does each word occur?
 *
 *     npx broomwagon run examples/word-count.ts --input "data/books/*.txt" --output counts
 */
import { defineJob, sum } from "broomwagon/job";

export default defineJob({
  name: "word-count",
  counters: ["empty-lines"],
  map(line, ctx) {
    if (line === "") ctx.count("empty-lines");
    for (const word of line.toLowerCase().match(/\p{L}+/gu) ?? []) ctx.emit(word, 1);
  },
  reduce: sum(),
});
