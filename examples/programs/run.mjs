// Runs a job file, and says what became of it.
import { run } from "broomwagon";

const [, , input = "docs/*.md"] = process.argv;
const job = new URL("../word-count.ts", import.meta.url);
const { outcome, counters, phases } = await run(job, { input, output: "counts", overwrite: true });
const words = phases.at(-1)?.outputRecords;
console.log(`${outcome}: ${words} words, ${counters["empty-lines"]} empty lines`);
