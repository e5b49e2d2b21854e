import { expect, test } from "vitest";
import { adviceOf } from "./advice.ts";
import type { CauseRow, Why } from "./document.ts";
import type { NodeRow, PhaseRow } from "./findings.ts";

const phase: PhaseRow = {
  phase: "stage 2",
  tasks: 48,
  attempts: 48,
  delayMs: 30_000,
  use: { slotMs: 0, failed: 0 },
  isPlaced: true,
  skew: { tasks: 3, task: 7, bytes: 4_000_000, medianBytes: 1_000_000 },
};

/** A job of 100 s that lost 30 s to one cause. */
function whyOf(row: Partial<CauseRow>, more: Partial<Why> = {}): Omit<Why, "verdict"> {
  const evidence = [{ what: "stage 2/7#0", ms: 30_000 }];
  const cause: CauseRow = { cause: "bytes", ms: 30_000, aloneMs: 30_000, evidence, ...row };
  return {
    job: { settings: { values: {} } },
    responseMs: 100_000,
    causes: [cause],
    phases: [phase],
    nodes: [],
    ...more,
  } as unknown as Omit<Why, "verdict">;
}

test("tasks that read much more than the median are named with their sizes", () => {
  expect(adviceOf(whyOf({}))).toEqual([
    "Repartition: stage 2/7 reads 4.0 MB, 4.0 times the median of 48 tasks (1.0 MB), and 2 more " +
      "at least twice as much; that alone would save 30.0 s.",
  ]);
  const { skew: _, ...even } = phase;
  expect(adviceOf(whyOf({}, { phases: [even] }))).toEqual([]);
});

test("a cause that may be chance carries no advice, nor one whose end would save nothing", () => {
  expect(adviceOf(whyOf({ lowMs: 500 }))).toEqual([]);
  expect(adviceOf(whyOf({ aloneMs: 900 }))).toEqual([]);
  expect(adviceOf(whyOf({ aloneMs: 1_100 }))).toHaveLength(1);
});

test("a node is to be repaired if that is worth it", () => {
  const node = (name: string) => ({ node: name, verdict: "lasting" }) as unknown as NodeRow;
  const cause = { cause: "node", aloneMs: 20_000 } as const;
  expect(adviceOf(whyOf(cause, { nodes: [node("n4")] }))).toEqual([
    "Repair node n4, or take it out of service: that alone would save 20.0 s.",
  ]);
  expect(adviceOf(whyOf({ ...cause, aloneMs: 300 }, { nodes: [node("n4")] }))).toEqual([]);
  const [many] = adviceOf(whyOf(cause, { nodes: ["a", "b", "c", "d"].map(node) }));
  expect(many).toBe(
    "Repair or take out of service 4 nodes, a, b, c first: that alone would save 20.0 s.",
  );
});

const waited: Partial<CauseRow> = {
  cause: "waited-to-start",
  parts: [{ what: "beside a free slot", ms: 25_000 }],
};

test("waits beside free slots name Spark's setting if tasks prefer places", () => {
  const [advice] = adviceOf(whyOf(waited));
  expect(advice).toBe(
    "Attempts waited beside free slots for 25.0 s: spark.locality.wait (3s) is a likely reason, " +
      "try 0s; that alone would save 30.0 s.",
  );
  const unplaced = { phases: [{ ...phase, isPlaced: false }] };
  expect(adviceOf(whyOf(waited, unplaced))).toEqual([]);
  const waitedFor = [{ what: "n1", ms: 20_000 }];
  expect(adviceOf(whyOf({ ...waited, waitedFor }, unplaced))).toEqual([
    "Tasks waited 20.0 s for n1, where their data are, beside free slots elsewhere: " +
      "spark.locality.wait (3s) is a likely reason, try 0s; that alone would save 30.0 s.",
  ]);
  const map = { ...phase, phase: "map" };
  expect(adviceOf(whyOf(waited, { phases: [map] }))).toEqual([]);
  const job = { settings: { values: { "spark.locality.wait": "0s" } } } as unknown as Why["job"];
  expect(adviceOf(whyOf(waited, { job }))).toEqual([]);
});

test("for garbage collection and failures, the advice says where to look", () => {
  expect(adviceOf(whyOf({ cause: "gc" }))).toEqual([
    "Give tasks more memory or less data: some collect garbage where their peers do not; that " +
      "alone would save 30.0 s.",
  ]);
  expect(adviceOf(whyOf({ cause: "retries" }))).toEqual([
    "Find out why attempts failed, stage 2/7#0 first; that alone would save 30.0 s.",
  ]);
});
