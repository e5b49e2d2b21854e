import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { text } from "../../job/index.ts";
import { planSplits } from "../index.ts";
import { openRecords } from "./formats.ts";
import { inputFiles } from "./input-paths.ts";
import { BadRecords } from "./malformed.ts";
import { eachRecord } from "./record-reader.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

describe("input paths", () => {
  test("a named pipe is read into a file, like standard input", async () => {
    const directory = bench.inputs({ b: "later" });
    const pipe = join(directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    const writer = spawn("sh", ["-c", `printf 'one\\ntwo\\n' > '${pipe}'`]);
    const spoolInto = bench.directory();
    const found = await inputFiles({ paths: [pipe, "b"], from: directory, spoolInto });
    expect(found).toMatchObject([
      { path: join(directory, "b"), bytes: 5 },
      { path: join(spoolInto, "pipe-1"), bytes: 8 },
    ]);
    expect(writer.exitCode ?? 0).toBe(0);
    await expect(inputFiles({ paths: ["-"], from: directory })).rejects.toThrow(
      "expected files: there is no standard input here",
    );
  });

  test("a path that cannot be an input is reported by name", async () => {
    const directory = bench.inputs({ a: "x" });
    mkdirSync(join(directory, "empty"));
    symlinkSync("nowhere", join(directory, "link"));
    const failure = (path: string) => inputFiles({ paths: [path], from: directory });
    await expect(failure("empty")).rejects.toThrow("input empty: expected a file in it");
    await expect(failure("b")).rejects.toThrow("input b: no such file");
    await expect(failure("[z-a]")).rejects.toThrow("input [z-a]: expected classes such as [a-z]");
    await expect(failure(".")).rejects.toThrow(`${directory}/link: this input file is gone`);
    rmSync(join(directory, "link"));
    symlinkSync(".", join(directory, "round"));
    await expect(failure(".")).rejects.toThrow("symbolic links form a loop");
    await expect(inputFiles({ paths: [], from: directory })).rejects.toThrow("expected a path");
  });
});

describe("an input file that changes while a job runs", () => {
  const plan = async (content: string) => {
    const directory = bench.inputs({ a: content });
    const { splits } = await planSplits({ input: text(), paths: [directory], from: "/" });
    const split = splits[0] ?? expect.fail();
    const bad = new BadRecords("skip");
    return {
      file: join(directory, "a"),
      open: () => openRecords({ split, input: text(), bad }),
    };
  };

  test("is gone, has grown or shrunk: an error that skipping does not hide", async () => {
    const gone = await plan("one\n");
    rmSync(gone.file);
    expect(gone.open).toThrow(`${gone.file}: this input file is gone`);
    const grown = await plan("one\n");
    writeFileSync(grown.file, "one\ntwo\n");
    expect(grown.open).toThrow("expected the 4 bytes that it had when the job began, found 8");
  });

  test("shrinks under the reader", async () => {
    const shrinks = await plan("a line of text\n".repeat(200_000));
    let lines = 0;
    const reading = eachRecord(shrinks.open(), () => {
      if (lines++ === 0) truncateSync(shrinks.file, 1_500_000);
    });
    await expect(reading).rejects.toThrow(
      "expected the 3000000 bytes that it had when the job began, found 1500000",
    );
  });
});
