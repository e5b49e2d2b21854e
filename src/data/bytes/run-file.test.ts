import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { ByteWriter } from "../../job/byte-writer.ts";
import { decodeKey, encodeKey, type Key } from "../../job/index.ts";
import { isIntact } from "./checksum.ts";
import { fetchSegment } from "./fetch.ts";
import { FetchError } from "./fetch-error.ts";
import { RunFileError } from "./run-format.ts";
import { RunReader } from "./run-reader.ts";
import { type RunWriter, type WrittenRun, writeRun } from "./run-writer.ts";
import { readValue, writeValue } from "./value-bytes.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-run-"));
afterAll(() => rmSync(root, { recursive: true }));
const path = join(root, "a.run");
const to = join(root, "b.run");

type Pair = readonly [Key, unknown];

function write(partitions: readonly (readonly Pair[])[], compress = false): WrittenRun {
  const fill = (writer: RunWriter): void => {
    for (const pairs of partitions) {
      for (const [one, other] of pairs) {
        const [key, value] = [new ByteWriter(), new ByteWriter()];
        key.append(encodeKey(one));
        writeValue(value, other);
        writer.writeApart({ key, value });
      }
      writer.endPartition();
    }
  };
  return writeRun(path, fill, { compress });
}

function read(file: string, partition: number): readonly Pair[] {
  const reader = new RunReader(file);
  const cursor = reader.cursor(partition);
  const pairs: Pair[] = [];
  while (cursor.advance()) {
    const { bytes, keyStart, keyEnd, end } = cursor;
    pairs.push([
      decodeKey(bytes.subarray(keyStart, keyEnd)),
      readValue({ bytes, at: keyEnd, end }),
    ]);
  }
  reader.close();
  return pairs;
}

/** The file with one flipped bit. */
function flip(byte: number): void {
  const bytes = readFileSync(path);
  bytes[byte] = (bytes[byte] ?? 0) ^ 0x10;
  writeFileSync(path, bytes);
}

const many: readonly Pair[] = Array.from({ length: 5000 }, (_, i) => [i, "x".repeat(i % 100)]);
const huge: readonly Pair[] = [
  ["huge", "y".repeat(300_000)],
  ["small", 1],
];

/** Whether a reader gets every record, and no error. */
function isReadable(): boolean {
  try {
    for (const partition of [0, 1, 2]) read(path, partition);
    return true;
  } catch (error) {
    if (error instanceof RunFileError) return false;
    throw error;
  }
}

describe("a run file", () => {
  let written: WrittenRun;
  beforeEach(() => {
    written = write([many, [], huge]);
  });

  test("returns its records by partition, also a record larger than a block", () => {
    expect(read(path, 0)).toEqual(many);
    expect(read(path, 1)).toEqual([]);
    expect(read(path, 2)).toEqual(huge);
  });

  test("gives each partition's length and content", () => {
    const reader = new RunReader(path);
    expect(reader.segments.map(({ records }) => records)).toEqual([5000, 0, 2]);
    expect(reader.segments[1]).toMatchObject({ bytes: 0, start: reader.segments[0]?.bytes });
    reader.close();
  });

  test("is refused if any single bit is flipped, by each of its checksums", () => {
    const { checksum } = written;
    expect([isReadable(), isIntact({ path, checksum })]).toEqual([true, true]);
    const { size } = statSync(path);
    for (let byte = 0; byte < size; byte += byte < 20 || byte > size - 100 ? 1 : 4999) {
      flip(byte);
      expect([byte, isReadable(), isIntact({ path, checksum })]).toEqual([byte, false, false]);
      flip(byte);
    }
    expect([isReadable(), isIntact({ path, checksum })]).toEqual([true, true]);
  });

  test("has the same content if compressed, in fewer bytes, and gives its plain size", () => {
    const plain = new RunReader(path);
    const { bytes } = written;
    written = write([many, [], huge], true);
    expect(written.bytes).toBeLessThan(bytes / 2);
    expect([read(path, 0), read(path, 1), read(path, 2)]).toEqual([many, [], huge]);
    const deflated = new RunReader(path);
    const blocks = (reader: RunReader) => reader.segments.map((one) => one.blockBytesMax);
    expect(blocks(deflated)).toEqual(blocks(plain));
    for (const reader of [plain, deflated]) reader.close();
    for (let byte = 0; byte < written.bytes; byte += 997) {
      flip(byte);
      expect([byte, isReadable()]).toEqual([byte, false]);
      flip(byte);
    }
    expect(fetchSegment({ map: 7, path, partition: 2, to, compress: true }).records).toBe(2);
    expect(read(to, 0)).toEqual(huge);
  });

  test("has the checksum that other programs compute", () => {
    const { bytes, checksum } = written;
    const file = readFileSync(path);
    expect(bytes).toBe(file.length);
    expect(checksum).toBe(`crc32:${crc32(file).toString(16).padStart(8, "0")}`);
  });

  test("is refused if cut short, empty or missing", () => {
    truncateSync(path, statSync(path).size - 1);
    expect(() => read(path, 0)).toThrow(RunFileError);
    truncateSync(path, 0);
    expect(() => read(path, 0)).toThrow("is not a whole run file");
    rmSync(path);
    expect(isIntact({ path, checksum: written.checksum })).toBe(false);
  });
});

describe("a fetch", () => {
  beforeEach(() => write([many, [], huge]));
  const fetch = (partition: number) => fetchSegment({ map: 7, path, partition, to });

  test("copies one partition", () => {
    expect(fetch(2)).toMatchObject({ records: 2 });
    expect(read(to, 0)).toEqual(huge);
    expect(fetch(1)).toMatchObject({ records: 0 });
    expect(read(to, 0)).toEqual([]);
  });

  test("of a damaged output names the map, and leaves nothing behind", () => {
    flip(70_000);
    expect(() => fetch(0)).toThrow(FetchError);
    expect(() => fetch(0)).toThrow(
      /^output of map 7: .*a\.run: the checksum of the block at \d+ does/,
    );
    expect(() => statSync(to)).toThrow("ENOENT");
    expect(fetch(2)).toMatchObject({ records: 2 });
    rmSync(path);
    expect(() => fetch(2)).toThrow(/^output of map 7: .*ENOENT/);
  });

  test("that cannot write does not blame the output", () => {
    const there = join(root, "no", "such");
    expect(() => fetchSegment({ map: 7, path, partition: 0, to: there })).not.toThrow(FetchError);
    expect(() => fetchSegment({ map: 7, path, partition: 0, to: there })).toThrow("ENOENT");
  });
});
