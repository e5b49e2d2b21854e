// Takes the output as values, instead of as files.
import { defineJob, max, run } from "broomwagon";

const [, , input = "docs/*.md"] = process.argv;

const longest = defineJob({
  *map(line) {
    for (const word of line.match(/\p{L}+/gu) ?? []) yield [word[0] ?? "", word.length] as const;
  },
  reduce: max(),
});

const lengths: [string, number][] = [];
for await (const record of run(longest, { input, collect: true, reduces: 1 }).records()) {
  if (Array.isArray(record)) lengths.push([String(record[0]), Number(record[1])]);
}
for (const [letter, length] of lengths) console.log(`${letter} ${"#".repeat(length)}`);
