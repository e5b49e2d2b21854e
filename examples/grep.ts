/**
 * Which texts match a regular expression, and how often? LATE's Grep (Zaharia et al., OSDI 2008,
 * §5.2), whose first job is Hadoop's: a map finds the matches, a fold counts each one.
 *
 *     npx broomwagon run examples/grep.ts --input "data/books/*.txt" --output found \
 *       --param pattern="\\bke\\w+"
 */
import { count, defineJob } from "broomwagon/job";

export default defineJob({
  name: "grep",
  params: { pattern: "\\berrors?\\b", flags: "i" },
  *map(line, ctx) {
    const pattern = new RegExp(ctx.params.pattern, `${ctx.params.flags}g`);
    for (const [match] of line.matchAll(pattern)) yield [match, 1];
  },
  reduce: count(),
});
