import { defined } from "../../base/assert.ts";
import { cell } from "../../base/rows.ts";
import { TRACE_PHASE_KINDS } from "../../history/model.ts";
import type { PlannedAttempts, SlotPools } from "./planned.ts";

/** One pool for each kind of phase; Spark's is fed by the cores of its executors. */
export function slotPools(plan: PlannedAttempts): {
  readonly pool: Int32Array;
  readonly pools: SlotPools;
} {
  const { job } = plan;
  const pool = plan.phase.map((phase) =>
    TRACE_PHASE_KINDS.indexOf(defined(job.phases[phase], "a phase of the job").kind),
  );
  const recorded = TRACE_PHASE_KINDS.map((kind) => job.slots.filter((slot) => slot.kind === kind));
  const isRecorded = job.slots.length > 0;
  const from = TRACE_PHASE_KINDS.map((_, index) =>
    isRecorded
      ? Float64Array.from(recorded[index] ?? [], (slot) => slot.from)
      : new Float64Array(mostAtOnce(plan, pool, index)).fill(Number.NEGATIVE_INFINITY),
  );
  const until = TRACE_PHASE_KINDS.map((_, index) =>
    isRecorded
      ? Float64Array.from(recorded[index] ?? [], (slot) => slot.until ?? Number.POSITIVE_INFINITY)
      : new Float64Array(from[index]?.length ?? 0).fill(Number.POSITIVE_INFINITY),
  );
  return { pool, pools: { from, until, isRecorded } };
}

/** A slot that is freed at a moment can be taken at that moment. */
function mostAtOnce({ start, end, count }: PlannedAttempts, pool: Int32Array, of: number): number {
  const chosen = (times: Float64Array): Float64Array =>
    times.filter((_, i) => i < count && pool[i] === of).sort();
  const starts = chosen(start);
  const ends = chosen(end);
  let most = 0;
  let ended = 0;
  for (const [begun, at] of starts.entries()) {
    while (ended < ends.length && cell(ends[ended]) <= at) ended++;
    most = Math.max(most, begun + 1 - ended);
  }
  return most;
}
