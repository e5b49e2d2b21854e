import { expect, test } from "vitest";
import { phaseText, resultText } from "../../src/cli/run-result-text.ts";
import type { RunResult } from "../../src/hosts/engine/index.ts";
import type { AttemptFacts } from "../../src/run/run-result.ts";
import { totals } from "../../src/run/sum-up.ts";

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
    failedMs: 0,
    lostSlotMs: 0,
  },
  nodes: [],
  outputsLost: [],
  outputsCopied: [],
  recomputes: [],
  faultsMissed: [],
});

test("memory is reported where a run took a tenth or more of its limit", () => {
  const memoryOf = (peakBytes: number) => ({ promisedBytes: 1e9, baseBytes: 76e6, peakBytes });
  expect(resultText({ ...resultOf(1), memory: memoryOf(80e6) }, 100)).not.toContain("memory");
  expect(resultText({ ...resultOf(1), memory: memoryOf(276e6) }, 100)).toContain(
    "200.0 MB of 1.0 GB allowed at the peak, not counting 76.0 MB of idle processes",
  );
});

test.each([
  [1, "1 part file, 1 record, 7 B"],
  [2, "1 part file, 2 records, 7 B"],
])("%i of output reads as %s", (records, text) => {
  expect(resultText(resultOf(records), 100)).toContain(text);
});

test("a phase lists what took its time, and no zeros", () => {
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
      "largest input 1.50x the median, 2.0 s of slots",
  );
  const spilled = { ...phase, spills: 4, merges: 1, copiesWon: 1, copiesLost: 2, wastedMs: 500 };
  expect(phaseText(spilled)).toContain("4 spills, 1 merge, copies 1 won, 2 lost");
  expect(phaseText(spilled)).toContain("0.5 s wasted");
});

test("beside tasks that read nothing, the largest is given by its size", () => {
  const nothing = { inputRecords: 1, outputBytes: 1, outputRecords: 1, spills: 0, merges: 0 };
  const skew = { largestBytes: 1_446_432, medianBytes: 0, factor: 1_446_432 };
  const counts = { copiesWon: 0, copiesLost: 0, slotMs: 1, wastedMs: 0, from: 0, to: 1 };
  const phase = { name: "reduce", tasks: 3, inputBytes: 1_446_432, ...nothing, skew, ...counts };
  expect(phaseText(phase)).toContain("largest input 1.4 MB, median 0 B, ");
});

test("copies of outputs are counted, with their targets", () => {
  const copy = (index: number, node: string) => ({
    ...{ at: 100, task: `word-count/map/${index}`, node, bytes: 1_500 },
  });
  const outputsCopied = [copy(1, "n3"), copy(2, "n1"), copy(3, "n3")];
  expect(resultText({ ...resultOf(1), outputsCopied }, 100)).toMatch(
    /outputs copied +3 \(4\.5 kB\) to n1, n3/,
  );
  expect(resultText(resultOf(1), 100)).not.toContain("copied");
});

test("a copy that won is told in facts, beside the command that estimates what it saved", () => {
  const why = { rule: "longest-time-left", numbers: {} };
  const of = {
    attempt: "count/map/1#0",
    task: "count/map/1",
    phase: "map",
    as: "original",
    node: "n2",
    why,
    launchedAt: 1_000,
  } as const;
  const killed = { kind: "killed", by: "core", why } as const;
  const original: AttemptFacts = { ...of, endedAt: 9_900, slotMs: 8_900, end: killed };
  const copy: AttemptFacts = {
    ...{ ...of, attempt: "count/map/1#1", as: "speculative", node: "n1", launchedAt: 7_800 },
    ...{ endedAt: 9_900, slotMs: 2_100, end: { kind: "succeeded", bytes: 1, records: 1 } },
  };
  const attempts = [original, copy];
  const result = { ...resultOf(1), journal: "package.json", attempts, totals: totals(attempts) };
  expect(resultText(result, 200)).toContain(
    "map/1 on n2 had run for 8.9 s; its copy on n1 took 2.1 s and ended first, at 9.9 s",
  );
  expect(resultText(result, 200)).toContain("saved: npx broomwagon why package.json");
  expect(resultText({ ...result, journal: "no-journal" }, 200)).not.toContain("broomwagon why");
  const none = { ...result, attempts: [original], totals: totals([original]) };
  expect(resultText(none, 200)).not.toContain("broomwagon why");
});

test("malformed records are counted, and the first of them shown", () => {
  const sample = (line: number) => ({
    place: `/in/a.csv:${line}`,
    problem: "expected 2 fields, found 1",
    record: `${line}\u001b[2J\u009b`,
  });
  const badRecords = { count: 7, samples: [1, 2, 3, 4, 5].map(sample) };
  const lines = resultText({ ...resultOf(1), badRecords }, 100).split("\n");
  const from = lines.findIndex((line) => line.includes("bad records"));
  expect(lines.slice(from, from + 5).map((line) => line.trim())).toEqual([
    "bad records   7 passed over, such as:",
    ...[1, 2, 3].map(
      (line) => `/in/a.csv:${line}: expected 2 fields, found 1, in "${line}\\u001b[2J\\u009b"`,
    ),
    expect.stringMatching(/^output/),
  ]);
});

test("a failure is reported once, with its node", () => {
  const why = { rule: "any-node", numbers: {} };
  const message = "/in/a.txt:3: RangeError: never";
  const tried = [0, 1].map((n) => ({
    ...{ attempt: `j/map/1#${n}`, task: "j/map/1", phase: "map" },
    ...{ as: n === 0 ? ("original" as const) : ("retry" as const) },
    ...{ node: `n${n}`, why, launchedAt: n, endedAt: n, slotMs: 0 },
    end: { kind: "failed", cause: "error", message } as const,
  }));
  const failure = {
    task: "j/map/1",
    node: "n1",
    cause: "error",
    message,
    place: "/j.ts:5",
  } as const;
  const failed = { ...resultOf(1), outcome: "failed", attempts: tried, failure } as const;
  const text = resultText(failed, 100);
  expect(text).toContain(`map/1 failed for good on n1 at /j.ts:5: ${message}\n`);
  expect(text.split(message).length).toBe(2);
  expect(text).toContain("map/1#0 on n0: as above");
});
