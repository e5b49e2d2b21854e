import { expect, test } from "vitest";
import { tableFrom } from "../../test/support/tables.ts";
import { TRACE_ENDS } from "../history/columns.ts";
import { PAGE_ATTEMPT, type PageDocument } from "../report/page/document.ts";
import { areaTotals } from "./area-totals.ts";
import { Run } from "./run.ts";
import { SlotBars } from "./slot-bars.ts";

/** Two slots; the second runs attempts of 0 to 30 and 30 to 100 ms, the first one of 0 to 50. */
function runOf(isLive: boolean): Run {
  const attempts = tableFrom(PAGE_ATTEMPT, 3, {
    row: [0, 1, 1],
    startedAt: [0, 0, 30],
    endedAt: [50, 30, 100],
    heardAt: [50, 30, 100],
    expectedMs: [40, 40, 40],
  });
  attempts.ends.fill(TRACE_ENDS.indexOf("succeeded"));
  const rows = [0, 1].map(() => ({ node: 0, kind: "map" }));
  const head = {
    jobs: [],
    nodes: [{ name: "n" }],
    rows,
    phases: [{ job: 0 }],
    endsAt: 100,
    isLive,
  };
  const document = { head, attempts } as unknown as PageDocument;
  return new Run(document, { barsOf: (given) => new SlotBars(given) });
}

test.each([false, true])(
  "an area has the attempts within its rows and times (live: %s)",
  (isLive) => {
    const run = runOf(isLive);
    const totals = { late: 1, copies: 0 };
    expect(areaTotals(run, { from: 0, to: 100, top: 0, bottom: 2 })).toEqual({
      ...totals,
      attempts: 3,
      slotMs: 150,
    });
    expect(areaTotals(run, { from: 20, to: 60, top: 1, bottom: 9 })).toEqual({
      ...totals,
      attempts: 2,
      slotMs: 40,
    });
  },
);
