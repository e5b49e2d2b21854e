import { describe, expect, test } from "vitest";
import { csv, ndjson, tsv } from "../../job/index.ts";
import { changedOutput, parseOutputChange } from "./output-change.ts";

describe("how a run changes its job's output", () => {
  test.each([
    ["csv", { format: "csv" }],
    ["ndjson.gz", { format: "ndjson", compress: "gzip" }],
    ["gz", { compress: "gzip" }],
  ])("%s is read", (flag, change) => {
    expect(parseOutputChange(flag)).toEqual(change);
  });

  test.each(["", "xml", "csv.zst", "csvgz", "toString"])("%j is refused", (flag) => {
    expect(() => parseOutputChange(flag)).toThrow(
      "expected gz, or one of text, tsv, csv, ndjson, with .gz or without",
    );
  });

  test("a format replaces another, and keeps one of its own kind", () => {
    const table = csv("out", { columns: ["a"], separator: ";" });
    expect(changedOutput(table, { format: "csv", compress: "gzip" })).toMatchObject({
      path: "out",
      format: { kind: "csv", separator: ";", columns: ["a"] },
      compress: "gzip",
    });
    expect(changedOutput(tsv("out"), { format: "ndjson" })).toEqual({
      path: "out",
      format: ndjson().format,
    });
    expect(changedOutput(ndjson(undefined, { compress: "gzip" }), { format: "tsv" })).toEqual({
      format: tsv().format,
      compress: "gzip",
    });
  });

  test("in a single file only the first part has a header", () => {
    const { format } = changedOutput(csv("out", { columns: ["a"] }), { isOneFile: true });
    expect(format).toMatchObject({ header: "first" });
    const { format: bare } = changedOutput(csv("out"), { isOneFile: true });
    expect(bare).toMatchObject({ header: "first" });
    expect(changedOutput(tsv(), { isOneFile: true })).toEqual(tsv());
  });
});
