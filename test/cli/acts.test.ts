import { expect, test } from "vitest";
import { acts, outputsGone } from "../../src/cli/acts.ts";
import type { AttemptFacts, RecomputeFacts, RunResult } from "../../src/hosts/engine/index.ts";

const urgent = { rule: "urgent", numbers: { key: -2 } };
const ended = { kind: "succeeded", bytes: 1, records: 1 } as const;

function attempt(name: string, facts: Partial<AttemptFacts>): AttemptFacts {
  const [task = ""] = name.split("#");
  const where = { attempt: `count/${name}`, task: `count/${task}`, phase: "map" };
  const own = { ...where, as: "original", node: "n1", why: urgent } as const;
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
    lostSlotMs: 0,
  },
  nodes: [],
  outputsLost: ["count/map/2"],
  outputsCopied: [],
  recomputes,
  faultsMissed: [],
};

const lines = acts(result).map(({ at, what, text }) => `${at} ${what} ${text}`);

test("a recompute has the reason for which the core decided it", () => {
  expect(lines).toContain(
    "5000 recompute map/0#1 on n2: a reader could not fetch the task's output",
  );
  expect(lines).toContain(
    "12500 recompute map/2#1 on n4: the task's output was lost and is still needed",
  );
  expect(lines.join("\n")).not.toContain("urgent");
});

test("a rerun has the end of the previous attempt", () => {
  expect(lines).toContain("12000 rerun map/1#1 on n1: map/1#0 was lost with n3");
  expect(lines).toContain(
    "12000 lost map/1#0 on n3: the node's heartbeats stopped: silent for 10.0 s",
  );
});

test("missed outputs count like lost outputs", () => {
  expect(outputsGone(result)).toEqual(["count/map/2", "count/map/0"]);
});
