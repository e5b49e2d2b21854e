// Kills a node while it works, and shows that the output is right all the same.
import { defineJob, run, sum } from "broomwagon";

const [, , input = "docs/*.md"] = process.argv;

const lines = defineJob({
  map(line) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return [["lines", 1]];
  },
  reduce: sum(),
});

const set = { "detection.expiryMs": 500 };
const running = run(lines, { input, collect: true, nodes: 3, set });
for await (const event of running.events) {
  if (event.kind === "attempt-started" && event.node === "n2") {
    running.inject({ kind: "kill", at: 0, node: "n2" });
  }
  if (event.kind === "node-lost") console.log(`${event.node} is lost`);
}
for await (const [, count] of running.records()) console.log(`${count} lines`);
