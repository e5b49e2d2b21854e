import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boundByModes } from "../engine/support/bound-by-modes.ts";

const bin = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "broomwagon-resume-"));
  writeFileSync(join(folder, "text.txt"), "to be or not to be\n".repeat(2_000));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** From the third split on, the map waits until the gate is open. */
const JOB = `import { existsSync } from "node:fs";
import { defineJob, sum } from "broomwagon/job";
export default defineJob({
  map(line: string, ctx) {
    while (ctx.task >= 2 && !existsSync("gate")) Atomics.wait(clock, 0, 0, 20);
    for (const word of line.split(" ")) ctx.emit(word, 1);
  },
  reduce: sum(),
});
const clock = new Int32Array(new SharedArrayBuffer(4));
`;

function broomwagon(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { code: status, out: stdout, err: stderr };
}

const runs = (): string => join(folder, ".broomwagon/runs");

/** How often the text occurs in the only run's journal. */
function countOf(text: string, of = runs()): number {
  const [id = "none"] = existsSync(of) ? readdirSync(of) : [];
  const journal = join(of, id, "journal.ndjson");
  return existsSync(journal) ? readFileSync(journal, "utf8").split(text).length - 1 : 0;
}

test("a killed run resumes where it was, once", async () => {
  writeFileSync(join(folder, "count.ts"), JOB);
  const args = ["--input", "text.txt", "--output", "counts", "--nodes", "2"];
  const child = spawn(
    process.execPath,
    [bin, "run", "count.ts", ...args, "--split-bytes", "10000", "--quiet"],
    { cwd: folder, stdio: "ignore" },
  );
  const gone = new Promise((resolve) => child.on("exit", resolve));
  while (countOf('"event":"attempt-succeeded"') < 2) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill("SIGKILL");
  await gone;
  writeFileSync(join(folder, "gate"), "");

  const [id = ""] = readdirSync(runs());
  const { code, out, err } = broomwagon("resume", id);
  expect(err).toContain("resumed: 2 tasks had been done");
  expect(out).toMatch(/count succeeded in .* under late/);
  expect(code).toBe(0);
  expect(readFileSync(join(folder, "counts", "part-00000"), "utf8")).toBe(
    "be\t4000\nnot\t2000\nor\t2000\nto\t4000\n",
  );
  expect(broomwagon("replay", join(".broomwagon/runs", id, "journal.ndjson")).code).toBe(0);

  const again = broomwagon("resume", id);
  expect(again.code).toBe(3);
  expect(again.err).toMatch(/^error: .*: expected a run that was cut off: the run has ended.*\n$/);
  // The run is also found from within its folder.
  const there = { cwd: join(runs(), id), encoding: "utf8" } as const;
  expect(spawnSync(process.execPath, [bin, "resume", "."], there).stderr).toBe(again.err);
});

test("resume prints the output that the killed run should have printed", async () => {
  writeFileSync(join(folder, "print.ts"), JOB.replaceAll("gate", "gate-of-print"));
  const places = ["--input", "text.txt", "--output", "-", "--run-dir", "others"];
  const child = spawn(
    process.execPath,
    [bin, "run", "print.ts", ...places, "--nodes", "2", "--split-bytes", "10000", "--quiet"],
    { cwd: folder, stdio: "ignore" },
  );
  const gone = new Promise((resolve) => child.on("exit", resolve));
  const others = join(folder, "others");
  while (countOf('"event":"attempt-succeeded"', others) < 2) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill("SIGKILL");
  await gone;
  writeFileSync(join(folder, "gate-of-print"), "");

  const [id = ""] = readdirSync(others);
  const { code, out, err } = broomwagon("resume", id, "--run-dir", "others");
  expect(out).toBe("be\t4000\nnot\t2000\nor\t2000\nto\t4000\n");
  expect(err).toMatch(/print succeeded in .*\n(.*\n)* +output +standard output: 1 part file/);
  expect(code).toBe(0);
  expect(readdirSync(join(others, id)).sort()).toEqual(["journal.ndjson", "summary.json"]);
});

test("a path that is no run is refused in one line", () => {
  const { code, err } = broomwagon("resume", "yesterday");
  expect(code).toBe(3);
  expect(err).toMatch(/^error: .*yesterday: expected the folder of a run\n$/);
});

test("an output that could not be printed is kept, and resume prints it", () => {
  writeFileSync(join(folder, "gate"), "");
  writeFileSync(join(folder, "print.ts"), JOB);
  const full = openSync("/dev/full", "w");
  const places = ["--input", "text.txt", "--output", "-", "--run-dir", "full"];
  const { status, stderr } = spawnSync(process.execPath, [bin, "run", "print.ts", ...places], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", full, "pipe"],
    timeout: 60_000,
  });
  closeSync(full);
  expect(stderr).toMatch(
    /error: standard output: .*ENOSPC.*; the output is kept in full\/.*printed/,
  );
  expect(status).toBe(3);
  const [id = ""] = readdirSync(join(folder, "full"));
  // Another run removes the temporary files of dead processes.
  expect(broomwagon("run", "print.ts", ...places).code).toBe(0);
  const { code, out } = broomwagon("resume", id, "--run-dir", "full");
  expect(out).toBe("be\t4000\nnot\t2000\nor\t2000\nto\t4000\n");
  expect(code).toBe(0);
  expect(readdirSync(join(folder, "full", id)).sort()).toEqual(["journal.ndjson", "summary.json"]);
});

test("an unreadable job file is reported in one line", () => {
  const bound = boundByModes();
  if (bound === undefined) return;
  writeFileSync(join(folder, "secret.ts"), JOB, { mode: 0o000 });
  const [command = process.execPath, ...flags] = [...bound, process.execPath];
  const args = [bin, "run", "secret.ts", "--input", "text.txt", "--output", "secrets"];
  const { status, stderr } = spawnSync(command, [...flags, ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(stderr).toMatch(/^error: .*secret\.ts: expected a job file that may be read\n$/);
  expect(status).toBe(3);
});
