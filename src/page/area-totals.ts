import { cell } from "../base/rows.ts";
import type { Window } from "./raster.ts";
import type { Run } from "./run.ts";

/** The attempts that run within some rows and times, and their slot time there. */
export function areaTotals(run: Run, area: Window) {
  const totals = { attempts: 0, late: 0, slotMs: 0, copies: 0 };
  const { attempts } = run;
  const { first } = run.rows.bars;
  for (let row = Math.max(0, area.top); row < Math.min(run.rows.count, area.bottom); row++) {
    for (let place = cell(first[row]); place < cell(first[row + 1]); place++) {
      const i = cell(run.rows.attemptAt[place]);
      // Rows of a page that grows have room without a bar.
      if (i < 0) continue;
      const from = Math.max(cell(attempts.startedAt[i]), area.from);
      const to = Math.min(run.heardTo(i), area.to);
      if (to <= from) continue;
      totals.attempts += 1;
      totals.slotMs += to - from;
      if (run.isLate(i)) totals.late += 1;
      if (run.kindOf(i) === "speculative") totals.copies += 1;
    }
  }
  return totals;
}
