import { expect, test } from "vitest";
import { adviceOf } from "./advice.ts";
import type { CauseRow, PhaseRow, Why } from "./document.ts";

const phase: PhaseRow = {
  phase: "stage 2",
  tasks: 48,
  attempts: 48,
  delayMs: 30_000,
  isPlaced: true,
  largest: { tasks: 3, share: 0.4 },
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

test("a few partitions that hold much are named with their sizes", () => {
  expect(adviceOf(whyOf({}))).toEqual([
    "Repartition: 3 of 48 partitions hold 40 % of the bytes that stage 2 reads.",
  ]);
  const even = { ...phase, largest: { tasks: 3, share: 0.1 } };
  expect(adviceOf(whyOf({}, { phases: [even] }))).toEqual([
    "Repartition: stage 2/7#0 read much more than its peers.",
  ]);
});

test("a cause that may be chance carries no advice", () => {
  expect(adviceOf(whyOf({ lowMs: 500 }))).toEqual([]);
});

const waited: Partial<CauseRow> = {
  cause: "waited-to-start",
  parts: [{ what: "beside a free slot", ms: 25_000 }],
};

test("waits beside free slots name Spark's setting if tasks prefer places", () => {
  const [advice] = adviceOf(whyOf(waited));
  expect(advice).toBe(
    "Attempts waited beside free slots for 25.0 s: spark.locality.wait (3s) is a likely reason, " +
      "try 0s.",
  );
  expect(adviceOf(whyOf(waited, { phases: [{ ...phase, isPlaced: false }] }))).toEqual([]);
  const map = { ...phase, phase: "map" };
  expect(adviceOf(whyOf(waited, { phases: [map] }))).toEqual([]);
  const job = { settings: { values: { "spark.locality.wait": "0s" } } } as unknown as Why["job"];
  expect(adviceOf(whyOf(waited, { job }))).toEqual([]);
});

test("for garbage collection and failures, the advice says where to look", () => {
  expect(adviceOf(whyOf({ cause: "gc" }))).toEqual([
    "Give tasks more memory or less data: some collect garbage where their peers do not.",
  ]);
  expect(adviceOf(whyOf({ cause: "retries" }))).toEqual([
    "Find out why attempts failed, stage 2/7#0 first.",
  ]);
});
