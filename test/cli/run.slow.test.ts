import { spawn, spawnSync } from "node:child_process";
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
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));
const wordCount = fileURLToPath(new URL("../../examples/word-count.ts", import.meta.url));

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "broomwagon-run-"));
  writeFileSync(join(folder, "text.txt"), "to be or not to be\n".repeat(2_000));
  mkdirSync(join(folder, "old"));
  writeFileSync(join(folder, "old", "mine.txt"), "mine\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

function broomwagon(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  return { code: status, out: stdout, err: stderr };
}

const job = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};

describe("run", () => {
  test("counts words, and says where the output and the journal are", () => {
    const { code, out, err } = broomwagon("run", wordCount, "--input", "text.txt", "--output", "a");
    expect(readFileSync(join(folder, "a", "part-00000"), "utf8")).toBe(
      "be\t4000\nnot\t2000\nor\t2000\nto\t4000\n",
    );
    expect(out).toMatch(/word-count succeeded in .* under late/);
    expect(out).toMatch(/output +\S*a: 1 part file, 4 records/);
    expect(err).toContain("job succeeded");
    expect(code).toBe(0);
    const [, journal = ""] = /journal +(\S+)/.exec(out) ?? [];
    expect(broomwagon("replay", journal).code).toBe(0);
  });

  test("-o json prints one document on standard output; with --quiet nothing else", () => {
    const args = ["--input", "text.txt", "--output", "b", "-o", "json", "--quiet", "--nodes", "1"];
    const { code, out, err } = broomwagon("run", wordCount, ...args);
    const result = JSON.parse(out);
    expect(result).toMatchObject({ job: "word-count", outcome: "succeeded" });
    expect(err).toBe("");
    expect(code).toBe(0);
  });

  test("a job whose map throws fails with the user's file and line, and leaves no output", () => {
    const path = job(
      "broken.ts",
      'import { defineJob } from "broomwagon/job";\nexport default defineJob({\n' +
        '  map() {\n    throw new Error("no such field");\n  },\n});\n',
    );
    const { code, out } = broomwagon("run", path, "--input", "text.txt", "--output", "c");
    expect(out).toMatch(/broken failed/);
    expect(out).toMatch(/broken\.ts:4.*no such field/);
    expect(existsSync(join(folder, "c"))).toBe(false);
    expect(code).toBe(1);
  });

  test("Ctrl-C ends the run with 130 and leaves neither output nor process", async () => {
    const path = job(
      "endless.ts",
      'import { defineJob } from "broomwagon/job";\nexport default defineJob({\n' +
        "  map() {\n    for (;;);\n  },\n});\n",
    );
    const args = [bin, "run", path, "--input", "text.txt", "--output", "d"];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let told = "";
    let nodes: readonly string[] = [];
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      told += text;
    });
    // The nodes begin one after the other, while the job is under way.
    const waiting = setInterval(() => {
      nodes = childrenOf(child.pid);
      if (nodes.length < 4 || !told.includes("job endless")) return;
      clearInterval(waiting);
      // Twice, like a terminal with npx in between.
      child.kill("SIGINT");
      child.kill("SIGINT");
    }, 20);
    const code = await new Promise((resolve) => child.on("exit", resolve));
    clearInterval(waiting);
    expect(code).toBe(130);
    expect(existsSync(join(folder, "d"))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith("_"))).toEqual([]);
    expect(nodes.length).toBeGreaterThanOrEqual(4);
    expect(nodes.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  });
});

test("the job file's own output is used, and --output overrides it", () => {
  const path = job(
    "own.ts",
    'import { count, defineJob, text, tsv } from "broomwagon/job";\nexport default defineJob({\n' +
      '  input: text("text.txt"),\n  output: tsv("own"),\n' +
      "  map(line, { emit }) {\n    emit(line, 1);\n  },\n  reduce: count(),\n});\n",
  );
  const { code, out } = broomwagon("run", path, "--nodes", "1");
  expect(out).toMatch(/output +own: 1 part file, 1 record, /);
  expect(code).toBe(0);
  const again = broomwagon("run", path, "--nodes", "1");
  expect(again.err).toMatch(/^error: .*own: the output directory exists/m);
  expect(broomwagon("run", path, "--nodes", "1", "--output", "other").code).toBe(0);
  const lines = "to be or not to be\t2000\n";
  for (const output of ["own", "other"]) {
    expect(readFileSync(join(folder, output, "part-00000"), "utf8")).toBe(lines);
  }
});

/** Arguments after the job file; exit code; message. */
const MISTAKES: readonly [args: readonly string[], code: number, says: RegExp][] = [
  [["--input", "text.txt", "--output", "old"], 2, /exists/],
  [["--input", "text.txt", "--output", "old", "--overwrite"], 2, /replaces only .* earlier/],
  [["--input", "old/*", "--output", "old", "--overwrite"], 2, /holds the input file .*mine\.txt/],
  [["--input", "text.txt", "--output", ".", "--overwrite"], 2, /holds the working directory/],
  [["--input", "old", "--output", "old/x"], 2, /lies inside the input directory old/],
  [["--input", "text.txt"], 2, /output: expected a directory, in the job file or by --output/],
  [["--input", "text.txt", "--output", "text.txt/x"], 3, /text\.txt\/x: .*not a directory/],
  [
    ["--input", "text.txt", "--output", "x", "--run-dir", "text.txt/x"],
    3,
    /text\.txt\/x: .*not a directory/,
  ],
  [["--input", "text.txt/x", "--output", "x"], 3, /text\.txt\/x: /],
  [["--input", "gone/*.txt", "--output", "x"], 3, /gone\/\*\.txt/],
];

/** Places where the system allows no directories. */
const NOWHERE: readonly [args: readonly string[], path: string][] = [
  [["--output", "/proc/xx"], "/proc/xx"],
  [["--output", "/proc/a/b"], "/proc/a/b"],
  [["--output", "x", "--run-dir", "/proc/zz"], "/proc/zz"],
];

describe("a mistake is one line and its exit code", () => {
  test.each(MISTAKES)("%j", (args, code, says) => {
    const told = broomwagon("run", wordCount, ...args);
    expect(told.err).toMatch(/^error: .*\n$/);
    expect(told.err).toMatch(says);
    expect(told.code).toBe(code);
    expect(readFileSync(join(folder, "old", "mine.txt"), "utf8")).toBe("mine\n");
  });

  test.skipIf(!existsSync("/proc/self")).each(NOWHERE)("%j", (args, path) => {
    const told = broomwagon("run", wordCount, "--input", "text.txt", ...args);
    expect(told.err).toBe(
      `error: ${path}: expected a directory to write: no such file or directory\n`,
    );
    expect(told.code).toBe(3);
  });

  test("a job file that is missing, or is no job", () => {
    const missing = broomwagon("run", "gone.ts", "--input", "text.txt", "--output", "x");
    expect(missing.err).toMatch(/^error: .*gone\.ts.*\n$/);
    expect(missing.code).toBe(3);
    const below = broomwagon("run", "text.txt/a.ts", "--input", "text.txt", "--output", "x");
    expect(below.err).toMatch(/^error: .*a\.ts: no such job file\n$/);
    expect(below.code).toBe(3);
    const path = job("nothing.ts", "export default 7;\n");
    const nothing = broomwagon("run", path, "--input", "text.txt", "--output", "x");
    expect(nothing.err).toMatch(/^error: .*nothing\.ts.*\n$/);
    expect(nothing.code).toBe(3);
  });
});

describe("demo", () => {
  test("all runs count like a plain loop, with one node slowed, and are drawn", () => {
    const { code, out, err } = broomwagon("demo", "--runs", "1", "--quiet", "-o", "json");
    const { pairs, runs, scaled, picture } = JSON.parse(out);
    expect(err).toBe("");
    expect(runs.map((run: { policy: string }) => run.policy)).toEqual(["none", "late"]);
    for (const { comparison, result, faults } of runs) {
      expect(comparison.kind).toBe("equal");
      expect(result.outcome).toBe("succeeded");
      expect(result.nodes[1].slowed.factor).toBeCloseTo(10, 6);
      expect(faults).toEqual(["n2 slowed 10-fold"]);
    }
    const [off, late] = runs.map((run: { result: { responseMs: number } }) => run.result);
    const savedMs = off.responseMs - late.responseMs;
    expect(pairs).toMatchObject([{ pair: 1, first: "none", gain: { kind: "known", savedMs } }]);
    expect(scaled.length).toBeGreaterThan(0);
    const svg = readFileSync(join(folder, picture), "utf8");
    for (const title of ["speculation off, pair 1", "LATE, pair 1", "slowed 10-fold"]) {
      expect(svg).toContain(title);
    }
    expect(code).toBe(0);

    const onSlow = off.attempts.filter(({ node }: { node: string }) => node === "n2");
    expect(onSlow.length).toBeGreaterThanOrEqual(3);
    const why = broomwagon("why", off.id);
    expect(why.out).toMatch(/^Node n2 ran everything [\d.]+ times slower than its peers/m);
  });

  test("--kill kills another node in every run", () => {
    const small = ["--runs", "1", "--megabytes", "40"];
    const { code, out } = broomwagon("demo", "--kill", ...small, "--quiet", "-o", "json");
    const { runs } = JSON.parse(out);
    for (const { comparison, faults } of runs) {
      expect(comparison.kind).toBe("equal");
      expect(faults).toEqual(["n2 slowed 10-fold", "n3 killed"]);
    }
    expect(code).toBe(0);
  });
});

/** Process ids; the parent's stands fourth in `/proc/PID/stat`, after a name in brackets. */
function childrenOf(parent: number | undefined): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
      return Number(after.split(" ")[1]) === parent;
    } catch {
      // The process has ended meanwhile.
      return false;
    }
  });
}
