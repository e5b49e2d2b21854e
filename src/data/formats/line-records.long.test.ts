import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { csv, defineJob, type Job, max, mean, ndjson, sum } from "../../job/index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

describe("formats of input", () => {
  test("ndjson is decoded, and blank lines are skipped", async () => {
    const rows = Array.from({ length: 500 }, (_, i) =>
      JSON.stringify({ town: `t${i % 7}`, age: i / 3 }),
    );
    const input = bench.inputs({ "a.jsonl": `${rows.join("\n\n")}\n` });
    const asRow = (value: unknown): { town: string; age: number } => {
      const { town, age } = value as { town: string; age: number };
      return { town, age };
    };
    const job = defineJob({
      input: ndjson(undefined, asRow),
      map: (row) => [[row.town, row.age]],
      reduce: mean(),
    });
    const { difference, parts } = await bench.run(job, input, {
      splitBytes: 700,
      memoryBytes: 300,
    });
    expect(difference).toEqual({ equal: true });
    expect(parts.join("").split("\n").length).toBe(8);
  });

  test("a column of CSV named __proto__ is kept, in each split and as a number", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i},c${i},${i * i}`);
    const content = `__proto__,constructor,a\n${rows.join("\n")}\n`;
    const input = bench.inputs({ "a.csv": content });
    for (const columns of [undefined, ["__proto__", "a"]] as const) {
      const job = defineJob({
        input: csv(undefined, columns && { columns }),
        map: (row) => [[JSON.stringify(row), 1]],
        output: ndjson(),
        reduce: sum(),
      });
      const { parts } = await bench.run(job, input, { splitBytes: 50, reduces: 1 });
      const first = columns === undefined ? ',"constructor":"c7"' : "";
      const row = JSON.stringify(`{"__proto__":"7"${first},"a":"49"}`);
      expect(parts.join("")).toContain(`[${row},1]`);
    }
    const numbers = Object.fromEntries([["__proto__", "number"] as const]);
    const typed = defineJob({
      input: csv(undefined, { columns: numbers }),
      map: (row) => [[JSON.stringify(row), 1]],
      reduce: sum(),
    });
    const { parts } = await bench.run(typed, input, { reduces: 1 });
    expect(parts.join("")).toContain('{"__proto__":7}\t1\n');
  });

  test("two CSV columns with one name are an error, unless neither is wanted", async () => {
    const input = bench.inputs({ "a.csv": `a,b,a,,\n${"1,2,3,4,5\n".repeat(40)}` });
    const job = (how: Parameters<typeof csv>[1]) =>
      defineJob({ input: csv(undefined, how), map: (row) => [[row.b ?? "", 1]], reduce: sum() });
    for (const columns of [undefined, ["b", "a"]]) {
      for (const splitBytes of [50, 1000]) {
        const run = bench.run(job(columns && { columns }), input, { splitBytes });
        await expect(run).rejects.toThrow(
          'a.csv:1: expected each column once, found two named "a"',
        );
      }
    }
    const { difference } = await bench.run(job({ columns: ["b"] }), input, { splitBytes: 50 });
    expect(difference).toEqual({ equal: true });
    const bare = bench.run(job({ columns: ["x", "b", "x"], header: false }), input);
    await expect(bare).rejects.toThrow('found two named "x"');
  });

  test("csv splits know whether they begin within a quoted field", async () => {
    const rows = Array.from(
      { length: 400 },
      (_, i) => `${i},"says ""${i}"",\r\nand\n\nmore, much more",${i % 2 ? "" : '"x"'}`,
    );
    const input = bench.inputs({ "a.csv": `\ufeffid,"te""xt",last\r\n${rows.join("\r\n")}\r\n` });
    const job = defineJob({
      input: csv(undefined, { columns: ["id", 'te"xt'] }),
      map: (row) => [[Number(row.id), row['te"xt']]],
      output: ndjson(),
      reduce: max<string>(),
    });
    for (const splitBytes of [37, 100, 1003, 1 << 20]) {
      const { difference, parts } = await bench.run(job, input, { splitBytes, reduces: 1 });
      expect(difference).toEqual({ equal: true });
      const lines = (parts[0] ?? "")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(lines.length).toBe(400);
      expect(lines[7]).toEqual([7, 'says "7",\r\nand\n\nmore, much more']);
    }
  });

  test("csv without a header gets its column names from the job", async () => {
    const input = bench.inputs({ "a.csv": "1;b\n2;c\n" });
    const job = defineJob({
      input: csv(undefined, { header: false, columns: ["n", "letter"], separator: ";" }),
      map: (row) => [[row.letter, Number(row.n)]],
      reduce: sum(),
    });
    expect((await bench.run(job, input, { reduces: 1 })).parts).toEqual(["b\t1\nc\t2\n"]);
  });

  test("a malformed record is an error with its file and line", async () => {
    const bad = async (name: string, content: string | Buffer, job: Job): Promise<string> => {
      const input = bench.inputs({ [name]: content });
      const error: unknown = await bench
        .run(job, input, { splitBytes: 8 })
        .catch((thrown) => thrown);
      return error instanceof Error ? error.message.replace(input, "") : "no error";
    };
    const map = (): [string, number][] => [];
    const json = defineJob({ input: ndjson(), map });
    const table = defineJob({ input: csv(undefined, { columns: ["b"] }), map });
    expect(await bad("a", "1\n[2]\n\n{]\n5", json)).toMatch(
      /^\/a:4: expected a line of JSON: .*, in "\{\]"$/,
    );
    expect(await bad("a", "a,b\n1,2\n3\n", table)).toBe('/a:3: expected 2 fields, found 1, in "3"');
    expect(await bad("a", 'a,b\n1,2\n3,"4\n5,6\n', table)).toBe(
      '/a:3: expected the end of a quoted field, in "3,\\"4\\n5,6"',
    );
    expect(await bad("a", 'a,b\n1,2"3"\n', table)).toMatch(
      "/a:2: expected quotes around a whole field",
    );
    expect(await bad("a", "a,c\n1,2\n", table)).toBe('/a:1: expected a column "b", found "a", "c"');
    const cut = gzipSync("hello\n".repeat(1000)).subarray(0, 30);
    expect(await bad("a.gz", cut, defineJob({ map }))).toMatch(
      "/a.gz: byte 30: expected a whole gzip",
    );
  });

  test("an error in user code names the record, and keeps the place in the code", async () => {
    const input = bench.inputs({ "a.txt": "one\ntwo\nthree\n" });
    const job = defineJob({
      map(line): [string, number][] {
        if (line === "two") throw new TypeError("no twos");
        return [];
      },
    });
    const error: unknown = await bench.run(job, input, { splitBytes: 2 }).catch((thrown) => thrown);
    expect(error).toMatchObject({ message: `${input}/a.txt:2: TypeError: no twos, in "two"` });
    expect(error instanceof Error && error.stack).toMatch(/records\.long\.test\.ts:\d+/);
  });

  test("a map's answer must be pairs, and a reduce's synchronous", async () => {
    const input = bench.inputs({ "a.txt": "one\n" });
    const wrong = async (answer: unknown): Promise<unknown> => {
      const job = defineJob({ map: () => [["a", 1]] as [string, number][], reduce: sum() });
      return bench.run({ ...job, map: () => answer as [] }, input).catch((error) => error.message);
    };
    expect(await wrong(["a"])).toMatch("expected pairs [key, value], found string");
    expect(await wrong("text")).toMatch("expected a generator, an array or nothing, found String");
    expect(await wrong(Promise.resolve([]))).toMatch("found Promise");
    expect(await wrong([[{}, 1]])).toMatch("key: expected a string, number");
    const reduce = (): [] => Promise.resolve([]) as unknown as [];
    const job = defineJob({ map: () => [["a", 1]] as [string, number][], reduce });
    await expect(bench.run(job, input)).rejects.toThrow('key "a": reduce: expected a generator');
  });

  test("values are read once", async () => {
    const job = defineJob({
      map: (line) => [[line, 1]],
      reduce: (line, ones) => [[line, [...ones].length, [...ones].length]],
    });
    await expect(bench.run(job, bench.inputs({ "a.txt": "one\n" }))).rejects.toThrow(
      "expected to be read once",
    );
  });
});

test("a gzip file of several members is read to its end", async () => {
  const job = defineJob({ map: (line) => [[line, 1]], reduce: sum() });
  const members = ["one\ntw", "o\nthree\n"].map((member) => gzipSync(member));
  const { parts } = await bench.run(job, bench.inputs({ "a.gz": Buffer.concat(members) }), {
    reduces: 1,
  });
  expect(parts).toEqual(["one\t1\nthree\t1\ntwo\t1\n"]);
});

test("an unclosed quote is not read into memory without limit", async () => {
  const rest = "3,4\n".repeat(600_000);
  const job = defineJob({ input: csv(), map: (row) => [[String(row.a), 1]], reduce: sum() });
  const input = bench.inputs({ "a.csv": `a,b\n1,"2\n${rest}` });
  await expect(bench.run(job, input, { splitBytes: 1 << 30 })).rejects.toThrow(
    "a.csv:2: expected the end of a quoted field within 2097152 bytes, in ",
  );
});

test("lines longer than a buffer or a split are whole", async () => {
  const long = `${"x".repeat(3 << 20)}\ny\n${"zé".repeat(1 << 20)}`;
  const job = defineJob({ map: (line) => [[line.slice(0, 2), line.length]], reduce: sum() });
  const { difference, parts } = await bench.run(job, bench.inputs({ "a.txt": long }), {
    splitBytes: 1 << 20,
    memoryBytes: 8 << 20,
    reduces: 1,
  });
  expect(difference).toEqual({ equal: true });
  expect(parts).toEqual([`xx\t${3 << 20}\ny\t1\nzé\t${2 << 20}\n`]);
});
