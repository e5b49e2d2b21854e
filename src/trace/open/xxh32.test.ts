import { expect, test } from "vitest";
import { xxh32 } from "./xxh32.ts";

/** From xxHash's own `xxhsum -H32`, and from lz4-java for its seed. */
test.each([
  ["", 0, 0x02cc5d05],
  ["a", 0, 0x550d7456],
  ["abc", 0, 0x32d153ff],
  ["Nobody inspects the spammish repetition", 0, 0xe2293b2f],
])("%j has the checksum that xxHash gives it", (text, seed, expected) => {
  expect(xxh32(new TextEncoder().encode(text), seed)).toBe(expected);
});
