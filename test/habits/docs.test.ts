import { expect, test } from "vitest";
import { fault } from "../../src/hosts/sim/fault-shape.ts";
import * as job from "../../src/job/index.ts";
import { read } from "./support/reproduction-data.ts";

test("docs/faults.md has a row for each kind of fault, and no other", () => {
  // The shape has an entry for each kind, or it does not compile.
  const kinds = fault.expected.replace(/^.* of kind /, "").split(", ");
  const [, section = ""] = read("docs/faults.md").split("\n## The kinds\n");
  const table = section.slice(0, section.indexOf("\n## "));
  const rows = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind]) => kind);
  expect(rows.toSorted()).toEqual(kinds.toSorted());
});

/** Parts of folds and tools that users write; their docstrings describe them. */
const PARTS: readonly string[] = [
  ...["addExactly", "mergeExactly", "roundExactly"],
  ...["compareKeys", "decodeKey", "encodeKey", "hashKey", "isFlow", "isJob"],
];

test("docs/jobs.md names each format, fold and operator that a job file can import", () => {
  const words = new Set(read("docs/jobs.md").match(/\w+/g));
  const unnamed = Object.keys(job).filter((name) => !words.has(name));
  expect(unnamed.toSorted()).toEqual(PARTS.toSorted());
});
