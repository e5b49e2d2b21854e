import fc from "fast-check";
import { expect, test } from "vitest";
import { instant } from "../../model/ids.ts";
import { REDUCE_STAGES } from "../../model/job.ts";
import type { ForeseenProgress, Report, ReportedProgress } from "../../model/progress.ts";
import { forgetOldReports, type Observed, rateAt, reportAt, reportsOf } from "./progress.ts";

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

test("old reports are forgotten, but not how the attempt began", () => {
  const scores = fc.array(fc.constantFrom(0, 0, 1), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(scores, fc.nat(12), (grows, young) => {
      let score = 0;
      const told = grows.map((by, at): ReportedProgress => {
        score += by / 16;
        return {
          ...{ kind: "reported", at: instant(at), changedAt: instant(at), stage: 0 },
          ...{ score, bytesRead: 0, bytesWritten: 0, records: 0 },
        };
      });
      const kept: ReportedProgress[] = [];
      for (const report of told) {
        kept.push(report);
        forgetOldReports(kept, (at) => at < report.at - young);
      }
      const nothings = told.filter((one) => one.score === 0);
      const some = told.filter((one) => one.score > 0);
      const beginning = [...nothings.slice(-1), ...some.slice(0, 2)];
      const last = told.length - 1;
      expect(kept).toEqual(told.filter((one) => one.at >= last - young || beginning.includes(one)));
    }),
  );
});

const LINE: ForeseenProgress = {
  ...{ kind: "line", startedAt: STARTED_AT, scorePerMs: 1 / 64, bytesReadPerMs: 8 },
  reportEvery: 0,
};
const CURVE: ForeseenProgress = {
  ...{ kind: "curve", startedAt: STARTED_AT, reportEvery: 0 },
  segments: [
    {
      ...{ from: STARTED_AT, stage: 0 },
      at: { score: 0.5, bytesRead: 100, bytesWritten: 10, records: 1 },
      perMs: { score: 1 / 64, bytesRead: 8, bytesWritten: 4, records: 2 },
    },
  ],
};

test.each([
  ["a line", LINE, { bytesRead: 512, bytesWritten: 0, records: 0 }],
  ["a curve", CURVE, { bytesRead: 356, bytesWritten: 138, records: 65 }],
])("what an attempt on %s read and wrote stops growing at score 1", (_, source, whole) => {
  const late = instant(STARTED_AT + 1_000);
  expect(reportAt(observed(source, undefined), late)).toMatchObject({ score: 1, ...whole });
});

test("an attempt that succeeds has its last amounts, whatever its last report told", () => {
  const endedAt = instant(STARTED_AT + 32);
  const source = { ...CURVE, reportEvery: 20 };
  const attempt: Observed = { ...observed(source, undefined), state: "succeeded", endedAt };
  expect(reportAt(observed(source, undefined), endedAt).records).toBe(41);
  expect(reportAt(attempt, endedAt)).toMatchObject({ score: 1, records: 65, bytesRead: 356 });
});

test("an attempt that succeeds is in its task's last stage, whatever its last report told", () => {
  const attempt: Observed = {
    ...observed({ ...CURVE, reportEvery: 20 }, undefined),
    ...{ state: "succeeded", endedAt: instant(STARTED_AT + 32) },
    record: { task: { stages: REDUCE_STAGES } },
  };
  expect(reportAt(attempt, instant(STARTED_AT + 32)).stage).toBe(REDUCE_STAGES.length - 1);
});

test("an attempt that was not heard of yet has no rate", () => {
  const launched: Observed = { ...observed(LINE, undefined), startedAt: undefined };
  expect(rateAt(launched, instant(STARTED_AT + 10))).toBe(0);
});

test("the score of a line changes until its latest report, however slowly", () => {
  const line = { kind: "line" as const, startedAt: STARTED_AT, bytesReadPerMs: 0, reportEvery: 0 };
  const at = instant(500);
  const changedAt = (scorePerMs: number) =>
    reportAt(observed({ ...line, scorePerMs }, undefined), at).changedAt;
  expect(changedAt(1e-6)).toBe(at);
  expect(changedAt(0)).toBe(STARTED_AT);
});

test.each([
  ["grew until its rate fell to 0", { score: 0, perMs: 1 / 1_024 }, 1 / 8],
  ["jumped at a change of the curve", { score: 0, perMs: 0 }, 1 / 2],
])("the score of a curve %s, two segments ago", (_, first, score) => {
  const segment = (after: number, at: number, perMs: number) => ({
    ...{ from: instant(STARTED_AT + after), stage: 0 },
    at: { score: at, bytesRead: 0, bytesWritten: 0, records: 0 },
    perMs: { score: perMs, bytesRead: 0, bytesWritten: 0, records: 0 },
  });
  const segments = [segment(0, first.score, first.perMs), segment(128, score, 0)];
  const curve = { ...CURVE, segments: [...segments, segment(256, score, 0)] };
  const report = reportAt(observed(curve, undefined), instant(STARTED_AT + 500));
  expect(report).toMatchObject({ score, changedAt: STARTED_AT + 128 });
});
