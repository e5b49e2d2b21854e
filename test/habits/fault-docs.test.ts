import { expect, test } from "vitest";
import { fault } from "../../src/hosts/sim/fault-shape.ts";
import { read } from "./support/reproduction-data.ts";

test("docs/faults.md has a row for each kind of fault, and no other", () => {
  // The shape has an entry for each kind, or it does not compile.
  const kinds = fault.expected.replace(/^.* of kind /, "").split(", ");
  const [, section = ""] = read("docs/faults.md").split("\n## The kinds\n");
  const table = section.slice(0, section.indexOf("\n## "));
  const rows = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind]) => kind);
  expect(rows.toSorted()).toEqual(kinds.toSorted());
});
