import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { lz4Stream, snappyStream, zstdFrame } from "../../../test/cli/support/compressions.ts";
import { InputError } from "../../base/input-error.ts";
import { historyBytes } from "./history-bytes.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-damage-"));
afterAll(() => rmSync(folder, { recursive: true }));

const plain = readFileSync("fixtures/spark/two-workers.ndjson");
const hasZstd = spawnSync("zstd", ["--version"]).status === 0;
const byZstd = (...flags: readonly string[]): Uint8Array =>
  execFileSync("zstd", ["-c", "-q", ...flags], { input: plain, maxBuffer: 1 << 26 });

/** Whether the format holds checksums, so that no damage passes for the log. */
const STORED: readonly (readonly [name: string, stored: Uint8Array, isChecked: boolean])[] = [
  ["gzip", gzipSync(plain), true],
  [
    "gzip in members",
    Buffer.concat([plain.subarray(0, 9e4), plain.subarray(9e4)].map((part) => gzipSync(part))),
    true,
  ],
  ["zstd, blocks as they are", zstdFrame(plain), false],
  ...(hasZstd
    ? ([
        ["zstd", byZstd(), true],
        ["zstd without a checksum", byZstd("--no-check", "-19"), false],
      ] as const)
    : []),
  ["lz4", lz4Stream(plain), false],
  ["snappy", snappyStream(plain), false],
];

interface Outcome {
  readonly content: Buffer;
  readonly end: "whole" | "cut" | InputError;
}

/** Any other error fails the test. */
async function read(stored: Uint8Array): Promise<Outcome> {
  const path = join(folder, "log");
  writeFileSync(path, stored);
  const pieces: Buffer[] = [];
  const content = () => Buffer.concat(pieces);
  let isCut = false;
  const onCut = (place: string): void => {
    expect(place.startsWith(path)).toBe(true);
    isCut = true;
  };
  try {
    for await (const bytes of historyBytes(path, { onCut })) pieces.push(Buffer.from(bytes));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message.startsWith(path)).toBe(true);
    return { content: content(), end: error };
  }
  return { content: content(), end: isCut ? "cut" : "whole" };
}

const isBeginning = (part: Buffer): boolean => part.equals(plain.subarray(0, part.length));

describe.each(STORED)("%s", (_, stored, isChecked) => {
  /** Places all over the file, the same in every run. */
  const places = Array.from({ length: 40 }, (_, n) =>
    Math.floor((stored.length * (n + 0.37)) / 40),
  );

  test("that ends anywhere gives the log's beginning, and says that it is cut off", async () => {
    let most = 0;
    for (const place of places) {
      const { content, end } = await read(stored.subarray(0, place));
      expect(isBeginning(content)).toBe(true);
      expect(end).toBe("cut");
      expect(content.length).toBeGreaterThanOrEqual(most);
      most = content.length;
    }
    expect(most).toBeGreaterThan(0.5 * plain.length);
  });

  test("with a flipped bit is refused by name; a checksum lets nothing wrong pass", async () => {
    let refused = 0;
    for (const [n, place] of places.entries()) {
      const damaged = Uint8Array.from(stored);
      damaged[place] = (damaged[place] ?? 0) ^ (1 << (n % 8));
      const { content, end } = await read(damaged);
      if (end instanceof InputError) refused += 1;
      else if (isChecked) expect(isBeginning(content)).toBe(true);
    }
    if (isChecked) expect(refused).toBeGreaterThan(35);
  });
});
