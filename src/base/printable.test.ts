import { expect, test } from "vitest";
import { oneLine, printable, withPrintableText } from "./printable.ts";

test("a control character is written as JSON writes it; line ends and TABs stay", () => {
  expect(printable("a\x1b]52;c;x\x07b\n\tc\x9b31m\r\x7f\u202e")).toBe(
    "a\\u001b]52;c;x\\u0007b\n\tc\\u009b31m\\u000d\\u007f\\u202e",
  );
  expect(printable("größer 日本 ±")).toBe("größer 日本 ±");
});

test("a name is one line: its line ends and TABs are escaped, too", () => {
  expect(oneLine("a\n0 s lost\t\x1b\r\n")).toBe("a\\u000a0 s lost\\u0009\\u001b\\u000d\\u000a");
});

test("JSON stays the same value", () => {
  const value = { "a\x9b": ["\x1b[31m", "\u2028"] };
  expect(JSON.parse(printable(JSON.stringify(value, null, 2)))).toEqual(value);
});

test("plain data keeps its numbers, and all of its texts are printable", () => {
  const times = Float64Array.of(1, 2);
  const data = { node: "n\x1b[2J", list: [{ name: "\x07", ms: Number.NaN }], times, none: null };
  expect(withPrintableText(data)).toEqual({
    node: "n\\u001b[2J",
    list: [{ name: "\\u0007", ms: Number.NaN }],
    times,
    none: null,
  });
});
