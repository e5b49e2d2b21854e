import { expect, test } from "vitest";
import { FNV_BASIS, fnv1a } from "./fnv.ts";

test("is the published hash of texts of one byte per unit", () => {
  // Noll's test vectors for 32-bit FNV-1a.
  expect(fnv1a("")).toBe(FNV_BASIS);
  expect(fnv1a("a")).toBe(0xe40c292c);
  expect(fnv1a("foobar")).toBe(0xbf9cf968);
});

test("continues from the hash of the preceding text", () => {
  expect(fnv1a("bar", fnv1a("foo"))).toBe(fnv1a("foobar"));
  expect(fnv1a("\u00e9\u20ac")).not.toBe(fnv1a("\u20ac\u00e9"));
});
