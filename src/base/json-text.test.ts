import { expect, test } from "vitest";
import { fieldsText, quoted } from "./json-text.ts";

test("a string is quoted as JSON quotes it", () => {
  for (let unit = 0; unit < 0x1_00_00; unit += unit < 300 ? 1 : 97) {
    const text = `a${String.fromCharCode(unit)}b`;
    expect(quoted(text)).toBe(JSON.stringify(text));
  }
});

test("fields follow others, and none leave no comma", () => {
  expect(fieldsText({})).toBe("");
  expect(fieldsText({ a: 1, b: ["x"] })).toBe(',"a":1,"b":["x"]');
});
