import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { CompressedBlocks } from "./block-source.ts";
import { Malformed } from "./malformed.ts";
import { type Compression, compressionOf } from "./split.ts";

const directory = mkdtempSync(join(tmpdir(), "broomwagon-compressed-"));
afterAll(() => rmSync(directory, { recursive: true }));

async function decompressed(by: Compression, stored: Buffer, pieceBytes = 1 << 16) {
  const path = join(directory, "file");
  writeFileSync(path, stored);
  const source = new CompressedBlocks({ path, bytes: stored.length, by });
  const pieces: Buffer[] = [];
  try {
    for (;;) {
      const into = Buffer.alloc(pieceBytes);
      const size = await source.read(into, 0);
      if (size === 0) return Buffer.concat(pieces);
      pieces.push(into.subarray(0, size));
    }
  } finally {
    expect(source.storedBytes).toBeLessThanOrEqual(stored.length);
    source.close();
  }
}

const failure = (by: Compression, stored: Buffer): Promise<unknown> =>
  decompressed(by, stored).then(
    () => "none",
    (error) => error,
  );

const zstd = (content: Buffer, ...flags: string[]): Buffer =>
  execFileSync("zstd", ["-c", "-q", ...flags], { input: content, maxBuffer: 1 << 26 });

/** A mixture: repetition near and far, and incompressible bytes. */
const text = Buffer.concat(
  Array.from({ length: 40_000 }, (_, i) =>
    Buffer.from(`${i} ${(i * 7919) % 1000} the quick ${"fox".repeat(i % 5)} ${i ** 3 % 9973}\n`),
  ),
);
const noise = Buffer.from(
  Uint32Array.from({ length: 80_000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1) ^ (i * i)).buffer,
);
const everything = Buffer.concat([text, Buffer.alloc(400_000), noise, text.subarray(0, 300_000)]);

test("a file's name determines its compression", () => {
  expect(["a.gz", "a.txt.zst", "a.txt", "gz"].map(compressionOf)).toEqual([
    ...["gzip", "zstd", "none", "none"],
  ]);
});

/** A frame with a window of 128 MB: one byte, repeated in blocks of 128 kB (RFC 8878, 3.1.1). */
function repeated(byte: string, size: number, isTold: boolean): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, isTold ? 0x80 : 0, 17 << 3]);
  const told = Buffer.alloc(isTold ? 4 : 0);
  if (isTold) told.writeUInt32LE(size);
  const blocks: Buffer[] = [];
  for (let left = size; left > 0; left -= 1 << 17) {
    const block = Buffer.alloc(4, byte);
    const isLast = left <= 1 << 17;
    block.writeUIntLE((Math.min(left, 1 << 17) << 3) | 2 | (isLast ? 1 : 0), 0, 3);
    blocks.push(block);
  }
  return Buffer.concat([head, told, ...blocks]);
}

describe("zstd", () => {
  test.each([
    "-1",
    "-3",
    "-12",
    "--fast=5",
    "--no-check",
    "--long=24",
    "--no-content-size",
    "--content-size --no-compress-literals",
  ])("%s is read to its end", async (flags) => {
    const stored = zstd(everything, ...flags.split(" "));
    expect((await decompressed("zstd", stored)).equals(everything)).toBe(true);
  });

  test("a window of 128 MB is read, or refused if fzstd may copy from a wrong place", async () => {
    const long = repeated("z", 120_000_000, true);
    const found = await decompressed("zstd", long, 1 << 20).catch((error: unknown) => error);
    if (found instanceof Buffer) expect(found.equals(Buffer.alloc(120_000_000, "z"))).toBe(true);
    else expect(String(found)).toContain("a zstd window of 96 MB at most, found one of 128 MB");
    // What a short content needs of a large window is sure.
    for (const isTold of [true, false]) {
      const short = await decompressed("zstd", repeated("z", 1_000_000, isTold));
      expect(short.equals(Buffer.alloc(1_000_000, "z"))).toBe(true);
    }
  });

  test("many frames, including empty and skippable ones", async () => {
    const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const sizes = [0, 1, 5, 100, 70_000, 0, 255, 256, 257, 200_000, 65_791, 65_792];
    const contents = sizes.map((size, i) => everything.subarray(i * 1000, i * 1000 + size));
    const stored = contents.flatMap((content) => [zstd(content), skippable]);
    const found = await decompressed("zstd", Buffer.concat(stored), 1000);
    expect(found.equals(Buffer.concat(contents))).toBe(true);
    expect((await decompressed("zstd", Buffer.alloc(0))).length).toBe(0);
  });

  test("a flipped bit is found wherever it matters", async () => {
    const content = text.subarray(0, 5000);
    const stored = zstd(content);
    let harmless = 0;
    for (let at = 0; at < stored.length; at += 7) {
      const damaged = Buffer.from(stored);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      const found = await decompressed("zstd", damaged).catch((error: unknown) => String(error));
      // The head may then ask for a dictionary, or a window that is too large.
      if (typeof found === "string") {
        expect(found).toMatch(/expected (a whole zstd file|zstd that|a zstd window)/);
      } else {
        harmless++;
        expect(found.equals(content)).toBe(true);
      }
    }
    expect(harmless).toBeLessThan(5);
  });

  test("a truncation, or bytes after the last frame, are reported with their place", async () => {
    const stored = zstd(text.subarray(0, 300_000));
    for (const size of [1, 3, 4, 10, 17, 1000, stored.length - 1]) {
      const found = await failure("zstd", stored.subarray(0, size));
      expect(found).toBeInstanceOf(Malformed);
      expect(found).toMatchObject({ place: expect.stringMatching(/file: byte \d+$/) });
    }
    for (const [more, found] of [
      ["more", "no frame there"],
      ["x", "no frame there"],
      ["\x28\xb5", "its end within a frame"],
      ["\x5a\x2a", "its end within a frame"],
      ["\x28\x2a", "no frame there"],
    ] as const) {
      const both = Buffer.concat([stored, Buffer.from(more, "latin1")]);
      expect(await failure("zstd", both)).toMatchObject({
        message: `expected a whole zstd file, found ${found}`,
        place: `${join(directory, "file")}: byte ${stored.length}`,
      });
    }
  });

  test("a window larger than half of the task's memory is refused, by its option", async () => {
    // A frame without its size, with a window of 1 MB.
    const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x50, 1, 0, 0]);
    const path = join(directory, "window.zst");
    writeFileSync(path, head);
    const open = (memoryBytes: number): Promise<number> =>
      Promise.resolve(
        new CompressedBlocks({ path, bytes: head.length, by: "zstd", memoryBytes }).read(
          Buffer.alloc(10),
          0,
        ),
      );
    expect(await open(2 << 20)).toBe(0);
    await expect(open(1 << 20)).rejects.toThrow(
      "window.zst: byte 0: expected a zstd window of 1 MB at most, a share of --memory",
    );
  });

  test("a window larger than the command line accepts is refused", async () => {
    const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xf8, 1, 0, 0]);
    await expect(decompressed("zstd", head)).rejects.toThrow(
      "expected a zstd window of 128 MB at most, found one of 2097152 MB",
    );
  });
});

describe("gzip", () => {
  test("many members, padded with zeros or not", async () => {
    const cuts = [0, 0, 1, 300_000, 300_001, 700_000, everything.length];
    const members = cuts.slice(1).map((end, i) => gzipSync(everything.subarray(cuts[i], end)));
    for (const more of [Buffer.alloc(0), Buffer.alloc(700_000)]) {
      const found = await decompressed("gzip", Buffer.concat([...members, more]), 999);
      expect(found.equals(everything)).toBe(true);
    }
    expect((await decompressed("gzip", Buffer.alloc(0))).length).toBe(0);
  });

  test("gives all members, wherever they begin", async () => {
    const filler = fc.integer({ min: 262_000, max: 262_300 });
    await fc.assert(
      fc.asyncProperty(filler, async (bytes) => {
        // Not compressed, so that the second member begins near the end of a block.
        const first = gzipSync(noise.subarray(0, bytes), { level: 0 });
        const stored = Buffer.concat([first, gzipSync("second")]);
        const found = await decompressed("gzip", stored);
        expect(found.subarray(bytes).toString()).toBe("second");
      }),
      { numRuns: 5 },
    );
    for (let bytes = 262_090; bytes < 262_130; bytes++) {
      const first = gzipSync(noise.subarray(0, bytes), { level: 0 });
      const found = await decompressed("gzip", Buffer.concat([first, gzipSync("second")]));
      expect(found.length).toBe(bytes + 6);
    }
  });

  test("many small members, as bgzip makes them, and a large one", async () => {
    const pieces = Array.from({ length: 120 }, (_, i) => everything.subarray(i * 7, i * 500));
    pieces[100] = everything;
    const stored = Buffer.concat(pieces.map((piece) => gzipSync(piece)));
    const found = await decompressed("gzip", stored, 5000);
    expect(found.equals(Buffer.concat(pieces))).toBe(true);
  });

  test("heads with a name, a comment and more", async () => {
    const member = gzipSync("content");
    const fixed = Buffer.concat([member.subarray(0, 3), Buffer.from([2 + 4 + 8 + 16])]);
    const extra = Buffer.from([3, 0, 1, 0, 2]);
    const head = [fixed, member.subarray(4, 10), extra, Buffer.from("name\0a comment\0cc")];
    const stored = Buffer.concat([...head, member.subarray(10)]);
    const found = await decompressed("gzip", Buffer.concat([stored, stored]));
    expect(found.toString()).toBe("contentcontent");
    for (let size = 1; size < stored.length; size++) {
      expect(await failure("gzip", stored.subarray(0, size))).toMatchObject({
        message: expect.stringMatching(
          /^expected a whole gzip file, found its end within a member/,
        ),
      });
    }
  });

  /** The data before the failure, and the failure. */
  async function until(stored: Buffer): Promise<{ bytes: number; error: unknown }> {
    const path = join(directory, "damaged");
    writeFileSync(path, stored);
    const source = new CompressedBlocks({ path, bytes: stored.length, by: "gzip" });
    const into = Buffer.alloc(1 << 16);
    let bytes = 0;
    try {
      for (;;) bytes += (await source.read(into, 0)) || expect.fail("it has an end");
    } catch (error) {
      return { bytes, error };
    } finally {
      source.close();
    }
  }

  test("damage, a truncation or trailing bytes are reported with their place", async () => {
    const stored = gzipSync(text);
    const flipped = (at: number): Buffer => {
      const damaged = Buffer.from(stored);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      return damaged;
    };
    const rows: readonly (readonly [Buffer, string, number, number | undefined])[] = [
      [flipped(stored.length - 6), "found a member whose checksum does not match", 0, text.length],
      [flipped(stored.length - 1), "found a member whose checksum does not match", 0, text.length],
      [flipped(0), "found no member there", 0, 0],
      [flipped(2), "found an unknown kind of member", 0, 0],
      [stored.subarray(0, 5), "found its end within a member", 0, 0],
      [stored.subarray(0, -1), "found its end within a member", stored.length - 8, text.length],
      [Buffer.concat([stored, Buffer.from("m")]), "found no member", stored.length, text.length],
      [Buffer.concat([stored, Buffer.from("\0\0more")]), "found", stored.length + 2, text.length],
      [Buffer.concat([stored, stored.subarray(0, 9)]), "found", stored.length, text.length],
    ];
    for (const [one, found, byte, before] of rows) {
      const { bytes, error } = await until(one);
      expect(error).toMatchObject({
        name: "Malformed",
        message: expect.stringContaining(`expected a whole gzip file, ${found}`),
        place: `${join(directory, "damaged")}: byte ${byte}`,
      });
      expect(bytes, found).toBe(before);
    }
    const cut = await until(stored.subarray(0, -1000));
    expect(cut.error).toMatchObject({
      message: expect.stringContaining("found its end within a member"),
      place: expect.stringMatching(`byte ${stored.length - 1000}$`),
    });
    expect(cut.bytes).toBeGreaterThan(text.length / 2);
  });
});

test("a file that shrinks while it is read does not count as damaged", async () => {
  const path = join(directory, "shrinks");
  for (const by of ["gzip", "zstd"] as const) {
    const stored = by === "gzip" ? gzipSync(noise) : zstd(noise);
    writeFileSync(path, Buffer.concat([stored, stored, stored, stored]));
    const source = new CompressedBlocks({ path, bytes: 4 * stored.length, by });
    await source.read(Buffer.alloc(10), 0);
    truncateSync(path, stored.length + 100);
    const rest = async (): Promise<void> => {
      while ((await source.read(Buffer.alloc(1 << 16), 0)) > 0);
    };
    await expect(rest()).rejects.toThrow(
      `expected the ${4 * stored.length} bytes that it had when the job began`,
    );
    source.close();
  }
});
