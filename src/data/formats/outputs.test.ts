import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench, PROSE } from "../../../test/support/data-path.ts";
import { csv, defineJob, ndjson, type Output, sum, text, tsv } from "../../job/index.ts";
import { PartWriter } from "../bytes/part-file.ts";
import { partName } from "../index.ts";
import { changedOutput } from "./output-change.ts";
import { recordText } from "./record-text.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

const written = (output: Output, ...records: unknown[]): string => {
  const { head, line, bytes } = recordText(output);
  return bytes(head + records.map(line).join("")).toString("latin1");
};

describe("output in CSV", () => {
  test("quotes fields that need quotes", () => {
    const records = [
      ["a", 1, null, undefined, true, 2n, -0],
      ['say "x"', "a,b", "c\nd", "\r"],
    ];
    expect(written(csv(), ...records)).toBe('a,1,,,true,2,-0\n"say ""x""","a,b","c\nd","\r"\n');
    expect(written(csv(undefined, { separator: ";" }), ["a;b", "c,d"])).toBe('"a;b";c,d\n');
    // An empty line would be skipped.
    expect(written(csv(), "", [null], "x")).toBe('""\n""\nx\n');
  });

  test("has a header if it has columns, and writes objects by them", () => {
    const output = csv(undefined, { columns: ["b", "a"] });
    expect(written(output, { a: 1, b: "x", c: 3 }, ["y", 2])).toBe("b,a\nx,1\ny,2\n");
    const bare = csv(undefined, { columns: ["b", "a"], header: false });
    expect(written(bare, { a: 1 })).toBe(",1\n");
    expect(() => written(output, ["one"])).toThrow("expected 2 fields, found 1");
    expect(() => written(csv(), { a: 1 })).toThrow("expected `columns`, since records are objects");
  });

  test("has one header if its parts become one file", async () => {
    const output = changedOutput(csv(undefined, { columns: ["word", "n"] }), { isOneFile: true });
    const input = bench.inputs({ a: "x\ny\nz\nx\n" });
    const job = defineJob({ map: (line) => [[line, 1]], reduce: sum(), output });
    const { files } = await bench.run(job, input);
    const all = files.map(({ path }) => readFileSync(path, "utf8")).join("");
    expect(all).toMatch(/^word,n\n/);
    expect(all.split("\n").slice(1, -1).sort()).toEqual(["x,2", "y,1", "z,1"]);
  });

  test("survives a round trip", async () => {
    const field = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", " ", "é") });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, field), { maxLength: 12 }), async (rows) => {
        const output = csv(undefined, { columns: ["x", "y"] });
        const input = bench.inputs({ "a.csv": Buffer.from(written(output, ...rows), "latin1") });
        const job = defineJob({
          input: csv(undefined, { columns: ["x", "y"] }),
          map: (row) => [[JSON.stringify(row), undefined]],
        });
        const { parts } = await bench.run(job, input, { splitBytes: 7 });
        const found = parts.join("").split("\n").slice(0, -1);
        expect(found).toEqual(rows.map(([x, y]) => JSON.stringify({ x, y })));
      }),
      { numRuns: 20 },
    );
  });
});

test("bytes are unchanged in text, and base64 in JSON", () => {
  const bytes = Uint8Array.of(0x61, 0xff, 0xc3, 0xa9);
  expect(written(tsv(), ["k", bytes])).toBe("k\ta\xff\xc3\xa9\n");
  expect(written(csv(), ["k", bytes])).toBe("k,a\xff\xc3\xa9\n");
  expect(written(text({ encoding: "latin1" }), ["é", bytes])).toBe("\xe9\ta\xff\xc3\xa9\n");
  expect(written(ndjson(), ["k", bytes])).toBe('["k","Yf/DqQ=="]\n');
  expect(() => written(text({ encoding: "latin1" }), "€")).toThrow(
    'expected latin1 text, up to U+00FF, found "€"',
  );
});

describe("TABs and line ends within text output", () => {
  const odd = ["a\tb", "c\nd", "e\rf", "g\\h", "i"];

  test("fail the job unless it says how to write them", () => {
    for (const mark of ["\t", "\n", "\r"]) {
      const found = JSON.stringify(`a${mark}b`);
      expect(() => written(tsv(), ["key", `a${mark}b`])).toThrow(
        `expected a column without TAB and line end, found ${found}: tsv(path, { escape: true })`,
      );
    }
    expect(() => written(tsv(), { x: 1 }, "a\nb")).toThrow("expected a line without a line end");
    expect(() => written(tsv(), ["a\nb"])).toThrow("expected a line without a line end");
    // A line may have TABs; objects are JSON, which has its own escapes.
    expect(written(tsv(), "a\tb", ["a\tb", undefined], ["k", { x: "\t" }])).toBe(
      'a\tb\na\tb\nk\t{"x":"\\t"}\n',
    );
  });

  test("are written as escapes if requested, and survive a round trip", () => {
    const line = written(tsv(undefined, { escape: true }), odd);
    expect(line).toBe("a\\tb\tc\\nd\te\\rf\tg\\\\h\ti\n");
    const of: Record<string, string> = { t: "\t", n: "\n", r: "\r", "\\": "\\" };
    const back = line
      .slice(0, -1)
      .split("\t")
      .map((column) => column.replace(/\\(.)/g, (_, char) => of[char] ?? ""));
    expect(back).toEqual(odd);
    expect(written(tsv(undefined, { escape: true }), "a\tb")).toBe("a\\tb\n");
  });

  test("are written as they are by text()", () => {
    expect(written(text(), odd)).toBe("a\tb\tc\nd\te\rf\tg\\h\ti\n");
    expect(written(changedOutput(tsv(), { format: "text" }), odd)).toBe(written(text(), odd));
    expect(() => written(changedOutput(text(), { format: "tsv" }), odd)).toThrow("without TAB");
    const escaped = tsv(undefined, { escape: true });
    expect(changedOutput(escaped, { format: "tsv" })).toEqual(escaped);
  });

  test("are noticed if kernels write the lines", async () => {
    const input = bench.inputs({ a: "a\tb\na\tb\nc\n" });
    const lines = (output: Output) =>
      defineJob({ map: (line) => [[line, 1]], reduce: sum(), output });
    await expect(bench.run(lines(tsv()), input)).rejects.toThrow('found "a\\tb"');
    for (const output of [text(), tsv(undefined, { escape: true })]) {
      const { difference, parts } = await bench.run(lines(output), input);
      expect(difference).toEqual({ equal: true });
      const first = output.format.kind === "text" && output.format.marks ? "a\\tb" : "a\tb";
      expect(parts.join("").split("\n").sort()).toEqual(["", `${first}\t2`, "c\t1"]);
    }
  });
});

test("numbers that JSON does not have are refused, at any depth", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, JSON.parse("-1e400")]) {
    for (const record of [value, { x: value }, [1, [value]]]) {
      expect(() => written(ndjson(), record)).toThrow(`found ${value}, which JSON lacks`);
    }
    expect(() => written(tsv(), ["k", { x: value }])).toThrow(`found ${value}, which JSON lacks`);
    expect(written(tsv(), ["k", value])).toBe(`k\t${value}\n`);
  }
});

describe("values without a form in text or JSON", () => {
  const round: { self?: unknown } = {};
  round.self = round;

  test.each([
    ["a promise", Promise.resolve(1), "found Promise"],
    ["a map, which would be {}", new Map([["a", 1]]), "found Map"],
    ["a function", () => 1, "found Function"],
    ["a symbol", Symbol("s"), "found Symbol"],
    [
      "an object that holds itself",
      round,
      "found a value that JSON cannot express: Converting circular",
    ],
  ])("is refused, not written as something else: %s", (_, value, says) => {
    for (const output of [tsv(), ndjson(), csv()]) {
      expect(() => written(output, ["key", value])).toThrow(says);
    }
    expect(() => written(ndjson(), { in: { it: value } })).toThrow(says);
  });

  test("dates and a user's own objects are written as in JSON", () => {
    class Point {
      x = 1;
    }
    expect(written(ndjson(), [new Date(0), new Point()])).toBe(
      '["1970-01-01T00:00:00.000Z",{"x":1}]\n',
    );
    expect(written(ndjson(), {}, Object.create(null))).toBe("{}\n{}\n");
  });
});

describe("compressed output", () => {
  const job = (output: Output) => defineJob({ map: (line) => [[line, 1]], reduce: sum(), output });

  test.each([tsv, ndjson, text])("equals the uncompressed output", async (format) => {
    const input = bench.inputs({ a: PROSE });
    const plain = await bench.run(job(format()), input);
    const found = await bench.run(job(format(undefined, { compress: "gzip" })), input);
    expect(found.difference).toEqual({ equal: true });
    expect(found.files.map(({ path }) => gunzipSync(readFileSync(path)).toString())).toEqual(
      plain.parts,
    );
    expect(found.files.map(({ path }) => path.slice(-13))).toEqual(
      [0, 1, 2]
        .map((i) => partName(i, { compress: "gzip" }))
        .map((name) => name.padStart(13, "/").slice(-13)),
    );
    for (const { path, bytes } of found.files) expect(readFileSync(path).length).toBe(bytes);
  });

  test("is the same file however its lines arrive", () => {
    const lines = Buffer.from(`${PROSE}\n`.repeat(40));
    const write = (name: string, pieces: readonly Buffer[]): string => {
      const path = join(bench.root, name);
      const writer = new PartWriter(path, text({ compress: "gzip" }));
      for (const piece of pieces) writer.writeLines(piece, 0, piece.length, 1);
      const { checksum } = writer.finish();
      writer.close();
      expect(gunzipSync(readFileSync(path)).equals(lines)).toBe(true);
      return checksum;
    };
    const halves = [lines.subarray(0, 1_234_567), lines.subarray(1_234_567)];
    expect(lines.length).toBeGreaterThan(1 << 20);
    expect(write("halves", halves)).toBe(write("whole", [lines]));
  });

  test("is read by gzip itself, empty or large", async () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => `line ${i} ${(i * 7919) % 10_007}`);
    for (const content of ["", `${lines.join("\n")}\n`]) {
      const copy = defineJob({
        map: (line) => [[line, undefined]],
        output: text({ compress: "gzip" }),
      });
      const { files } = await bench.run(copy, bench.inputs({ a: content }), {
        splitBytes: 1 << 30,
      });
      const path = files[0]?.path ?? expect.fail();
      expect(path).toMatch(/part-00000\.gz$/);
      expect(execFileSync("gzip", ["-dc", path], { maxBuffer: 1 << 24 }).toString()).toBe(content);
    }
  });
});
