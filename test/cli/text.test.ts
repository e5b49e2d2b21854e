import { describe, expect, test } from "vitest";
import { table, wrap } from "../../src/cli/table.ts";
import { bytes, counted, number, seconds } from "../../src/report/quantity.ts";
import { whyText } from "../../src/report/why-text.ts";

describe("table", () => {
  test("columns are as wide as their widest cell, numbers stand right", () => {
    const text = table(
      [{ title: "name" }, { title: "ms", align: "right" }],
      [
        ["late", "1200"],
        ["a-long-name", "7"],
      ],
    );
    expect(text.split("\n")).toEqual([
      "name           ms",
      "-----------  ----",
      "late         1200",
      "a-long-name     7",
    ]);
  });

  test("escape sequences take no room", () => {
    const text = table([{ title: "a" }, { title: "b" }], [["\u001b[31mx\u001b[39m", "y"]]);
    expect(text.split("\n").at(-1)).toBe("\u001b[31mx\u001b[39m  y");
  });
});

test("a last column that is too wide goes on below itself", () => {
  const words = "words ".repeat(10).trim();
  const text = table([{ title: "a" }, { title: "why" }], [["x", words]], 33);
  expect(text.split("\n")).toEqual([
    "a  why",
    `-  ${"-".repeat(30)}`,
    "x  words words words words words",
    "   words words words words words",
  ]);
});

test("wrap cuts at spaces and never inside a word", () => {
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("incomprehensible", 7)).toEqual(["incomprehensible"]);
});

test.each([
  [0, "0.0 s"],
  [1234, "1.2 s"],
  [119_900, "119.9 s"],
  [185_000, "3 min 5 s"],
  [Number.POSITIVE_INFINITY, "Infinity"],
])("%d ms read as %s", (ms, text) => expect(seconds(ms)).toBe(text));

test.each([
  [999, "999 B"],
  [83_100_000, "83.1 MB"],
])("%d bytes read as %s", (count, text) => expect(bytes(count)).toBe(text));

test.each([
  [12, "12"],
  [0.123456, "0.1235"],
  [12_345.6, "12346"],
])("the number %d reads as %s", (value, text) => expect(number(value)).toBe(text));

test("what is counted is named in the singular only when it is one", () => {
  expect([counted(1, "map"), counted(0, "map"), counted(2, "copy", "copies")]).toEqual([
    "1 map",
    "0 maps",
    "2 copies",
  ]);
});

test("a why reads as its rule and its numbers, with the units that their names end with", () => {
  const numbers = { timeLeftMs: 8210, ratePerMs: 0.0001, inputBytes: 2_000_000, stage: "copy" };
  expect(whyText({ rule: "longest-time-left", numbers })).toBe(
    "longest-time-left: time left 8.2 s, rate 0.1/s, input 2.0 MB, stage copy",
  );
  expect(whyText({ rule: "node-local", numbers: {} })).toBe("node-local");
});
