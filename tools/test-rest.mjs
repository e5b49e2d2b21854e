// Runs all tests that `npm test` leaves out, in a built checkout. Tests on the Hadoop cluster mostly
// wait for containers, so the tests of the page run beside them, and print when they have ended.
import { spawn } from "node:child_process";

const BEFORE = ["long", "worlds", "java", "engine", "engine-alone"];
const ON_CLUSTER = ["yarn"];
const BESIDE = ["page"];

/** Neither of two runs side by side may rebuild what the other one uses. */
const env = { ...process.env, BROOMWAGON_BUILT: "true" };

/** Resolves to the exit code. */
function test(projects, { isShown }) {
  const args = ["vitest", "run", ...projects.flatMap((name) => ["--project", name])];
  const stdio = isShown ? "inherit" : ["ignore", "pipe", "pipe"];
  const child = spawn("npx", args, { env, stdio });
  const output = [];
  child.stdout?.on("data", (chunk) => output.push(chunk));
  child.stderr?.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(`npx ${args.join(" ")}: ${error.message}`);
      resolve({ code: 1, output: Buffer.concat(output) });
    });
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(output) }));
  });
}

const before = await test(BEFORE, { isShown: true });
const beside = test(BESIDE, { isShown: false });
const onCluster = await test(ON_CLUSTER, { isShown: true });
const { code, output } = await beside;
process.stdout.write(output);
process.exitCode = Math.max(before.code, onCluster.code, code);
