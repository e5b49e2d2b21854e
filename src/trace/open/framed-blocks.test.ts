import { describe, expect, test } from "vitest";
import { FramedBlocks } from "./framed-blocks.ts";
import { decodeLZ4 } from "./lz4.ts";
import { decodeSnappy } from "./snappy.ts";
import { xxh32 } from "./xxh32.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** "abcabcabcabcabc!": three literals, a copy that overlaps itself, a literal. */
const REPEATED = "abcabcabcabcabc!";
const LZ4_REPEATED = [0x38, ...bytesOf("abc"), 3, 0, 0x10, ...bytesOf("!")];
const SNAPPY_REPEATED = [16, 2 << 2, ...bytesOf("abc"), (11 << 2) | 2, 3, 0, 0, 0x21];

describe("a block", () => {
  test("of LZ4 gives literals and copies that overlap themselves", () => {
    expect(textOf(decodeLZ4(Uint8Array.from(LZ4_REPEATED), 16))).toBe(REPEATED);
  });

  test("of LZ4 with a long literal counts its length beyond 15", () => {
    const long = "x".repeat(300);
    const stored = [0xf0, 255, 30, ...bytesOf(long)];
    expect(textOf(decodeLZ4(Uint8Array.from(stored), 300))).toBe(long);
  });

  test("of Snappy gives literals and copies", () => {
    expect(textOf(decodeSnappy(Uint8Array.from(SNAPPY_REPEATED)))).toBe(REPEATED);
  });

  test("that is damaged is undefined, whatever its bytes", () => {
    expect(decodeLZ4(Uint8Array.from([0x0f, 9, 0]), 50)).toBeUndefined();
    expect(decodeSnappy(Uint8Array.from([20, 0x05, 9]))).toBeUndefined();
    for (let seed = 1; seed < 500; seed++) {
      const random = Uint8Array.from({ length: 40 }, (_, i) => (seed * 7919 * (i + 3)) % 256);
      expect(() => [decodeLZ4(random, 64), decodeSnappy(random)]).not.toThrow();
    }
  });
});

function lz4Frame(stored: readonly number[], size: number): Uint8Array {
  const head = Buffer.alloc(21);
  head.write("LZ4Block", "latin1");
  head.writeUInt8(0x25, 8);
  head.writeUInt32LE(stored.length, 9);
  head.writeUInt32LE(size, 13);
  return Uint8Array.from([...head, ...stored]);
}

describe("a stream of blocks", () => {
  const read = (framing: "lz4" | "snappy", bytes: Uint8Array, piece: number): string => {
    const blocks = new FramedBlocks(framing, "file");
    const found: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += piece) {
      found.push(...blocks.push(bytes.subarray(at, at + piece)));
    }
    return found.map(textOf).join("") + (blocks.isCut ? " ..." : "");
  };
  const lz4 = Uint8Array.from([
    ...lz4Frame(LZ4_REPEATED, 16),
    ...lz4Frame(LZ4_REPEATED, 16),
    ...lz4Frame([], 0),
  ]);
  const snappyHead = [0x82, ...bytesOf("SNAPPY"), 0, 0, 0, 0, 1, 0, 0, 0, 1];
  const snappy = Uint8Array.from([
    ...snappyHead,
    ...[0, 0, 0, SNAPPY_REPEATED.length, ...SNAPPY_REPEATED],
    ...snappyHead,
    ...[0, 0, 0, SNAPPY_REPEATED.length, ...SNAPPY_REPEATED],
  ]);

  test.each([1, 5, 1_000])("is read from pieces of %i bytes", (piece) => {
    expect(read("lz4", lz4, piece)).toBe(REPEATED + REPEATED);
    expect(read("snappy", snappy, piece)).toBe(REPEATED + REPEATED);
  });

  test("whose checksum is another than the one told is refused; 0 tells none", () => {
    const told = xxh32(bytesOf(REPEATED), 0x9747b28c) & 0x0fffffff;
    const frame = Buffer.from(lz4Frame(LZ4_REPEATED, 16));
    for (const checksum of [0, told]) {
      frame.writeUInt32LE(checksum, 17);
      expect(read("lz4", frame, 50)).toBe(REPEATED);
    }
    frame.writeUInt32LE(told ^ 1, 17);
    expect(() => read("lz4", frame, 50)).toThrow("checksum does not match");
  });

  test("whose size is damaged is refused before it takes memory", () => {
    const frame = Buffer.from(lz4Frame(LZ4_REPEATED, 16));
    frame.writeUInt32LE(0xfffffff0, 13);
    expect(() => read("lz4", frame, 50)).toThrow("a damaged size");
  });

  test("that is cut off gives the whole blocks before, and says so", () => {
    expect(read("lz4", lz4.subarray(0, 50), 8)).toBe(`${REPEATED} ...`);
    expect(read("snappy", snappy.subarray(0, 40), 8)).toBe(`${REPEATED} ...`);
  });
});
