import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const there = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const bin = there("bin/broomwagon.js");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "broomwagon-own-"));
  writeFileSync(join(folder, "text.txt"), "to be or not to be\n".repeat(2_000));
  copyFileSync(there("examples/your-own-policy.ts"), join(folder, "mine.ts"));
  writeFileSync(join(folder, "job.ts"), JOB);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The original of the last map waits for its copy, or for a gate. */
const JOB = `import { existsSync } from "node:fs";
import { defineJob, sum } from "broomwagon/job";
export default defineJob({
  params: { gate: "" },
  map(line: string, ctx) {
    const { gate } = ctx.params;
    const waits = gate === "" ? ctx.attempt === 0 : !existsSync(gate);
    while (ctx.task === 3 && waits && (gate === "" || !existsSync(gate))) {
      Atomics.wait(clock, 0, 0, 20);
    }
    for (const word of line.split(" ")) ctx.emit(word, 1);
  },
  reduce: sum(),
});
const clock = new Int32Array(new SharedArrayBuffer(4));
`;

const FLAGS = [
  ...["--policies", "mine.ts", "--discipline", "oldest", "--set", "speculation.ranMsMin=300"],
  ...["--input", "text.txt", "--nodes", "2", "--split-bytes", "10000"],
];
const COUNTS = "be\t4000\nnot\t2000\nor\t2000\nto\t4000\n";

function broomwagon(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  return { code: status, out: stdout, err: stderr };
}

/** The run directory of the only run below `runs`. */
function runIn(runs: string): string {
  const [id = "none"] = existsSync(join(folder, runs)) ? readdirSync(join(folder, runs)) : [];
  return join(folder, runs, id);
}

test("a user's policy copies a task on the engine, and its run replays", () => {
  const { code, out } = broomwagon("run", "job.ts", ...FLAGS, "--output", "a", "--svg", "a.svg");
  expect(out).toMatch(/job succeeded in .* under oldest/);
  expect(code).toBe(0);
  expect(readFileSync(join(folder, "a/part-00000"), "utf8")).toBe(COUNTS);
  expect(existsSync(join(folder, "a.svg"))).toBe(true);
  const path = runIn(".broomwagon/runs");
  expect(readdirSync(path)).not.toContain("policies");
  const journal = join(path, "journal.ndjson");
  const replayed = broomwagon("replay", journal, "--policies", "mine.ts");
  expect(replayed.out).toMatch(/speculative +job\/map\/3#1/);
  expect(replayed.code).toBe(0);
  const without = broomwagon("replay", journal);
  expect(without.err).toMatch(/no speculation policy oldest.*: give --policies mine\.ts\n$/);
  expect(without.code).toBe(3);
});

test("a killed run continues under its own policy, though the file has changed", async () => {
  const args = [...FLAGS, "--output", "b", "--run-dir", "killed", "--param", "gate=open"];
  const child = spawn(process.execPath, [bin, "run", "job.ts", ...args, "--quiet"], {
    cwd: folder,
    stdio: "ignore",
  });
  const gone = new Promise((resolve) => child.on("exit", resolve));
  const journal = () => join(runIn("killed"), "journal.ndjson");
  const has = (text: string): boolean =>
    existsSync(journal()) && readFileSync(journal(), "utf8").includes(text);
  while (!has('"as":"speculative"')) await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill("SIGKILL");
  await gone;
  writeFileSync(join(folder, "open"), "");
  writeFileSync(join(folder, "mine.ts"), "export default {};");

  const { code, err, out } = broomwagon("resume", runIn("killed"));
  expect(err).toContain("resumed: ");
  expect(out).toMatch(/job succeeded in .* under oldest/);
  expect(code).toBe(0);
  expect(readFileSync(join(folder, "b/part-00000"), "utf8")).toBe(COUNTS);
});
