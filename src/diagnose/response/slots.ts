import { cell } from "../../base/rows.ts";
import type { SlotsRow } from "../document.ts";
import type { Plan } from "../schedule/planned.ts";
import { type Parts, peaksOf } from "./parts.ts";

/** The slots that a job had, and which of them came late. `doneAt`: when its last task was done. */
export function slotsRow(plan: Plan, { doneWithAllAt }: Parts, doneAt: number): SlotsRow {
  const { job, pools, start, gates } = plan;
  const at = job.submittedAt;
  const most = peaksOf(plan).reduce((sum, count) => sum + count, 0);
  const masters = job.masterStarts?.map((startedAt) => startedAt - at);
  const first = gates.reduce((least, gate) => Math.min(least, gate.at), cell(start[0]));
  const comes = pools.from.flatMap((from) => [...from]).sort((a, b) => Math.sign(a - b));
  const early = comes.filter((from) => from <= first).length;
  const late = comes.slice(early, most).map((from) => from - first);
  return {
    most,
    isRecorded: pools.isRecorded,
    ...(late.length > 0 && {
      late: {
        slots: late.length,
        byMs: cell(late[Math.floor(late.length / 2)]),
        tookMs: doneAt - first,
        wouldTakeMs: doneWithAllAt - first,
      },
    }),
    ...(masters !== undefined && { masterStarts: masters }),
  };
}
