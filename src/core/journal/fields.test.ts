import { expect, test } from "vitest";
import { Fields } from "./fields.ts";

const of = (text: string): Fields => new Fields(JSON.parse(text), "j:3");

test("a number may be none of JSON's, where the field is not finite", () => {
  expect(of('{"askAgainMs":"Infinity"}').number("askAgainMs")).toBe(Number.POSITIVE_INFINITY);
  expect(of('{"seed":7}').finite("seed")).toBe(7);
  expect(() => of('{"seed":1e999}').finite("seed")).toThrow(
    'j:3: expected "seed" to be a finite number',
  );
});

test.each(["9007199254740995", "-1", "0.5", '"NaN"'])("a count of %s is damaged", (text) => {
  expect(() => of(`{"tasks":${text}}`).whole("tasks", 10)).toThrow(
    'j:3: expected "tasks" to be a whole number from 0 to 10',
  );
  expect(of('{"tasks":10}').whole("tasks", 10)).toBe(10);
});
