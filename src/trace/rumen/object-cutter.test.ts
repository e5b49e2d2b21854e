import { expect, test } from "vitest";
import { ObjectCutter } from "./object-cutter.ts";

const TEXT = '{"a": {"b": "}{"}}\n{ "c" : "\\"}" } {"d":[{}]} tail {"e":1';

test.each([1, 2, 3, 7, 1_000])("objects are cut from pieces of %i bytes", (piece) => {
  const found: string[] = [];
  const cutter = new ObjectCutter((bytes) => found.push(new TextDecoder().decode(bytes)));
  const bytes = new TextEncoder().encode(TEXT);
  for (let at = 0; at < bytes.length; at += piece) cutter.push(bytes.subarray(at, at + piece));
  expect(found).toEqual(['{"a": {"b": "}{"}}', '{ "c" : "\\"}" }', '{"d":[{}]}']);
  expect(cutter.isOpen).toBe(true);
});
