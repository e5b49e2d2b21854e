import fc from "fast-check";
import { expect, test } from "vitest";
import { instant } from "../model/ids.ts";
import type { ForeseenProgress, Report } from "../model/progress.ts";
import { type Observed, reportAt, reportsOf } from "./progress.ts";

const amounts = fc.record({
  score: fc.double({ min: 0, max: 0.1, noNaN: true }),
  bytesRead: fc.nat(1000),
  bytesWritten: fc.nat(1000),
  records: fc.nat(100),
});
const STARTED_AT = instant(100);
const reportEvery = fc.integer({ min: 1, max: 50 });
const sources = fc.oneof(
  fc.record({
    kind: fc.constant("line" as const),
    startedAt: fc.constant(STARTED_AT),
    scorePerMs: fc.double({ min: 0, max: 0.1, noNaN: true }),
    bytesReadPerMs: fc.nat(100),
    reportEvery,
  }),
  fc.record({
    kind: fc.constant("curve" as const),
    startedAt: fc.constant(STARTED_AT),
    segments: fc.tuple(amounts, amounts, amounts, fc.nat(300)).map(([at, first, second, later]) => [
      { from: STARTED_AT, stage: 0, at, perMs: first },
      { from: instant(STARTED_AT + 1 + later), stage: 1, at, perMs: second },
    ]),
    reportEvery,
  }),
);

const observed = (progress: ForeseenProgress, silentSince: number | undefined): Observed => ({
  launchedAt: STARTED_AT,
  startedAt: STARTED_AT,
  endedAt: undefined,
  state: "running",
  holdsSlot: true,
  host: { silentSince: silentSince === undefined ? undefined : instant(silentSince) },
  record: { task: { stages: [] } },
  progress,
  reports: undefined,
  stages: undefined,
});

test("reports since an instant end when the node fell silent", () => {
  const times = fc.record({
    since: fc.nat(600),
    now: fc.nat(600),
    silentSince: fc.option(fc.nat(600), { nil: undefined }),
  });
  fc.assert(
    fc.property(sources, times, (source, { now, silentSince, since }) => {
      const attempt = observed(source, silentSince);
      const sent: Report[] = [];
      for (let at = STARTED_AT; at <= now; at = instant(at + source.reportEvery)) {
        if (at >= since && at <= (silentSince ?? now)) sent.push(reportAt(attempt, at));
      }
      expect([...reportsOf(attempt, instant(since), instant(now))]).toEqual(sent);
    }),
  );
});
