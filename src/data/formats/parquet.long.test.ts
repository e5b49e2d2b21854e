import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputFile } from "./input-file.ts";
import { BadRecords, type OnBadRecord } from "./malformed.ts";
import { codecsFor } from "./parquet-codecs.ts";
import { loadHyparquet } from "./parquet-file.ts";
import { type ParquetFormat, ParquetRecords } from "./parquet-records.ts";
import { parquetStarts } from "./parquet-splits.ts";
import { eachRecord } from "./record-reader.ts";

const directory = mkdtempSync(join(tmpdir(), "broomwagon-parquet-"));
afterAll(() => rmSync(directory, { recursive: true }));

const ROWS = 10_000;
const ROWS_OF_GROUP = 2048;

/** Written by another program: rows of every kind of value, including nulls. */
async function write(codec: string, rows = ROWS_OF_GROUP + 100): Promise<string> {
  const file = join(directory, `${codec}-${rows}.parquet`);
  const duckdb = await (await DuckDBInstance.create()).connect();
  await duckdb.run(`COPY (
    SELECT i AS id, 'name ' || (i % 7) AS name, i / 4.0::DOUBLE AS share, i % 3 = 0 AS third,
      CASE WHEN i % 5 = 0 THEN NULL ELSE (i * i)::INTEGER END AS square, [i, i + 1] AS both,
      {'x': i, 'y': 'p' || i} AS point
    FROM range(${rows}) rows(i)
  ) TO '${file}' (FORMAT parquet, CODEC '${codec}', ROW_GROUP_SIZE ${ROWS_OF_GROUP})`);
  duckdb.closeSync();
  return file;
}

async function read(query: {
  readonly file: string;
  readonly format?: ParquetFormat;
  readonly splitBytes?: number;
  readonly on?: OnBadRecord;
}) {
  const { file, format = {}, splitBytes = 1, on = "fail" } = query;
  const fileBytes = statSync(file).size;
  const starts = await parquetStarts({
    file: { path: file, bytes: fileBytes },
    splitBytes,
    onBadRecord: on,
  });
  const bad = new BadRecords(on);
  const splits: unknown[][] = [];
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? fileBytes;
    const split = { index, file, fileBytes, start, end };
    const rows: unknown[] = [];
    const reader = new ParquetRecords({ split: { ...split, compression: "none" }, format, bad });
    await eachRecord(reader, (row) => void rows.push(row));
    splits.push(rows);
  }
  return { splits, rows: splits.flat(), bad: bad.counted() };
}

/** The same as `toEqual`, which takes a millisecond even without a difference. */
function expectEqual(found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted);
}

let file = "";
beforeAll(async () => {
  file = await write("zstd", ROWS);
});

describe("Parquet", () => {
  test.each(["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4_raw"])(
    "in %s gives its rows",
    async (codec) => {
      const { rows } = await read({ file: await write(codec) });
      expect(rows.length).toBe(2148);
      expect(rows[0]).toEqual({
        id: 0n,
        name: "name 0",
        share: 0,
        third: true,
        square: null,
        both: [0n, 1n],
        point: { x: 0n, y: "p0" },
      });
      expect(rows[2147]).toMatchObject({ id: 2147n, name: "name 5", square: 2147 ** 2 });
    },
  );

  test("is split at its row groups, and gives only the wanted columns", async () => {
    const format = { columns: ["square", "id"] };
    const { splits, rows } = await read({ file, format });
    expect(splits.map(({ length }) => length)).toEqual([2048, 2048, 2048, 2048, 1808]);
    expect(rows.length).toBe(ROWS);
    expect(rows[4099]).toEqual({ square: 4099 ** 2, id: 4099n });
    const whole = await read({ file, format, splitBytes: 1 << 30 });
    expect(whole.splits.map(({ length }) => length)).toEqual([ROWS]);
    expect(whole.rows).toEqual(rows);
    const some = await read({ file, format, splitBytes: statSync(file).size / 2 });
    expect(some.splits.map(({ length }) => length)).toEqual([4096, 4096, 1808]);
    expect(some.rows).toEqual(rows);
  });

  test("large row groups are read some rows at a time", async () => {
    const wide = join(directory, "wide.parquet");
    const duckdb = await (await DuckDBInstance.create()).connect();
    await duckdb.run(`COPY (
      SELECT i AS id, repeat('x' || i, 400) AS filler, [i, i * 2] AS both FROM range(5000) rows(i)
    ) TO '${wide}' (FORMAT parquet, CODEC 'zstd', ROW_GROUP_SIZE 20480)`);
    duckdb.closeSync();
    const { splits, rows } = await read({ file: wide });
    expect(splits.length).toBe(1);
    expect(rows.length).toBe(5_000);
    for (const [i, row] of rows.entries()) {
      const filler = `x${i}`.repeat(400);
      expectEqual(row, { id: BigInt(i), filler, both: [BigInt(i), BigInt(2 * i)] });
    }
  });

  test("nested columns agree with DuckDB, also in pieces of a row group", async () => {
    const nested = join(directory, "nested.parquet");
    const rowsOf = `SELECT i AS id,
      repeat('filler ' || i, 300) AS filler,
      CASE WHEN i % 7 = 0 THEN NULL ELSE list_transform(range(i % 4), x -> x * i) END AS numbers,
      list_transform(range(i % 3), x -> {'x': x, 'tags': list_transform(range(x), t -> 't' || t)})
        AS points,
      CASE WHEN i % 5 = 0 THEN NULL ELSE
        {'a': CASE WHEN i % 3 = 0 THEN NULL ELSE {'b': [i, NULL], 'c': NULL::INTEGER} END} END
        AS deep,
      [NULL, {'x': CASE WHEN i % 2 = 0 THEN NULL ELSE [i] END}] AS holes,
      [[i], [], NULL, [i, i + 1]] AS lists
      FROM range(2600) rows(i)`;
    const duckdb = await (await DuckDBInstance.create()).connect();
    await duckdb.run(`COPY (${rowsOf}) TO '${nested}'
      (FORMAT parquet, CODEC 'lz4_raw', ROW_GROUP_SIZE 6144)`);
    const told = await duckdb.runAndReadAll(`SELECT to_json(r)::VARCHAR FROM (${rowsOf}) r`);
    const expected = told.getRows().map(([json]) => JSON.parse(String(json)));
    duckdb.closeSync();
    const { splits, rows } = await read({ file: nested });
    expect(splits.length).toBe(1);
    const plain = (row: unknown): unknown =>
      JSON.parse(
        JSON.stringify(row, (_, value) => (typeof value === "bigint" ? Number(value) : value)),
      );
    for (const [i, row] of rows.entries()) expectEqual(plain(row), expected[i]);
    expect(rows.length).toBe(2600);
  });

  test("LZ4 needs its own package, which the error names", async () => {
    const path = await write("lz4_raw");
    const stored = new InputFile({ path, bytes: statSync(path).size });
    const metadata = await (await loadHyparquet()).parquetMetadataAsync({
      byteLength: stored.bytes,
      slice: (start, end = stored.bytes) => stored.slice(start, end).buffer,
    });
    const absent = () => import(String("hyparquet-compressors-is-not-here"));
    await expect(codecsFor(stored, metadata, absent)).rejects.toThrow(
      `${path}: expected Parquet compressed by one of UNCOMPRESSED, SNAPPY, GZIP, BROTLI, ZSTD, ` +
        'found LZ4_RAW in column "id"; to read it, install the package hyparquet-compressors',
    );
    stored.close();
  });

  test("texts that are not UTF-8 stay distinct", async () => {
    const odd = join(directory, "odd.parquet");
    const duckdb = await (await DuckDBInstance.create()).connect();
    await duckdb.run(`COPY (SELECT 'aXb' AS t) TO '${odd}' (FORMAT parquet, CODEC 'uncompressed')`);
    duckdb.closeSync();
    const bytes = readFileSync(odd);
    for (let at = bytes.indexOf("aXb"); at >= 0; at = bytes.indexOf("aXb", at))
      bytes[at + 1] = 0xff;
    writeFileSync(odd, bytes);
    expect((await read({ file: odd })).rows).toEqual([{ t: "a\udcffb" }]);
  });

  test("a missing column is reported with the existing ones", async () => {
    await expect(read({ file, format: { columns: ["age"] } })).rejects.toThrow(
      'expected a column "age", found id, name, share, third, square, both, point',
    );
  });

  test("damage is reported with its byte, or counted", async () => {
    const damaged = join(directory, "damaged.parquet");
    const bytes = readFileSync(file);
    const [, second = 0] = await parquetStarts({
      file: { path: file, bytes: bytes.length },
      splitBytes: 1,
      onBadRecord: "fail",
    });
    bytes.fill(0xa5, second, second + 3000);
    writeFileSync(damaged, bytes);
    await expect(read({ file: damaged })).rejects.toThrow(
      `${damaged}: byte ${second}: expected a whole Parquet file: `,
    );
    const { rows, bad } = await read({ file: damaged, on: "skip" });
    expect(rows.length).toBe(ROWS - 2048);
    expect(bad.count).toBe(1);
    expect(bad.samples[0]?.place).toBe(`${damaged}: byte ${second}`);

    const cut = join(directory, "cut.parquet");
    writeFileSync(cut, bytes.subarray(0, 5000));
    await expect(read({ file: cut })).rejects.toThrow("expected a whole Parquet file: ");
    expect(await read({ file: cut, on: "skip" })).toMatchObject({ rows: [], bad: { count: 1 } });
  });

  test("a package that is not installed is named", async () => {
    await expect(loadHyparquet("hyparquet-is-not-here")).rejects.toThrow(
      "to read Parquet, install the package hyparquet-is-not-here: npm install hyparquet-is-not",
    );
  });
});
