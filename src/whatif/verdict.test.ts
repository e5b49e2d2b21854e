import { describe, expect, test } from "vitest";
import type { Answer, Change } from "./change.ts";
import type { WhatIfFacts, WhatIfRow } from "./document.ts";
import { verdictOf } from "./verdict.ts";

const change = (ms: number, half: number): Change => ({
  rho: 0,
  ms,
  lowMs: ms - half,
  highMs: ms + half,
  slotShare: 0.04,
  copies: 2,
  wins: 1,
});
const answer = (first: Change, second?: Change): Answer => ({
  byAttempt: first,
  ...(second !== undefined && { byTask: second }),
});
const row = (policy: string, of: Answer, parts: Partial<WhatIfRow> = {}): WhatIfRow => ({
  policy,
  ...of,
  placebo: 0,
  isMarked: false,
  ...parts,
});
const found = (parts: Partial<WhatIfFacts>): WhatIfFacts => ({
  job: "j",
  responseMs: 60_000,
  cannot: [],
  assumed: [],
  gate: { discipline: "none", simulatedMs: 60_000, error: 0, verdict: "good" },
  baseline: "none",
  baselineSettings: [],
  seeds: 20,
  rho: { from: "unknown", low: 0, high: 1 },
  isNothingToTry: false,
  rows: [],
  ...parts,
});
const saving = answer(change(-12_000, 3_000), change(0, 0));

describe("the first sentence", () => {
  test("names the policy that saves most, with both ends of the range for bad luck", () => {
    const rows = [row("yarn", answer(change(-5_000, 1_000))), row("late", saving)];
    expect(verdictOf(found({ rows }))[0]).toBe(
      "If the job ran again, late would save 12.0 s [9.0, 15.0] (20 %) if bad luck belongs to " +
        "attempts, and nothing beyond chance if the long tasks are long by nature.",
    );
  });

  test("says what is lost with the smaller end first, as what is saved", () => {
    const rows = [row("mantri", answer(change(-12_000, 3_000), change(4_600, 1_200)))];
    expect(verdictOf(found({ rows }))[0]).toBe(
      "If the job ran again, mantri would save 12.0 s [9.0, 15.0] (20 %) if bad luck belongs to " +
        "attempts, and would lose 4.6 s [3.4, 5.8] if the long tasks are long by nature.",
    );
  });

  test("says so if no policy beats chance", () => {
    const rows = [row("late", answer(change(-2_000, 3_000), change(0, 0)))];
    expect(verdictOf(found({ rows }))[0]).toBe("No policy would have helped by more than chance.");
  });

  test("is of another run where a policy helped that day, and promises nothing", () => {
    const thatRun = { ...answer(change(-9_000, 1_000)), isRough: false };
    const rows = [row("late", answer(change(-2_000, 3_000), change(0, 0)), { thatRun })];
    expect(verdictOf(found({ rows }))).toEqual([
      "If the job ran again, no policy would save more than chance.",
      "In that very run late would have saved 9.0 s [8.0, 10.0].",
    ]);
  });

  test("has a reason that agrees with what helped that day", () => {
    const loss = { delayMs: 20_000, fixed: [] };
    const again = answer(change(-2_000, 3_000), change(0, 0));
    const helped = { ...answer(change(-9_000, 1_000)), isRough: false };
    const reason = (thatRun: typeof helped) =>
      verdictOf(found({ rows: [row("late", again, { thatRun })], loss })).at(-1);
    const late = "The 20.0 s lost are attempts that were late, ";
    expect(reason(helped)).toBe(`${late}beside which a copy may be done sooner.`);
    expect(reason({ ...answer(change(-9_000, 10_000)), isRough: false })).toBe(
      `${late}but the copies (at most 2.0 a run, of which 1.0 win) end them hardly sooner.`,
    );
  });

  test("passes over a policy that changes as much without its copies", () => {
    const rows = [row("mantri", saving, { isMarked: true })];
    expect(verdictOf(found({ rows }))[0]).toMatch(/^No policy/);
  });

  test("is rough where the gate is, and missing where the gate failed", () => {
    const gate = { discipline: "none", simulatedMs: 1, error: 0.1, verdict: "rough" } as const;
    expect(verdictOf(found({ gate, rows: [row("late", saving)] }))[0]).toMatch(/^Roughly: /);
    expect(verdictOf(found({ gate: { ...gate, verdict: "bad" } }))[0]).toMatch(/^No answer: /);
  });

  test("is about the cluster if the cluster is another one", () => {
    const rows = [row("none", answer(change(-9_000, 1_000))), row("late", saving)];
    expect(verdictOf(found({ rows, size: { nodes: 20 } }))).toEqual([
      "On 20 nodes, the job under its own policy would take 9.0 s [8.0, 10.0] less (15 %).",
      "No other policy would be faster there.",
    ]);
  });
});

test("the recorded run has its own sentence, which says if the answer is rough", () => {
  const thatRun = { ...answer(change(-4_000, 1_000)), isRough: true };
  const rows = [row("late", saving, { thatRun })];
  expect(verdictOf(found({ rows }))[1]).toBe(
    "In that very run it would have saved 4.0 s [3.0, 5.0] (roughly).",
  );
});

test("the recorded run has both ends of the range for bad luck, once if equal", () => {
  const ran = (of: Answer): string | undefined => {
    const rows = [row("late", saving, { thatRun: { ...of, isRough: false } })];
    return verdictOf(found({ rows }))[1];
  };
  expect(ran(answer(change(-33_000, 5_000), change(-18_000, 0)))).toBe(
    "In that very run it would have saved 33.0 s [28.0, 38.0] if bad luck belongs to attempts, " +
      "and saved 18.0 s [18.0, 18.0] if the long tasks are long by nature.",
  );
  expect(ran(answer(change(-1_000, 5_000), change(0, 0)))).toBe(
    "In that very run it would have made no difference beyond chance.",
  );
});

test("advice has the change, the slot-seconds, and the other end of the range", () => {
  const advice = {
    kind: "set",
    settings: ["spark.speculation.multiplier=1.3", "spark.speculation.quantile=0.6"],
    seeds: 10,
    ...answer(change(-38_000, 15_000), change(-2_000, 1_000)),
  } as const;
  expect(verdictOf(found({ responseMs: 316_000, advice })).at(-1)).toBe(
    "Set spark.speculation.multiplier=1.3, spark.speculation.quantile=0.6: -38.0 s " +
      "[-53.0, -23.0] (12 %), +4 % slot-seconds; if the long tasks are long by nature: -2.0 s " +
      "[-3.0, -1.0].",
  );
});
