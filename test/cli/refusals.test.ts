import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { jobOf } from "../../src/library/job-of-history.ts";
import { filesOfHistory } from "../../src/trace/open/history-bytes.ts";
import { sparkLog } from "../diagnose/support/spark-log.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { paperShell } from "./support/screen.ts";

const temporary = temporaryDirectory();

async function refused(command: string, path: string): Promise<string> {
  const shell = paperShell(1_000);
  expect(await runProgram([command, path, "--no-intervals"], shell)).toBe(3);
  expect(shell.out.text).toBe("");
  return shell.err.text.replace(/^error: .*?(histor[^ ]*): /, "");
}

function written(name: string, content: string | Uint8Array): string {
  const path = join(temporary, name);
  writeFileSync(path, content);
  return path;
}

const MADE = {
  executors: [{ host: "h1", cores: 2 }],
  jobs: [{ afterMs: 100, stages: [[{ ms: 900 }, { ms: 900 }, { ms: 900 }]] }],
};
const APPLICATION = sparkLog(MADE);

/** The application, with all times of its attempts this much later. */
const later = (ms: number): string =>
  APPLICATION.replace(
    /"(Launch Time|Finish Time)":(\d+)/g,
    (_, name, at) => `"${name}":${Number(at) + ms}`,
  );

describe("what is no history is refused, with what was expected", () => {
  test("a file in LZF", async () => {
    expect(await refused("why", written("history", "ZV\x00\x01"))).toBe(
      "expected gzip, zstd, lz4 or snappy; LZF is not read\n",
    );
  });

  test("a file that is cut off before anything can be read", async () => {
    const cut = gzipSync(APPLICATION).subarray(0, 12);
    expect(await refused("why", written("history", cut))).toBe(
      "the file is cut off within its first block\n",
    );
  });

  test("a pipe", async () => {
    const path = join(temporary, "history-pipe");
    execFileSync("mkfifo", [path]);
    expect(await refused("why", path)).toBe(
      "expected a file or a directory; a pipe is read from standard input: try `... | broomwagon " +
        "why -`\n",
    );
  });

  test("a directory without any", () => {
    const path = join(temporary, "history-folder");
    mkdirSync(path);
    expect(() => filesOfHistory(path)).toThrow(
      `${path}: expected a history, or a rolling directory with files events_1_...; this ` +
        "directory has none",
    );
  });

  test.each(["why", "report"])("%s: a journal before its first job", async (command) => {
    const journal = gunzipSync(readFileSync("fixtures/page/demo.ndjson.gz")).toString();
    const [setup = ""] = journal.split("\n");
    expect(await refused(command, written("history", `${setup}\n`))).toBe("holds no jobs\n");
  });

  test("lines of two applications in turn", async () => {
    const other = sparkLog({ ...MADE, endMs: 50 })
      .replaceAll("app-1", "app-2")
      .split("\n");
    const mixed = APPLICATION.split("\n").flatMap((line, n) => [line, other[n] ?? ""]);
    expect(await refused("why", written("history", mixed.join("\n")))).toBe(
      "expected all lines of an application before those of the next, but lines of app-1 and " +
        "app-2 are mixed: split the file\n",
    );
  });

  test("attempts of another time than their application's", async () => {
    const said = await refused("why", written("history", later(3_600_000)));
    expect(said.replace(/\d+ s/, "N s")).toBe(
      "expected one clock, but attempts of stage 0 began N s after the application had ended: " +
        "the driver's clock was set meanwhile\n",
    );
  });

  test("a history without jobs", () => {
    const trace = { jobs: [], notes: [] } as never;
    expect(() => jobOf({ trace, place: "history" })).toThrow("history: expected at least one job");
  });
});
