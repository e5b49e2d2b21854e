import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { csv, type Input, ndjson } from "../../job/index.ts";
import { planSplits } from "../index.ts";
import { openRecords } from "./formats.ts";
import { BadRecords } from "./malformed.ts";
import { eachRecord } from "./record-reader.ts";

/** Another program reads the same files. */
const bench = new DataPathBench();
let duckdb: DuckDBConnection;
beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create()).connect();
});
afterAll(() => {
  duckdb.closeSync();
  bench.remove();
});

async function ours(input: Input<unknown>, path: string, splitBytes: number) {
  const { splits } = await planSplits({ input, paths: [path], from: "/", splitBytes });
  const records: unknown[] = [];
  for (const split of splits) {
    const bad = new BadRecords("fail");
    await eachRecord(openRecords({ split, input, bad }), (record) => void records.push(record));
  }
  return records;
}

async function theirs(sql: string): Promise<readonly Record<string, unknown>[]> {
  return (await duckdb.runAndReadAll(sql)).getRowObjects();
}

/** In members or frames of these sizes. */
function stored(content: string, by: ".gz" | ".zst" | "", sizes: readonly number[]): Buffer {
  const bytes = Buffer.from(content);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    if (at < bytes.length) pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  const zstd = (input: Buffer): Buffer => execFileSync("zstd", ["-c", "-q"], { input });
  const gzip = (input: Buffer): Buffer => gzipSync(input);
  const compress = by === ".gz" ? gzip : zstd;
  return by === "" ? bytes : Buffer.concat((pieces.length > 0 ? pieces : [bytes]).map(compress));
}

const file = (ending: string, content: Buffer): string => {
  const path = join(bench.root, `input${ending}`);
  writeFileSync(path, content);
  return path;
};

const compression = fc.constantFrom("", "", "", ".gz", ".zst") as fc.Arbitrary<"" | ".gz" | ".zst">;
const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 });
const splitBytes = fc.integer({ min: 1, max: 200 });

describe("DuckDB reads the same file in the same way", () => {
  test("CSV", async () => {
    const piece = fc.constantFrom("a", "b c", "é", '"', ",", ";", "\n", "1", " ", "'", "\t");
    const field = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
    const cell = fc.record({ text: field, isQuoted: fc.boolean() });
    const written = ({ text, isQuoted }: { text: string; isQuoted: boolean }): string =>
      isQuoted || /[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const end = fc.constantFrom("\n", "\r\n");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell), { maxLength: 25 }),
        fc.record({ end, separator: fc.constantFrom(",", ";"), compression, sizes, splitBytes }),
        fc.boolean(),
        async (rows, how, isOpen) => {
          const lines = [["a", "b", "c"], ...rows.map((cells) => cells.map(written))];
          const text = lines.map((cells) => cells.join(how.separator)).join(how.end);
          const content = isOpen ? text : text + how.end;
          const path = file(`.csv${how.compression}`, stored(content, how.compression, how.sizes));
          const input: Input<unknown> = csv(undefined, { separator: how.separator });
          const expected = await theirs(
            `SELECT * FROM read_csv('${path}', header = true, auto_detect = false, nullstr = 'NUL',
              delim = '${how.separator}', quote = '"', escape = '"', strict_mode = true,
              columns = {'a': 'VARCHAR', 'b': 'VARCHAR', 'c': 'VARCHAR'})`,
          );
          expect(await ours(input, path, how.splitBytes), JSON.stringify(content)).toEqual(
            expected,
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test("lines of JSON", async () => {
    const value = fc.jsonValue({ maxDepth: 2, noUnicodeString: false });
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 20 }),
        fc.record({ compression, sizes, splitBytes }),
        async (values, how) => {
          const content = values.map((v) => `${JSON.stringify({ v })}\n`).join("");
          const path = file(
            `.ndjson${how.compression}`,
            stored(content, how.compression, how.sizes),
          );
          const rows = await theirs(
            `SELECT json::VARCHAR AS json FROM read_json('${path}', format = 'newline_delimited',
              records = false, columns = {'json': 'JSON'})`,
          );
          const expected = rows.map(({ json }) => JSON.parse(String(json)));
          expect(await ours(ndjson(), path, how.splitBytes)).toEqual(expected);
        },
      ),
      { numRuns: 20 },
    );
  });
});
