// Runs a flow, several jobs in one, and reads one of its outputs.
import { count, defineFlow, run, text, topK, tsv } from "broomwagon";

const [, , input = "docs/*.md"] = process.argv;

const flow = defineFlow("frequent-words", (f) => {
  const words = f
    .read("lines", text())
    .flatMap((line) => line.toLowerCase().match(/\p{L}{5,}/gu) ?? []);
  const counts = words.keyBy().fold("counts", count());
  counts.write(tsv(), "counts");
  counts
    .map(([word, times]) => [times, word] as const)
    .total("top", topK(3))
    .flatMap((top) => [...top])
    .write(tsv(), "top");
});

const running = run(flow, { input, collect: true });
for await (const record of running.records("top")) {
  if (Array.isArray(record)) console.log(record.join(" x "));
}
console.log((await running).phases.map(({ name }) => name).join(", "));
