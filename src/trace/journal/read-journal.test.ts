import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import type { Trace } from "../../history/model.ts";
import { JournalReader } from "./read-journal.ts";

const FOLDER = "test/replay";
function read(bytes: Uint8Array, piece = bytes.length): Trace {
  const reader = new JournalReader("a.ndjson");
  for (let from = 0; from < bytes.length; from += piece) {
    reader.push(bytes.slice(from, from + piece));
  }
  return reader.end();
}

describe("a journal", () => {
  test("is the same trace in pieces of any size", () => {
    const bytes = readFileSync(`${FOLDER}/late.ndjson`);
    expect(read(bytes, 1_000)).toEqual(read(bytes));
  });

  test("that ends before its jobs is read to its end, and a note says so", () => {
    const text = readFileSync(`${FOLDER}/late.ndjson`, "utf8");
    const lines = text.split("\n").slice(0, 60);
    const { jobs, notes } = read(Buffer.from(lines.join("\n")));
    expect(jobs.some(({ outcome }) => outcome === "cut-off")).toBe(true);
    expect(notes.map(({ kind }) => kind)).toContain("cut-off");
  });

  test("with a line that a replay writes differently is refused with the line", () => {
    const text = readFileSync(`${FOLDER}/late.ndjson`, "utf8");
    const altered = text.replace(/"kind":"launch","attempt":"[^"]+"/, (launch) =>
      launch.replace('"launch"', '"withdraw"'),
    );
    expect(() => read(Buffer.from(altered))).toThrow(InputError);
    expect(() => read(Buffer.from(altered))).toThrow(/^a\.ndjson:\d+: /);
  });
});
