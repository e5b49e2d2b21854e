import * as check from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "./json.ts";

test("reads what JSON.stringify writes", () => {
  check.assert(
    check.property(check.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test("agrees with JSON.parse on which texts are JSON", () => {
  const pieces = [
    '{"a":1}',
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"',
    "1",
    "-0.5e3",
    "null",
    " ",
    "\\n",
    "x",
  ];
  const texts = check.array(check.constantFrom(...pieces), { maxLength: 6 });
  check.assert(
    check.property(texts, (parts) => {
      const text = parts.join("");
      expect(parseJson(text).ok).toBe(isJson(text));
    }),
    { numRuns: 2_000 },
  );
});

test("every proper beginning of an object is cut off", () => {
  const text = '{"a":[1.5e-3,-2,"x\\u00e9",true],"b":{}}';
  for (let length = 0; length < text.length; length++) {
    expect(parseJson(text.slice(0, length)), text.slice(0, length)).toMatchObject({
      ok: false,
      cutOff: true,
    });
  }
});

test.each(["hello", "abc", "nil", "[truth", '{"a":x', '"\\ux'])(
  "%s is no JSON, but not cut off",
  (text) => {
    expect(parseJson(text)).toMatchObject({ ok: false, cutOff: false });
  },
);

test("tells the column and what was expected there", () => {
  expect(parseJson('{"a" 1}')).toEqual({
    ok: false,
    column: 6,
    cutOff: false,
    expected: "a colon",
  });
  expect(parseJson("[1] 2")).toMatchObject({ column: 5, expected: "the end of the line" });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
