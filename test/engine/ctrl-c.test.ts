import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { leftOf, nodeProcesses } from "./support/processes.ts";

const BIN = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "broomwagon-ctrl-c-"));
  mkdirSync(join(folder, "temporary"));
  writeFileSync(join(folder, "text.txt"), "to be or not to be\n".repeat(2_000));
  writeFileSync(join(folder, "waits.ts"), WAITS);
  writeFileSync(join(folder, "deaf.mjs"), DEAF);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Some maps have written their outputs; the others wait. */
const WAITS = `import { defineJob, sum } from "broomwagon/job";

export default defineJob({
  map(line, ctx) {
    if (ctx.task > 1) for (;;);
    for (const word of line.split(" ")) ctx.emit(word, 1);
  },
  reduce: sum(),
});
`;

/** A master that is never notified of a process's end, and so never ends. */
const DEAF = `import { ChildProcess } from "node:child_process";
setInterval(() => {}, 1_000);
const { emit } = ChildProcess.prototype;
ChildProcess.prototype.emit = function (name, ...what) {
  return name === "exit" || name === "close" ? false : emit.call(this, name, ...what);
};
`;

/** The process's run, after two maps have ended, and its exit code, once it has one. */
async function start(how: "usual" | "deaf", more: readonly string[] = []) {
  const usual = ["--input", "text.txt", "--output", "out", "--nodes", "2", "--split-bytes", "5000"];
  const args = [...usual, ...more];
  const child = spawn(process.execPath, [BIN, "run", "waits.ts", ...args, "--quiet"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      TMPDIR: join(folder, "temporary"),
      ...(how === "deaf" && { NODE_OPTIONS: `--import ${join(folder, "deaf.mjs")}` }),
    },
  });
  const code = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const runs = join(folder, ".broomwagon", "runs");
  const journal = (): string => {
    const [id = ""] = existsSync(runs) ? readdirSync(runs) : [];
    const path = join(runs, id, "journal.ndjson");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  while (journal().split('"event":"attempt-succeeded"').length < 3) await pause(20);
  return { child, code, runs, run: join(runs, readdirSync(runs)[0] ?? "") };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What exists now and did not exist before. */
function left(): readonly string[] {
  const names = readdirSync(folder).filter((name) => !WAS_THERE.includes(name));
  return [...names, ...readdirSync(join(folder, "temporary"))];
}

const WAS_THERE = [".broomwagon", "deaf.mjs", "temporary", "text.txt", "waits.ts"];

async function gone(runs: string): Promise<void> {
  while (leftOf(runs).length > 0) await pause(20);
}

describe("Ctrl-C", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("once (%s) ends the run tidily", async (signal) => {
    const { child, code, run, runs } = await start("usual");
    child.kill(signal);
    expect(await code).toBe(130);
    expect(leftOf(runs)).toEqual([]);
    expect(nodeProcesses(run).length).toBeGreaterThan(0);
    expect(left()).toEqual([]);
    expect(readdirSync(run).sort()).toEqual(["journal.ndjson", "summary.json"]);
    const summary = JSON.parse(readFileSync(join(run, "summary.json"), "utf8"));
    expect(summary).toMatchObject({ outcome: "killed", parts: [] });
  });

  test("ends a run with as many reduces as there may be, whose summary is quadratic in nothing", {
    timeout: 60_000,
  }, async () => {
    const { child, code, run } = await start("usual", ["--reduces", "65536"]);
    child.kill("SIGTERM");
    expect(await code).toBe(130);
    const { phases } = JSON.parse(readFileSync(join(run, "summary.json"), "utf8"));
    expect(phases).toMatchObject([{ name: "map" }, { name: "reduce", tasks: 65_536 }]);
  });

  test("twice ends it at once, and also leaves nothing", async () => {
    const { child, code, run, runs } = await start("deaf");
    child.kill("SIGINT");
    // The same Ctrl-C may arrive twice, from the terminal and from npx: that counts as one.
    child.kill("SIGINT");
    await pause(1_500);
    expect(child.exitCode).toBe(null);
    child.kill("SIGINT");
    expect(await code).toBe(130);
    await gone(runs);
    expect(left()).toEqual([]);
    expect(readdirSync(run)).toEqual(["journal.ndjson"]);
  });
});
