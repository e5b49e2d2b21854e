import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { csv } from "../../job/index.ts";
import { planSplits } from "../index.ts";
import { OPEN_BYTES_MAX } from "./csv-quotes.ts";
import { csvStarts } from "./csv-starts.ts";
import { openRecords } from "./formats.ts";
import { BadRecords } from "./malformed.ts";
import { eachRecord } from "./record-reader.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

type Csv = ReturnType<typeof csv>;

/** The records of all splits, and the skipped ones. */
async function read(content: string | Buffer, splitBytes: number, input: Csv = csv()) {
  const path = join(bench.root, "input.csv");
  writeFileSync(path, content);
  const plan = await planSplits({ input, paths: [path], from: "/", splitBytes });
  const bad = new BadRecords("skip");
  const records: unknown[] = [];
  for (const split of plan.splits) {
    await eachRecord(openRecords({ split, input, bad }), (record) => void records.push(record));
  }
  const { count, samples } = bad.counted();
  const places = samples.map(({ place }) => Number(place.slice(path.length + 1)));
  return { splits: plan.splits.length, records, count, places, samples };
}

const starts = (content: string, places: readonly number[], separator = ",") => {
  const path = join(bench.root, "starts.csv");
  writeFileSync(path, content);
  return csvStarts({ path, bytes: statSync(path).size }, places, separator);
};

describe("where the records of a CSV start", () => {
  test("line ends within quoted fields do not count", async () => {
    const content = 'a,b\n1,"x\ny"\n"""\n",2\n3,4';
    const places = Array.from({ length: content.length }, (_, at) => at);
    const found = [...new Set(await starts(content, places))];
    const lines = ["a,b\n", '1,"x\ny"\n', '"""\n",2\n', "3,4"];
    expect(found).toEqual([0, 4, 12, 20, content.length]);
    expect(lines.join("")).toBe(content);
  });

  test("a separator need not be ASCII, and a mark at the start is not in the record", async () => {
    expect(await starts('\ufeff"a\n"é"b"\n1é2\n', [0, 1, 9])).toEqual([0, 6, 13]);
    expect(await starts('\ufeff"a\n"é"b"\n1é2\n', [0, 1, 9], "é")).toEqual([0, 13, 13]);
  });

  test.each([
    ["quotes in a plain field", 'a,b\n1,2"3"\n4,5\n'],
    ["something behind a quoted field", 'a,b\n1,"2"3\n4,5\n'],
    ["an unclosed quote", 'a,b\n1,"2\n4,5\n'],
    ["a quote that another record's closes", 'a,b\n1,"2\n4,"5"\n'],
  ])("%s costs one line, not what follows", async (_, content) => {
    const expected = [{ a: "4", b: "5" }];
    for (const splitBytes of [3, 8, 100]) {
      expect(await read(content, splitBytes)).toMatchObject({ records: expected, places: [2] });
    }
  });

  test("an unclosed quote is given up where it becomes too long", async () => {
    const row = `1,${"x".repeat(1000)}\n`;
    const filler = row.repeat(OPEN_BYTES_MAX / 1000 + 10);
    const content = `a,b\n3,4\n5,"6\n${filler}`;
    const rows = filler.length / row.length + 1;
    for (const splitBytes of [1 << 19, 1 << 30]) {
      const found = await read(content, splitBytes);
      expect([found.records.length, found.count, found.places]).toEqual([rows, 1, [3]]);
      expect(found.samples[0]?.problem).toBe(
        `expected the end of a quoted field within ${OPEN_BYTES_MAX} bytes`,
      );
    }
    // The greatest length, and one byte more.
    for (const [more, count] of [
      ["", 0],
      ["x", 1],
    ] as const) {
      const field = `${"é".repeat(OPEN_BYTES_MAX / 2 - 2)}${more}\n`;
      const long = await read(`a,b\n1,"${field}"\n2,3\n`, 1 << 20);
      expect([long.count, long.records.at(-1)]).toEqual([count + count, { a: "2", b: "3" }]);
    }
  });

  test("any bytes, however they are cut, give the same records and complaints", async () => {
    const piece = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('"', '""', ",", "\n", 'x,"', '",', '"\n') },
      { weight: 3, arbitrary: fc.constantFrom("x", "é", "\r\n", "\r", "\xff", ";", "1,2\n") },
    );
    const input = csv(undefined, { header: false, columns: ["a", "b"] });
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (pieces, isMarked, splitBytes) => {
          const content = Buffer.from((isMarked ? "\xef\xbb\xbf" : "") + pieces.join(""), "latin1");
          const whole = await read(content, 1 << 20, input);
          const cut = await read(content, splitBytes, input);
          expect({ ...cut, splits: 1 }).toEqual({ ...whole, splits: 1 });
        },
      ),
      { numRuns: 150 },
    );
  });
});
