import { describe, expect, test } from "vitest";
import { hopelessJob, type Reason } from "../../test/diagnose/support/hopeless.ts";
import { fitted } from "./fitted.ts";
import { type Loss, lossOf, reasonText } from "./loss.ts";

const rows = [] as const;
const told = (loss: Loss, helps = false): string =>
  reasonText(loss, { responseMs: 100_000, rows, helps });

describe("what no policy changes is told with its seconds", () => {
  const reasons: readonly [Reason, string][] = [
    ["wait", "waits to start"],
    ["failure", "attempts that ended without a result"],
  ];
  test.each(reasons)("%s", (reason, name) => {
    const fit = fitted(hopelessJob(3, new Set([reason])));
    const loss = lossOf(fit);
    if (loss === undefined) throw new Error("a record that contradicts itself");
    const { endedAt, submittedAt } = fit.plan.job;
    const said = reasonText(loss, { responseMs: endedAt - submittedAt, rows, helps: false });
    expect(said).toContain(`${name}, which no policy changes`);
    expect(loss.fixed[0]?.ms).toBeGreaterThan(0.8 * loss.delayMs);
  });
});

test("a part of the loss is told beside the whole, and the whole alone", () => {
  const fixed = [{ what: "waits to start", ms: 40_000 }];
  expect(told({ delayMs: 60_000, fixed })).toBe(
    "40.0 s of the 60.0 s lost are waits to start, which no policy changes; 20.0 s are attempts " +
      "that were late.",
  );
  expect(told({ delayMs: 40_000, fixed })).toBe(
    "The 40.0 s lost are waits to start, which no policy changes.",
  );
});

test("late attempts are a reason for copies, or the policies find none to copy", () => {
  const loss = { delayMs: 30_000, fixed: [{ what: "tasks with more input", ms: 5_000 }] };
  expect(told(loss, true)).toBe(
    "25.0 s of the 30.0 s lost are attempts that were late, beside which a copy may be done " +
      "sooner; 5.0 s are tasks with more input, which no policy changes.",
  );
  expect(told(loss)).toContain("late, but no policy that was tried copies one in time; 5.0 s");
});

test("where next to nothing was lost, there is little to save", () => {
  expect(told({ delayMs: 300, fixed: [] })).toBe(
    "Only 0.30 s of the 100 s were lost: there is little to save.",
  );
});
