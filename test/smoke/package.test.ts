import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packed } from "../support/packed.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** A history of the package. */
const HISTORY = "node_modules/broomwagon/fixtures/pairs/spark/off.ndjson.zst";

describe("the package in an empty project, with fzstd and no other package", () => {
  const made = packed();
  const project = mkdtempSync(join(tmpdir(), "broomwagon-project-"));
  const write = (name: string, text: string): void => writeFileSync(join(project, name), text);
  const node = (...args: readonly string[]) =>
    spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  const broomwagon = (...args: readonly string[]) =>
    node("node_modules/broomwagon/bin/broomwagon.js", ...args);

  beforeAll(() => {
    cpSync(made().root, join(project, "node_modules/broomwagon"), { recursive: true });
    cpSync(join(ROOT, "node_modules/fzstd"), join(project, "node_modules/fzstd"), {
      recursive: true,
    });
    mkdirSync(join(project, "in"));
    write("in/text.txt", "to be or not to be\n".repeat(1_000));
    write("package.json", '{ "name": "empty", "private": true }');
  });

  afterAll(() => rmSync(project, { recursive: true }));

  test("why answers for the history that the package brings", () => {
    const { status, stdout, stderr } = broomwagon("why", HISTORY);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("127.0.0.52");
  });

  test("report writes a page, with the licences of what the page contains", () => {
    expect(broomwagon("report", HISTORY, "--out", "report.html").status).toBe(0);
    expect(readFileSync(join(project, "report.html"), "utf8")).toContain("\npreact 11");
  });

  test("simulate runs a scenario of the package, under a policy of the user's", () => {
    const folder = "node_modules/broomwagon";
    cpSync(join(project, folder, "examples/your-own-policy.ts"), join(project, "own.ts"));
    const scenario = `${folder}/scenarios/one-straggler.json`;
    const flags = ["--policies", "own.ts", "--discipline", "oldest", "--seeds", "1"];
    const { status, stdout } = broomwagon("simulate", scenario, ...flags);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^oldest +\d/m)]);
  });

  test("reproduce measures a figure, and finds its outcomes again", () => {
    const args = ["reproduce", "late", "--figure", "s5.4.3", "--runs", "1"];
    const first = broomwagon(...args);
    expect([first.status, first.stdout]).toEqual([0, expect.stringContaining("s5.4.3")]);
    expect(broomwagon(...args).stdout).toBe(first.stdout);
  });

  test("a job in TypeScript runs, and reads gzip and zstd", () => {
    writeFileSync(join(project, "in/more.txt.gz"), gzipSync("or\n"));
    writeFileSync(join(project, "in/even-more.txt.zst"), zstdFrame("or\n"));
    write("count.ts", JOB);
    const { status, stderr } = broomwagon("run", "count.ts", "--input", "in", "--output", "out");
    expect([status, stderr]).toEqual([0, expect.stringContaining("succeeded")]);
    expect(readFileSync(join(project, "out/part-00000"), "utf8")).toBe(
      "be\t2000\nnot\t1000\nor\t1002\nto\t2000\n",
    );
  });

  test("require and import give the same library, in CommonJS and in modules", () => {
    write("use.cjs", 'console.log(Object.keys(require("broomwagon")).sort().join());');
    write("use.mjs", 'console.log(Object.keys(await import("broomwagon")).sort().join());');
    const required = node("--no-warnings", "use.cjs");
    expect([required.status, required.stderr]).toEqual([0, ""]);
    expect(required.stdout).toContain("run");
    expect(node("use.mjs").stdout).toBe(required.stdout);
    write("job.mjs", 'const { defineJob } = await import("broomwagon/job"); defineJob.name;');
    expect(node("job.mjs").status).toBe(0);
  });

  test("Parquet asks for the package that reads it", () => {
    write("table.ts", JOB.replace("*map", 'input: parquet("t.parquet"),\n  *map'));
    write("t.parquet", "PAR1");
    const { status, stderr } = broomwagon("run", "table.ts", "--output", "no");
    expect([status, stderr]).toEqual([3, expect.stringContaining("npm install hyparquet")]);
  });
});

/** A frame of zstd that holds a short text as it is. */
function zstdFrame(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const magic = [0x28, 0xb5, 0x2f, 0xfd];
  // A single segment with its size; a block, the last one, stored raw.
  const headers = [0x20, size, size * 8 + 1, 0, 0];
  return Buffer.concat([Buffer.from([...magic, ...headers]), Buffer.from(text)]);
}

const JOB = `
import { defineJob, parquet, sum } from "broomwagon/job";

export default defineJob({
  *map(line: string) {
    for (const word of String(line).split(" ")) yield [word, 1];
  },
  reduce: sum(),
});
`;
