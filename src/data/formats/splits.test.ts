import { mkdirSync, renameSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { count, defineJob, text, words } from "../../job/index.ts";
import { programOf } from "../../job/program-of.ts";
import { defaultReduces, planSplits, runNarrow } from "../index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

describe("splits", () => {
  const sizes = async (input: string, splitBytes: number): Promise<readonly string[]> => {
    const query = { input: text(), paths: [input], from: bench.root, splitBytes };
    return (await planSplits(query)).splits.map(
      ({ file, start, end, index }) => `${index} ${file.slice(input.length + 1)} ${start}-${end}`,
    );
  };

  test("are cut at fixed places, the last a tenth longer at most, if not compressed", async () => {
    const input = bench.inputs({
      b: "x".repeat(205),
      a: "x".repeat(111),
      "c.gz": gzipSync("x"),
      d: "",
    });
    expect(await sizes(input, 100)).toEqual([
      "0 a 0-100",
      "1 a 100-111",
      "2 b 0-100",
      "3 b 100-205",
      "4 c.gz 0-21",
    ]);
  });

  test("skip names that start with _ or .", async () => {
    const input = bench.inputs({ _SUCCESS: "x", ".hidden": "x", a: "x" });
    expect(await sizes(input, 100)).toEqual(["0 a 0-1"]);
  });

  test("of globs come sorted and once", async () => {
    const input = bench.inputs({ "b.txt": "x", "a.txt": "x", "c.log": "x", "_d.txt": "x" });
    mkdirSync(join(input, "sub"));
    writeFileSync(join(input, "sub", "e.txt"), "x");
    const found = async (pattern: string): Promise<readonly string[]> => {
      const { splits } = await planSplits({ input: text(pattern), from: input });
      return splits.map(({ file }) => file.slice(input.length + 1));
    };
    expect(await found("*.txt")).toEqual(["a.txt", "b.txt"]);
    expect(await found("**/*.txt")).toEqual(["a.txt", "b.txt", "sub/e.txt"]);
    expect(await found("**")).toEqual(["a.txt", "b.txt", "c.log", "sub/e.txt"]);
    expect(await found("{a,b}.*")).toEqual(["a.txt", "b.txt"]);
    expect(await found("[!a].???")).toEqual(["b.txt", "c.log"]);
    expect(await found("_*")).toEqual(["_d.txt"]);
    expect(await found(".")).toEqual(["a.txt", "b.txt", "c.log", "sub/e.txt"]);
    await expect(found("*.md")).rejects.toThrow("input *.md: no such file");
  });

  test("of a file that has changed since are refused", async () => {
    const input = bench.inputs({ "a.txt": "one\n" });
    const plan = await planSplits({ input: text(), paths: [input], from: bench.root });
    const [split] = plan.splits;
    writeFileSync(join(input, "a.txt"), "one\ntwo\n");
    const to = join(bench.directory(), "part");
    const program = programOf(defineJob({ map: () => [] }));
    const about = { program, phase: 0, params: {}, task: 0, attempt: 0, partitions: 0, tables: [] };
    const source = { kind: "split", split: split ?? expect.fail() } as const;
    const task = { ...about, directory: bench.directory(), to, source };
    await expect(runNarrow(task)).rejects.toThrow(
      "expected the 4 bytes that it had when the job began, found 8",
    );
  });

  describe("of a file that has changed in place", () => {
    const kinds = {
      "by lines of one's own": {
        program: programOf(
          defineJob({ map: (line: string) => [[line.length, 1]], reduce: count() }),
        ),
        name: "a.txt",
      },
      "by kernels": {
        program: programOf(defineJob({ map: words(), reduce: count() })),
        name: "a.txt",
      },
      compressed: {
        program: programOf(
          defineJob({ map: (line: string) => [[line.length, 1]], reduce: count() }),
        ),
        name: "a.gz",
      },
    };

    const SECONDS = 1_700_000_000;

    test.each(Object.entries(kinds))("are refused, read %s", async (_, { program, name }) => {
      const content = (text: string) => (name === "a.gz" ? gzipSync(text) : text);
      const file = join(bench.inputs({ [name]: content("one\n") }), name);
      utimesSync(file, SECONDS, SECONDS);
      const plan = await planSplits({ input: text(), paths: [file], from: bench.root });
      const [split = expect.fail()] = plan.splits;
      const map = () => {
        const about = { program, phase: 0, params: {}, task: 0, attempt: 0, partitions: 1 };
        const places = { directory: bench.directory(), to: join(bench.directory(), "output") };
        return runNarrow({ ...about, ...places, tables: [], source: { kind: "split", split } });
      };
      await map();
      // The map runs again because its output was lost.
      writeFileSync(file, content("two\n"));
      utimesSync(file, SECONDS + 1, SECONDS + 1);
      const expected = "expected the file as it was when the job began";
      const before = `${file}: ${expected}, found it modified since`;
      const times = "(2023-11-14T22:13:20.000000000Z then, 2023-11-14T22:13:21.000000000Z now)";
      await expect(map()).rejects.toThrow(`${before} ${times}`);
      // Another file in its place, of the same age.
      const other = join(bench.inputs({ [name]: content("two\n") }), name);
      utimesSync(other, SECONDS, SECONDS);
      renameSync(other, file);
      await expect(map()).rejects.toThrow(
        /expected the file that was there when the job began, found another in its place \(inode/,
      );
    });

    test("are refused after they have been read, whatever the result", async () => {
      const file = join(bench.inputs({ "a.txt": "one\ntwo\n" }), "a.txt");
      utimesSync(file, SECONDS, SECONDS);
      const plan = await planSplits({ input: text(), paths: [file], from: bench.root });
      const [split = expect.fail()] = plan.splits;
      for (const fails of [false, true]) {
        utimesSync(file, SECONDS, SECONDS);
        const program = programOf(
          defineJob({
            map: (line: string) => {
              utimesSync(file, SECONDS + 1, SECONDS + 1);
              if (fails) throw new Error("an unexpected record");
              return [[line, 1]];
            },
            reduce: count(),
          }),
        );
        const about = { program, phase: 0, params: {}, task: 0, attempt: 0, partitions: 1 };
        const places = { directory: bench.directory(), to: join(bench.directory(), "output") };
        const source = { kind: "split", split } as const;
        const task = runNarrow({ ...about, ...places, tables: [], source });
        await expect(task).rejects.toThrow("found it modified since");
      }
    });
  });

  test("are a quarter of the input, 4 MB to 64 MB, of large ones up to 128 MB", async () => {
    const megabyte = 2 ** 20;
    const counts = async (...sizes: readonly number[]): Promise<readonly number[]> => {
      const directory = bench.directory();
      for (const [i, size] of sizes.entries()) {
        writeFileSync(join(directory, `f${i}`), "");
        truncateSync(join(directory, `f${i}`), size);
      }
      const { splits } = await planSplits({ input: text(), paths: [directory], from: "/" });
      return sizes.map((_, i) => splits.filter(({ file }) => file.endsWith(`f${i}`)).length);
    };
    expect(await counts(1000)).toEqual([1]);
    expect(await counts(9 * megabyte)).toEqual([3]);
    expect(await counts(100 * megabyte)).toEqual([4]);
    expect(await counts(500 * megabyte)).toEqual([8]);
    expect(await counts(1024 * megabyte)).toEqual([8]);
    expect(await counts(4096 * megabyte)).toEqual([32]);
    expect(await counts(90 * megabyte, 10 * megabyte)).toEqual([4, 1]);
  });

  test("give one reduce for each 64 MB, 1 to 64", () => {
    const megabyte = 2 ** 20;
    expect([0, 1, 64 * megabyte, 64 * megabyte + 1, 2 ** 40].map(defaultReduces)).toEqual([
      1, 1, 1, 2, 64,
    ]);
  });
});
