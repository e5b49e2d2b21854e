import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/broomwagon.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "broomwagon-mistaken-"));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  cpSync("fixtures/hadoop/json.jhist", at("job.jhist"));
  cpSync("fixtures/spark/two-workers.ndjson", at("app-1"));
  cpSync("test/replay/yarn/esplash-copies.ndjson", at("journal.ndjson"));
  cpSync("scenarios/late-5.4.3.json", at("scenario.json"));
  cpSync("examples/word-count.ts", at("job.ts"));
  writeFileSync(at("app-2"), gzipSync(readFileSync(at("app-1"))));
});

async function broomwagon(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(args, shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

const HISTORIES = ["job.jhist", "app-1"];
const DIAGNOSES = ["why", "whatif", "compare", "report", "page"];

/** Commands, the files that they do not take, what the files must be, and the right command. */
const MISTAKES = [
  ...DIAGNOSES.map((name) => [name, ["scenario.json"], "a history", "simulate"] as const),
  ...DIAGNOSES.map((name) => [name, ["job.ts"], "a history", "run"] as const),
  ["simulate", [...HISTORIES, "app-2", "journal.ndjson"], "a scenario", "why"],
  ["simulate", ["job.ts"], "a scenario", "run"],
  ["replay", [...HISTORIES, "app-2"], "a journal.ndjson that Broomwagon wrote", "why"],
  ["replay", ["scenario.json"], "a journal.ndjson that Broomwagon wrote", "simulate"],
  ["replay", ["job.ts"], "a journal.ndjson that Broomwagon wrote", "run"],
  ["run", [...HISTORIES, "journal.ndjson"], "a job file", "why"],
  ["run", ["scenario.json"], "a job file", "simulate"],
  ["resume", [...HISTORIES, "journal.ndjson"], "the directory of a run", "why"],
] as const;

describe("a file that is meant for another command is named with that command", () => {
  test.each(
    MISTAKES.flatMap(([name, files, expected, meant]) =>
      files.map((file) => ({ name, file, expected, meant })),
    ),
  )("$name $file: $meant", async ({ name, file, expected, meant }) => {
    const operands = name === "compare" ? [at("job.jhist"), at(file)] : [at(file)];
    const quietly = name === "run" ? ["--quiet"] : [];
    const { code, out, err } = await broomwagon(name, ...operands, ...quietly);
    expect(err).toMatch(
      new RegExp(
        `^error: \\S+: expected ${expected}; this is an? [^\\n]+: try \`broomwagon \\S+ \\S+\`\\n$`,
      ),
    );
    expect(err).toContain(`try \`broomwagon ${meant} ${at(file)}\``);
    expect([code, out]).toEqual([3, ""]);
  });

  test.each([
    ["job.jhist", "this is a job history of Hadoop 2 or 3", "why"],
    ["app-1", "this is an event log of Spark", "why"],
    ["app-2", "this is a file compressed with gzip", "why"],
    ["journal.ndjson", "this is a journal of Broomwagon", "why"],
    ["scenario.json", "this is a scenario", "simulate"],
    ["job.ts", "this is a job file", "run"],
    [".", "this is a directory", "why"],
  ])("%s without a command", async (file, what, meant) => {
    const path = at(file);
    const hint = `${what}: try \`broomwagon ${meant} ${path}\``;
    expect(await broomwagon(path, "--top", "3")).toEqual({
      code: 2,
      out: "",
      err: `error: ${path}: expected a command before it; ${hint}\n`,
    });
  });
});

describe("a URL that is not read is named with the pipe that reads it", () => {
  test.each([
    ["why", "s3://logs/app-1", "aws s3 cp s3://logs/app-1 - | broomwagon why -"],
    ["whatif", "gs://logs/app-1", "gcloud storage cat gs://logs/app-1 | broomwagon whatif -"],
    ["report", "hdfs://n/logs/app-1", "hadoop fs -cat hdfs://n/logs/app-1 | broomwagon report -"],
    [
      "replay",
      "https://h/j.ndjson",
      "curl -sL https://h/j.ndjson > FILE && broomwagon replay FILE",
    ],
  ])("%s %s", async (name, url, call) => {
    expect(await broomwagon(name, url)).toEqual({
      code: 3,
      out: "",
      err: `error: ${url}: this URL is not read: try \`${call}\`\n`,
    });
  });

  test("also as the input of a job", () => {
    const args = ["--input", "s3://books/*.txt", "--output", at("out"), "--run-dir", at("runs")];
    // Nodes start from the built program alone.
    const { status, stderr } = spawnSync(
      process.execPath,
      [PROGRAM, "run", at("job.ts"), ...args, "--quiet"],
      { encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([
      3,
      "error: input s3://books/*.txt: this URL is not read: try " +
        "`aws s3 cp 's3://books/*.txt' - | broomwagon run JOB --input -`\n",
    ]);
  });

  test("also without a command", async () => {
    const { code, err } = await broomwagon("s3://logs/app-1");
    expect([code, err]).toEqual([
      2,
      "error: s3://logs/app-1: expected a command before it: try `aws s3 cp s3://logs/app-1 - | " +
        "broomwagon why -`\n",
    ]);
  });
});
