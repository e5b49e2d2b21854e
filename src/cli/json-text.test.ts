import { expect, test } from "vitest";
import { jsonText } from "./json-text.ts";

test("a document begins with its schema; numbers that JSON lacks become null", () => {
  expect(jsonText("run", { capMax: Number.POSITIVE_INFINITY })).toBe(
    '{\n  "schema": "broomwagon/run@3",\n  "capMax": null\n}',
  );
});
