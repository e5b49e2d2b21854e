import { expect, test } from "vitest";
import { reportText } from "../../src/cli/demo/report.ts";
import type { AttemptFacts, RecomputeFacts, RunResult } from "../../src/hosts/engine/index.ts";

const urgent = { rule: "urgent", numbers: { key: -2 } };
const ended = { kind: "succeeded", bytes: 1, records: 1 } as const;

function attempt(name: string, facts: Partial<AttemptFacts>): AttemptFacts {
  const own = { attempt: `count/${name}`, as: "original", node: "n1", why: urgent } as const;
  return { ...own, launchedAt: 0, endedAt: 1_000, slotMs: 1_000, end: ended, ...facts };
}

const expired = { rule: "silent-too-long", numbers: { silentMs: 10_000 } };

/** n3 dies: readers miss the output of map/0, then the node is lost, and map/2 with it. */
const recompute = (at: number, task: string, rule: string): RecomputeFacts => ({
  at,
  task: `count/${task}`,
  why: { rule, numbers: {} },
});

const recomputes = [
  recompute(4_900, "map/0", "output-missed"),
  recompute(12_000, "map/2", "output-lost-and-needed"),
];

const result: RunResult = {
  id: "r1",
  job: "count",
  outcome: "succeeded",
  discipline: "late",
  runDirectory: "runs/r1",
  journal: "runs/r1/journal.ndjson",
  output: "out",
  parts: [],
  responseMs: 20_000,
  wallMs: 20_000,
  phases: [],
  counters: {},
  badRecords: { count: 0, samples: [] },
  attempts: [
    attempt("map/0#0", { node: "n3" }),
    attempt("map/1#0", {
      endedAt: 12_000,
      node: "n3",
      end: { kind: "lost", why: expired },
    }),
    attempt("map/2#0", { node: "n3" }),
    attempt("map/0#1", { as: "recompute", node: "n2", launchedAt: 5_000 }),
    attempt("map/1#1", { as: "rerun", launchedAt: 12_000 }),
    attempt("map/2#1", { as: "recompute", node: "n4", launchedAt: 12_500 }),
  ],
  totals: {
    launched: 6,
    speculative: 0,
    speculativeWon: 0,
    succeeded: 5,
    failed: 0,
    killed: 0,
    lost: 1,
    recomputed: 2,
    wastedMs: 0,
    failedMs: 0,
    lostMs: 0,
    savedMs: 0,
  },
  nodes: [],
  outputsLost: ["count/map/2"],
  outputsCopied: [],
  recomputes,
};

const text = reportText([{ title: "LATE", result, comparison: { kind: "equal", words: 3 } }], 100);

test("what is made again is told with the reason for which the core decided it", () => {
  expect(text).toContain("5.0 s  recompute  map/0#1 on n2: output-missed");
  expect(text).toContain("12.5 s  recompute  map/2#1 on n4: output-lost-and-needed");
  expect(text).not.toContain("urgent");
});

test("what runs again is told with what became of it before", () => {
  expect(text).toContain("12.0 s  rerun      map/1#1 on n1: map/1#0 was lost with n3");
  expect(text).toContain("12.0 s  lost       map/1#0 on n3: silent-too-long: silent 10.0 s");
});

test("outputs that were missed count beside those that were lost", () => {
  expect(text).toMatch(/outputs lost or missed +map\/2 map\/0\n/);
  expect(text).toMatch(/recomputed +2\n/);
});
