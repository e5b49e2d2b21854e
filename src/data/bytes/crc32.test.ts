import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32, crc32Behind } from "./crc32.ts";

test("the checksum of two pieces follows from their own checksums", () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  const property = fc.property(bytes, bytes, (first, second) => {
    const whole = crc32(second, crc32(first));
    expect((crc32Behind(crc32(first), second.length) ^ crc32(second)) >>> 0).toBe(whole);
  });
  fc.assert(property, { numRuns: 300 });
});

test("for pieces of any length", () => {
  for (const length of [0, 1, 255, 65_536, 65_537, 5_000_001]) {
    const second = new Uint8Array(length).fill(7);
    const first = Uint8Array.of(1, 2, 3);
    const whole = crc32(second, crc32(first));
    expect((crc32Behind(crc32(first), length) ^ crc32(second)) >>> 0).toBe(whole);
  }
});
