import { expect, test } from "vitest";
import { hashKey } from "./index.ts";
import { hashBytes } from "./key-hash.ts";

const hash = (text: string): string => {
  const bytes = Buffer.from(text);
  return hashBytes(bytes).toString(16);
};

test("hashBytes gives MurmurHash3's published values", () => {
  expect(hash("")).toBe("0");
  expect(hash("a")).toBe("3c2569b2");
  expect(hash("test")).toBe("ba6bd213");
  expect(hash("hello")).toBe("248bfa47");
  expect(hash("Hello, world!")).toBe("c0363e43");
  expect(hash("The quick brown fox jumps over the lazy dog")).toBe("2e4ff723");
});

test("a part of the bytes hashes as those bytes alone", () => {
  const bytes = Buffer.from("xxhelloyy");
  expect(hashBytes(bytes.subarray(2, 7))).toBe(0x248bfa47);
});

test("the hash of a key never changes", () => {
  expect(hashKey("the")).toBe(0xad3e_4f84);
  expect(hashKey(1)).toBe(0xc28b_03fe);
});
