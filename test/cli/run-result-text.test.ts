import { expect, test } from "vitest";
import { phaseText, resultText } from "../../src/cli/run-result-text.ts";
import type { RunResult } from "../../src/hosts/engine/index.ts";

const resultOf = (records: number): RunResult => ({
  id: "20260301-120000-abcdef",
  job: "word-count",
  outcome: "succeeded",
  discipline: "late",
  runDirectory: "/runs/one",
  journal: "/runs/one/journal.ndjson",
  output: "/out",
  parts: [{ path: "/out/part-00000", bytes: 7, records, checksum: "00" }],
  responseMs: 1,
  wallMs: 2,
  phases: [],
  counters: {},
  badRecords: { count: 0, samples: [] },
  attempts: [],
  totals: {
    launched: 1,
    speculative: 0,
    speculativeWon: 0,
    succeeded: 1,
    failed: 0,
    killed: 0,
    lost: 0,
    recomputed: 0,
    wastedMs: 0,
  },
  nodes: [],
  outputsLost: [],
  recomputes: [],
});

test.each([
  [1, "1 part file, 1 record, 7 B"],
  [2, "1 part file, 2 records, 7 B"],
])("%i of output reads as %s", (records, text) => {
  expect(resultText(resultOf(records), 100)).toContain(text);
});

test("a phase tells what took its time, and nothing of what did not happen", () => {
  const phase = {
    name: "map",
    tasks: 16,
    inputBytes: 200_000_000,
    inputRecords: 3_000_000,
    outputBytes: 1_000,
    outputRecords: 1,
    spills: 0,
    merges: 0,
    skew: { largestBytes: 3, medianBytes: 2, factor: 1.5 },
    copiesWon: 0,
    copiesLost: 0,
    slotMs: 2_000,
    wastedMs: 0,
    from: 100,
    to: 1_100,
  };
  expect(phaseText(phase)).toBe(
    "16 tasks in 1.0 s, read 3000000 records (200.0 MB), wrote 1 record (1.0 kB), " +
      "largest 1.50x the median, 2.0 s of slots",
  );
  const spilled = { ...phase, spills: 4, merges: 1, copiesWon: 1, copiesLost: 2, wastedMs: 500 };
  expect(phaseText(spilled)).toContain("4 spills, 1 merge, copies 1 won, 2 lost");
  expect(phaseText(spilled)).toContain("0.5 s wasted");
});
