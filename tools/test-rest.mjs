// Runs every test that `npm test` leaves out, in a built checkout. Tests on the Hadoop cluster mostly
// wait for containers, so tests that only compute run beside the cluster, at the lowest priority,
// and print once they have ended.
import { spawn } from "node:child_process";

/** Projects of vitest.config.ts, in the order in which they run. */
const BEFORE = ["java", "engine", "engine-alone"];
const ON_CLUSTER = ["yarn"];
const BESIDE_CLUSTER = ["long", "worlds"];
const AFTER = ["page"];

/** Resolves to the exit code and the output that is not shown yet. */
function test(projects, { at = [], flags = [], isShown = true }) {
  const names = projects.flatMap((name) => ["--project", name]);
  const [program, ...args] = [...at, "npx", "vitest", "run", ...flags, ...names];
  const stdio = isShown ? "inherit" : ["ignore", "pipe", "pipe"];
  const child = spawn(program, args, { stdio });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => output.push(chunk));
  }
  return new Promise((resolve) => {
    child.on("error", ({ message }) => resolve({ code: 1, output: [`${program}: ${message}\n`] }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

const before = await test(BEFORE, {});
const flags = ["--max-workers", "1"];
const beside = test(BESIDE_CLUSTER, { at: ["nice", "-n", "19"], flags, isShown: false });
const onCluster = await test(ON_CLUSTER, {});
const computed = await beside;
for (const chunk of computed.output) process.stdout.write(chunk);
const after = await test(AFTER, {});
process.exitCode = Math.max(...[before, onCluster, computed, after].map(({ code }) => code));
