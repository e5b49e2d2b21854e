import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { blocking, troubled, wordCount } from "./support/jobs.ts";
import { childrenOf, engineProcesses } from "./support/processes.ts";
import { Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 2, bytes: 300_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A separate program that runs the job with these options, after some other code. */
function programOf(job: string, options: string, before = ""): string {
  const program = join(workshop.path, "master.mjs");
  writeFileSync(
    program,
    `import fs, { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { run } from ${JSON.stringify(join(ROOT, "dist/hosts/engine/index.js"))};
import { parseDiscipline } from ${JSON.stringify(join(ROOT, "dist/policy/index.js"))};
${before}
await run(${JSON.stringify(job)}, {
  input: ${JSON.stringify(workshop.input)},
  output: ${JSON.stringify(workshop.output)}, runDirectory: ${JSON.stringify(workshop.runs)},
  splitBytes: 64 * 1024, nodes: 3, discipline: parseDiscipline("none"),
  ${options}
});
`,
  );
  return program;
}

/** `running`: the program's processes, after its first output. */
function startMaster(program: string): {
  pid: number;
  running: Promise<readonly number[]>;
  gone: Promise<void>;
} {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  const { pid } = child;
  if (pid === undefined) throw new Error("no process");
  const gone = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const running = new Promise<readonly number[]>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the master ended with ${code}`)));
    child.stdout.once("data", () =>
      resolve(
        engineProcesses()
          .filter(({ parent }) => parent === pid)
          .map((one) => one.pid),
      ),
    );
  });
  // Not every test awaits the result.
  running.catch(() => {});
  return { pid, running, gone };
}

async function ended(pids: readonly number[]): Promise<void> {
  while (engineProcesses().some(({ pid, state }) => pids.includes(pid) && state !== "Z")) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("when the master is killed", () => {
  test("no process outlives it, not even a stopped one; the next run clears up", async () => {
    // One node is stopped most of the time, another always.
    const program = programOf(
      workshop.job("word-count", wordCount(20_000)),
      `faults: [
    { kind: "slow", at: 0, node: "n1", factor: 10 },
    { kind: "pause", at: 0, node: "n2", forMs: 600000 },
  ],
  onEvent(event) {
    if (event.kind === "fault" && ++held === 2) setTimeout(() => console.log("held"), 800);
  },`,
      "let held = 0;",
    );
    const { pid, running, gone } = startMaster(program);
    const processes = await running;
    expect(processes).toHaveLength(4);
    process.kill(pid, "SIGKILL");
    await gone;
    await ended(processes);
    expect(childrenOf(pid)).toEqual([]);
    // The next run in the same place removes the files on the disk.
    expect(workshop.litter()).not.toEqual([]);
    await workshop.run(workshop.job("next", wordCount()), { nodes: 1 });
    expect(workshop.litter()).toEqual([]);
  });
});

describe("when the master is killed while a map blocks in a call", () => {
  test("no node outlives it", async () => {
    const job = workshop.job(
      "blocked",
      troubled({ task: 1, attempts: 1, first: blocking(workshop.pids) }),
    );
    const program = programOf(
      job,
      `onEvent(event) {
    if (event.kind === "job-progressed" && existsSync(${JSON.stringify(workshop.pids)}))
      console.log("blocked");
  },`,
    );
    const { pid, running, gone } = startMaster(program);
    const processes = await running;
    expect(processes.length).toBeGreaterThan(0);
    process.kill(pid, "SIGKILL");
    await gone;
    await ended(processes);
  });
});

describe("when the master is killed in the middle of its commit", () => {
  test("the next run puts the old output back in its place", async () => {
    const job = workshop.job("word-count", wordCount());
    await workshop.run(job, { nodes: 1 });
    const old = workshop.outputFiles();
    const program = programOf(
      job,
      "overwrite: true, reduces: 1,",
      `const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  rename(from, to);
  if (to.includes("_replaced-")) process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();`,
    );
    const { gone } = startMaster(program);
    await gone;
    expect(existsSync(workshop.output)).toBe(false);
    await expect(workshop.run(job, { nodes: 1 })).rejects.toThrow("the output directory exists");
    expect(workshop.outputFiles()).toEqual(old);
    await workshop.checkOutput(job);
  });
});

/** Processes that were started with the mark in their environment. */
const markedWith = (mark: string): readonly string[] =>
  engineProcesses().flatMap(({ pid, command }) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark) ? [command] : [];
    } catch {
      return [];
    }
  });

describe("when a run is refused", () => {
  test("the process that was started early is gone too", async () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, "bin/broomwagon.js"), "run", join(workshop.path, "no-such-job.ts")],
      { encoding: "utf8", env: { ...process.env, BROOMWAGON_MARK: workshop.path } },
    );
    expect(stderr).toContain("no such job file");
    expect(status).toBe(3);
    await expect.poll(() => markedWith(workshop.path), { timeout: 10_000 }).toEqual([]);
  });
});
