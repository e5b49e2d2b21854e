import { span } from "../format.ts";
import type { PageState } from "../state.ts";

/** Totals of the area that was dragged over. */
export function Area({ state }: { readonly state: PageState }) {
  const { run } = state;
  const area = state.area.value;
  if (area === undefined) return null;
  const totals = { attempts: 0, late: 0, slotMs: 0, copies: 0 };
  const { attempts } = run;
  const { first } = run.rows.bars;
  for (let row = Math.max(0, area.top); row < Math.min(run.rows.count, area.bottom); row++) {
    for (let place = first[row] ?? 0; place < (first[row + 1] ?? 0); place++) {
      const i = run.rows.attemptAt[place] ?? 0;
      const from = Math.max(attempts.startedAt[i] ?? 0, area.from);
      const to = Math.min(run.heardTo(i), area.to);
      if (to <= from) continue;
      totals.attempts += 1;
      totals.slotMs += to - from;
      if (run.isLate(i)) totals.late += 1;
      if (run.kindOf(i) === "speculative") totals.copies += 1;
    }
  }
  const rows = area.bottom - area.top;
  return (
    <>
      <h3>
        {span(area.from)} to {span(area.to)}
      </h3>
      <dl>
        <dt>attempts</dt>
        <dd>{totals.attempts}</dd>
        <dt>late</dt>
        <dd>{totals.late}</dd>
        <dt>copies</dt>
        <dd>{totals.copies}</dd>
        <dt>slots in use</dt>
        <dd>
          {(totals.slotMs / (area.to - area.from)).toFixed(1)}
          {run.rows.by === "slot" ? ` of ${rows}` : ""} on average
        </dd>
      </dl>
      <button
        type="button"
        onClick={() => {
          state.window.value = area;
          state.area.value = undefined;
        }}
      >
        zoom here
      </button>
    </>
  );
}
