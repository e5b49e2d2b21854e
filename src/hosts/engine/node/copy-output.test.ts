import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checksumName } from "../../../data/bytes/checksum.ts";
import { RackLinks } from "../racks/racks.ts";
import { copyOutput } from "./copy-output.ts";

const BYTES = Buffer.alloc(300_000, "broom");
let place = "";
let output = { attempt: 7, job: 0, path: "", checksum: "" };
const query = (full = 0) => ({
  directory: join(place, "n2", "attempt-7"),
  disk: Int32Array.of(full),
  seat: undefined,
});

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "broomwagon-copy-"));
  mkdirSync(join(place, "n1"));
  const path = join(place, "n1", "output");
  writeFileSync(path, BYTES);
  output = { attempt: 7, job: 0, path, checksum: checksumName(crc32(BYTES)) };
});
afterEach(() => rmSync(place, { recursive: true }));

test("the copy is the file, byte for byte", async () => {
  const path = await copyOutput(output, query());
  expect(path).toBe(join(place, "n2", "attempt-7", "output"));
  expect(readFileSync(path).equals(BYTES)).toBe(true);
});

test("a changed file is not copied", async () => {
  writeFileSync(output.path, Buffer.from(BYTES).fill("B", 1, 2));
  await expect(copyOutput(output, query())).rejects.toThrow("is not what it was");
});

test("a full disk refuses a copy", async () => {
  await expect(copyOutput(output, query(1))).rejects.toThrow("ENOSPC");
});

test("from another rack it takes as long as the links need", async () => {
  const directory = join(place, "links");
  new RackLinks({ directory, racks: 2, bytesPerMs: 10_000 }).close();
  const nodes = [{ directory: join(place, "n1"), rack: 0 }];
  const from = performance.now();
  await copyOutput(output, { ...query(), seat: { rack: 1, links: directory, nodes } });
  // 300,000 bytes at 10,000 per millisecond, where 10 ms' worth may pass at once.
  expect(performance.now() - from).toBeGreaterThanOrEqual(30 - 10 - 1);
});
