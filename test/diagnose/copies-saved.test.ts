import { expect, test } from "vitest";
import { diagnose } from "../../src/diagnose/why.ts";
import { jobOf } from "../../src/library/job-of-history.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { tryPolicies } from "../../src/whatif/try-policies.ts";

/** Copies won in each of them. */
const HISTORIES = [
  "fixtures/pairs/spark/on.ndjson.zst",
  "fixtures/pairs/hadoop/late.jhist.gz",
  "fixtures/pairs/engine/late.ndjson.gz",
];

test.each(HISTORIES)("without copies, that very run takes what they saved: %s", async (path) => {
  const trace = await openTrace(path);
  const { source } = trace;
  const job = jobOf({ trace, place: path });
  const found = diagnose({ notes: [] }, job, { intervals: false });
  const copies = found.kind === "why" ? found.why.copies : undefined;
  const change = tryPolicies(job, { policies: ["none"], source }).rows[0]?.thatRun?.byAttempt;
  if (copies === undefined || change === undefined) throw new Error("no copies, or no row");
  // The audit draws 200 times and tells 90 %, the what-if 20 times and 95 %.
  const [low, high] = [copies.lowMs, copies.highMs];
  expect(change.lowMs).toBeLessThan(copies.savedMs);
  expect(change.highMs).toBeGreaterThan(copies.savedMs);
  expect(change.ms).toBeGreaterThan(change.lowMs);
  expect(change.highMs - change.lowMs).toBeGreaterThan((high - low) / 2);
});
