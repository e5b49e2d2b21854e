import { expect, test } from "vitest";
import { resultText } from "../../src/cli/run-result-text.ts";
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
