// Shows how far a run is, from its events.
import { type RunOptions, run } from "broomwagon";

const [, , input = "docs/*.md"] = process.argv;
const options: RunOptions = { input, output: "counts", overwrite: true, reduces: 2 };
const running = run(new URL("../word-count.ts", import.meta.url), options);

let [done, all] = [0, 0];
for await (const event of running.events) {
  if (event.kind === "job-submitted") {
    all = event.phases.reduce((sum, { tasks }) => sum + tasks, 0);
  }
  if (event.kind === "attempt-ended" && event.how.kind === "succeeded") {
    done += 1;
    console.log(`${done} of ${all} tasks`);
  }
}

const { outcome, totals } = await running;
console.log(`${outcome} with ${totals.failed} failed attempts`);
