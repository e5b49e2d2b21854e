import { expect, test } from "vitest";
import { jsonText } from "./json-text.ts";

test("a document begins with its schema, and numbers that JSON lacks are null", () => {
  expect(jsonText("run", { capMax: Number.POSITIVE_INFINITY })).toBe(
    '{\n  "schema": "broomwagon/run@1",\n  "capMax": null\n}',
  );
});
