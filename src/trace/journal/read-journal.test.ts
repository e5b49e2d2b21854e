import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import type { Trace, TraceJob } from "../../history/model.ts";
import { JournalReader } from "./read-journal.ts";

const FOLDER = "test/replay";
function read(bytes: Uint8Array, piece = bytes.length): Trace {
  const reader = new JournalReader("a.ndjson");
  for (let from = 0; from < bytes.length; from += piece) {
    reader.push(bytes.slice(from, from + piece));
  }
  return reader.end();
}

const phasesOf = ({ phases }: TraceJob) => phases;

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

  test("with a decision that this version does not make is read as recorded", () => {
    const text = readFileSync(`${FOLDER}/late.ndjson`, "utf8");
    // The threshold of the paper at which no node is slow, where the journal has another.
    const [, threshold = ""] = /"slowNodeThreshold":([\d.]+)/.exec(text) ?? [];
    const strict = text.replace(`"slowNodeThreshold":${threshold}`, '"slowNodeThreshold":0.99');
    const { jobs, notes } = read(Buffer.from(strict));
    expect(jobs.map(phasesOf)).toEqual(read(Buffer.from(text)).jobs.map(phasesOf));
    expect(notes.map((note) => note.text).join()).toMatch(
      /^line \d+ has decisions that this version does not make: the attempts are as recorded/,
    );
  });

  test("with a line that does not follow from those before is refused with the line", () => {
    const text = readFileSync(`${FOLDER}/late.ndjson`, "utf8");
    const altered = text.replace(/"kind":"launch","attempt":"[^"]+"/, (launch) =>
      launch.replace('"launch"', '"withdraw"'),
    );
    expect(() => read(Buffer.from(altered))).toThrow(InputError);
    expect(() => read(Buffer.from(altered))).toThrow(/^a\.ndjson:\d+: /);
  });
});

test("a journal in which a job is submitted twice is damaged, at the second line", () => {
  const lines = gunzipSync(readFileSync("fixtures/pairs/engine/late.ndjson.gz"))
    .toString()
    .split("\n");
  const at = lines.findIndex((line) => line.includes('"event":"job-submitted"'));
  const reader = new JournalReader("j");
  reader.push(Buffer.from(lines.toSpliced(at, 0, lines[at] ?? "").join("\n")));
  expect(() => reader.end()).toThrow(
    `j:${at + 2}: expected "job" to be a name that no live job has`,
  );
});
