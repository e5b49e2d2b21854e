// Defines a job and runs it: the tasks' threads load this file up to `await run`, and no further.
import { defineJob, run } from "broomwagon";

const [, , input = "docs/*.md", pattern = "straggler"] = process.argv;
const wanted = new RegExp(pattern);

const grep = defineJob({
  counters: ["lines"],
  *map(line, ctx) {
    if (!wanted.test(line)) return;
    ctx.count("lines");
    yield [line, 1];
  },
});

const { counters } = await run(grep, { input, output: "found", overwrite: true });
console.log(`${counters.lines ?? 0} lines match ${wanted}`);
