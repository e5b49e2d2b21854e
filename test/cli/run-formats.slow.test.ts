import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "broomwagon-formats-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs on two nodes, with the given standard input. */
function broomwagon(job: string, input: string | Buffer, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bin, "run", job, "--nodes", "2", "--quiet", ...args],
    { cwd: folder, input, timeout: 60_000, killSignal: "SIGKILL", maxBuffer: 1 << 26 },
  );
  return { code: status, out: stdout, err: stderr.toString() };
}

const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return name;
};

const job = (name: string, spec: string): string =>
  file(
    name,
    'import { csv, defineJob, fixed, ndjson, parquet, sum } from "broomwagon/job";\n' +
      `export default defineJob({ ${spec} });\n`,
  );

/** Files that runs should not have left. */
const left = (): readonly string[] => {
  const runs = join(folder, ".broomwagon/runs");
  return readdirSync(runs).filter((run) => existsSync(join(runs, run, "printed")));
};

describe("from standard input to standard output", () => {
  test("bytes pass unchanged, and the report goes to standard error", () => {
    const lines = Array.from({ length: 256 }, (_, byte) => byte)
      .filter((byte) => byte !== 0x0a && byte !== 0x0d)
      .map((byte) => Buffer.from([0x6b, byte, byte]));
    const input = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
    const sort = job(
      "sort.ts",
      'map: (line) => [[line, ""]], reduce: (line) => [line], reduces: 3',
    );
    const { code, out, err } = broomwagon(sort, input, "--input", "-", "--output", "-");
    expect(err).toMatch(/sort succeeded .*\n(.*\n)* +output +standard output: 3 part files/);
    expect(code).toBe(0);
    const sorted = (bytes: Buffer) => bytes.toString("latin1").split("\n").sort();
    expect(sorted(out)).toEqual(sorted(input));
    expect(left()).toEqual([]);
  });

  test("a reader that closes the pipe ends the run quietly", () => {
    file("many.txt", Array.from({ length: 200_000 }, (_, i) => `line ${i}\n`).join(""));
    const copy = job("copy.ts", "map: (line) => [[line, undefined]]");
    const flags = "--nodes 1 --input many.txt --output - --quiet";
    const command = `'${process.execPath}' '${bin}' run ${copy} ${flags}`;
    const shell = `${command} | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", shell], { cwd: folder, encoding: "utf8" });
    expect(stdout).toBe("line 0\n0\n");
    expect(stderr).not.toMatch(/EPIPE|bug/);
    expect(left()).toEqual([]);
  });

  test("an output that was being printed at a kill is removed by the next run", async () => {
    file("many.txt", Array.from({ length: 200_000 }, (_, i) => `line ${i}\n`).join(""));
    const copy = job("copy.ts", "map: (line) => [[line, undefined]]");
    const flags = ["--nodes", "1", "--input", "many.txt", "--output", "-", "--quiet"];
    const run = spawn(process.execPath, [bin, "run", copy, ...flags], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    // More than a pipe holds, so the run waits for the reader.
    await once(run.stdout, "readable");
    run.kill("SIGKILL");
    run.stdout.destroy();
    await once(run, "exit");
    expect(left()).toHaveLength(1);
    const { out } = broomwagon(copy, "one\n", "--input", "-", "--output", "-");
    expect(out.toString()).toBe("one\n");
    expect(left()).toEqual([]);
  });

  test("a table has one header, and may be compressed", () => {
    const output = 'csv(undefined, { columns: ["word", "n"] })';
    const spec = `map: (line) => [[line, 1]], reduce: sum(), reduces: 3, output: ${output}`;
    const words = job("table.ts", spec);
    const flags = ["--input", "-", "--output", "-", "--output-format", "gz"];
    const { out } = broomwagon(words, "x\ny\nz\nx\n", ...flags);
    const lines = gunzipSync(out).toString().split("\n");
    expect([lines[0], ...lines.slice(1, -1).sort()]).toEqual(["word,n", "x,2", "y,1", "z,1"]);
  });
});

describe("malformed records", () => {
  const rows = Array.from({ length: 50 }, (_, i) => (i % 20 === 7 ? "{" : `{"n":${i}}`));

  test("fail the job with their place, or are skipped, counted and shown", () => {
    file("rows.ndjson", `${rows.join("\n")}\n`);
    const total = job("total.ts", 'input: ndjson(), map: ({ n }) => [["all", n]], reduce: sum()');
    const flags = ["--input", "rows.ndjson", "--output", "total", "--split-bytes", "100"];
    const failed = broomwagon(total, "", ...flags);
    expect(failed.code).toBe(1);
    const text = failed.out.toString();
    expect(text).toMatch(
      /map\/\d failed for good on n[12]: .*rows\.ndjson:(8|28|48): expected .*, in "\{"/,
    );
    // The same bytes would give the same error.
    expect(text).toMatch(/ 1 failed/);
    expect(text).not.toMatch(/retry/);
    expect(existsSync(join(folder, "total"))).toBe(false);

    const skip = ["--on-bad-record", "skip"];
    for (const [max, says] of [
      ["2", "expected 2 malformed records at most, found 3 of 50"],
      ["5%", "expected 5 % malformed records at most, found 3 of 50"],
    ] as const) {
      const refused = broomwagon(total, "", ...flags, ...skip, "--bad-records-max", max);
      expect(refused.code).toBe(3);
      expect(refused.err.replace(/\s+/g, " ")).toContain(says);
      expect(existsSync(join(folder, "total"))).toBe(false);
    }
    const alone = broomwagon(total, "", ...flags, "--bad-records-max", "3");
    expect(alone.err).toContain("expected --on-bad-record skip too");
    flags.push("--bad-records-max", "6%");

    const { code, out } = broomwagon(total, "", ...flags, "--on-bad-record", "skip");
    expect(code).toBe(0);
    // Lines are wrapped.
    expect(out.toString().replace(/\n {10,}/g, " ")).toMatch(
      /bad records +3 passed over: rows\.ndjson:8: expected [^"]*, in "\{" rows\.ndjson:28: /,
    );
    const good = Array.from({ length: 50 }, (_, i) => i).filter((i) => i % 20 !== 7);
    const sum = good.reduce((so, i) => so + i, 0);
    expect(readFileSync(join(folder, "total", "part-00000"), "utf8")).toBe(`all\t${sum}\n`);
    const [, journal = ""] = /journal +(\S+)/.exec(out.toString()) ?? [];
    const summary = readFileSync(join(folder, journal, "../summary.json"), "utf8");
    expect(JSON.parse(summary).badRecords).toMatchObject({
      count: 3,
      samples: [8, 28, 48].map((line) => ({ place: join(folder, `rows.ndjson:${line}`) })),
    });
  });
});

describe("malformed input", () => {
  const rows: readonly (readonly [string, string | Buffer, string, RegExp])[] = [
    ["cut.gz", gzipSync("one\ntwo\n").subarray(0, -3), "", /cut\.gz: byte \d+: .* its end within/],
    ["cut.zst", Buffer.from([0x28, 0xb5, 0x2f]), "", /cut\.zst: byte 0: .* its end within a frame/],
    ["open.csv", 'a,b\n1,"2\n3,4\n', "csv()", /open\.csv:2: expected the end of a quoted field/],
    ["few.csv", "a,b\n1\n", "csv()", /few\.csv:2: expected 2 fields, found 1, in "1"/],
    ["rest.bin", "abcdefg", "fixed(3)", /rest\.bin: byte 6: expected a record of 3 bytes, found 1/],
    ["no.parquet", "this is no Parquet", "parquet()", /no\.parquet: byte 10: .*footer != PAR1/],
  ];

  test.each(rows)("%s is reported with its place, or skipped", (name, content, input, problem) => {
    file(name, content);
    const reads = input === "" ? "" : `input: ${input}, `;
    const all = job(`${name}.ts`, `${reads}map: () => [["all", 1]], reduce: sum()`);
    const flags = ["--input", name, "--output", `${name}.out`];
    const failed = broomwagon(all, "", ...flags);
    expect([1, 3]).toContain(failed.code);
    expect(`${failed.out}${failed.err}`).toMatch(problem);
    expect(existsSync(join(folder, `${name}.out`))).toBe(false);
    const { code, out } = broomwagon(all, "", ...flags, "--on-bad-record", "skip");
    expect(code, out.toString()).toBe(0);
    // Lines are wrapped.
    expect(out.toString().replace(/\n {10,}/g, " ")).toMatch(problem);
    expect(out.toString()).toMatch(/bad records +1 passed over:/);
  });
});

describe("compressed and columnar input", () => {
  test("gzip, zstd and plain files together", () => {
    file("a.txt", "a\nb\n");
    file("b.txt.gz", Buffer.concat([gzipSync("b\nc"), gzipSync("d\n")]));
    file("c.txt.zst", execFileSync("zstd", ["-c", "-q"], { input: "a\ne\n" }));
    const words = job("words.ts", "map: (line) => [[line, 1]], reduce: sum()");
    const { out } = broomwagon(words, "", "--output", "-", "--input", "{a,b,c}.txt*");
    expect(out.toString()).toBe("a\t2\nb\t2\ncd\t1\ne\t1\n");
  });

  test("Parquet, one split per row group", async () => {
    const duckdb = await (await DuckDBInstance.create()).connect();
    await duckdb.run(`COPY (SELECT i % 3 AS k, i / 2.0::DOUBLE AS v FROM range(5000) t(i))
      TO '${join(folder, "t.parquet")}' (FORMAT parquet, ROW_GROUP_SIZE 2048, CODEC 'zstd')`);
    duckdb.closeSync();
    const spec = 'input: parquet("t.parquet"), map: ({ k, v }) => [[k, v]], reduce: sum()';
    const flags = ["--output", "-", "--output-format", "ndjson", "--split-bytes", "1000"];
    const { out, err } = broomwagon(job("parquet.ts", spec), "", ...flags, "--reduces", "1");
    const sums = [0, 1, 2].map((k) => {
      let sum = 0;
      for (let i = k; i < 5000; i += 3) sum += i / 2;
      return `["${k}",${sum}]\n`;
    });
    expect(out.toString(), err).toBe(sums.join(""));
  });
});
