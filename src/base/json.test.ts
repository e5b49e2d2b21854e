import { expect, test } from "vitest";
import { hasFields } from "./json.ts";

test.each([
  [{ name: "a", sizes: [], of: {}, isNew: true, count: 0 }, true],
  [{ name: "a", sizes: {}, of: {}, isNew: true, count: 0 }, false],
  [{ name: "a", sizes: [], of: [], isNew: true, count: 0 }, false],
  [{ name: "a", sizes: [], of: null, isNew: true, count: 0 }, false],
  [{ name: "a", sizes: [], of: {}, isNew: true }, false],
  [null, false],
  ["name", false],
])("an object has fields of these kinds: %j, %s", (value, has) => {
  const fields = { name: "string", sizes: "list", of: "object", isNew: "boolean" } as const;
  expect(hasFields(value, { ...fields, count: "number" })).toBe(has);
});
