import { after } from "../../model/ids.ts";
import type { EdgeStart } from "../../model/job.ts";
import type { PhaseRecord } from "../state/records.ts";
import { countRemaining, remainingIn } from "../state/remaining.ts";
import type { Core } from "./core.ts";
import { stopWaitingAll } from "./tasks.ts";

/** Whether enough tasks are done in the phases that this one reads. */
export function edgesAllow(core: Core, phase: PhaseRecord): boolean {
  return phase.phase.after.every((edge, index) => {
    const source = phase.upstream[index]!;
    return source.begun && source.done - source.gone >= startsAt(core, edge.start) * source.size;
  });
}

/**
 * Whether the phase's gap is over, which begins when the edges first allow the phase to begin. A
 * phase whose edges stop allowing it meanwhile keeps the end of its gap.
 */
export function gapIsOver(core: Core, phase: PhaseRecord): boolean {
  const { gapMs = 0 } = phase.phase;
  if (gapMs === 0) return true;
  phase.beginsAt ??= after(core.now, gapMs);
  if (phase.beginsAt <= core.now) return true;
  core.state.inGap.add(phase);
  wakeAfterGap(core);
  return false;
}

/** Takes out the phases whose gap ends now, and sets the time of the next end. */
export function takeAfterGap(core: Core): readonly PhaseRecord[] {
  const over = [...core.state.inGap].filter(({ beginsAt = core.now }) => beginsAt <= core.now);
  for (const phase of over) core.state.inGap.delete(phase);
  wakeAfterGap(core);
  return over;
}

function wakeAfterGap({ now, state, wakes }: Core): void {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { beginsAt = now } of state.inGap) earliest = Math.min(earliest, beginsAt);
  if (earliest === Number.POSITIVE_INFINITY) wakes.clear(GAPS);
  else wakes.set(GAPS, earliest);
}

/** The owner of the wakes at the ends of gaps. */
export const GAPS = "gaps";

/**
 * Hadoop 1.2.1 (JobInProgress.obtainNewReduceTask, scheduleReduces): while lost outputs are being
 * recomputed and fewer outputs are present than readers need to start, no reader starts. Running
 * readers continue. A lost output that is not being recomputed holds no reader back: the first
 * reader that misses it causes its recompute.
 */
export function holdReaders(core: Core, source: PhaseRecord): void {
  if (source.gone === 0 || !startsReaders(core)) return;
  for (const reader of source.readers) {
    if (!reader.ready || edgesAllow(core, reader)) continue;
    countRemaining(core.state, reader, -remainingIn(reader));
    reader.ready = false;
    if (reader.waiting === 0) continue;
    const { done, gone, size } = source;
    core.pass("readers-held", () => ({ phase: reader.phase.name, done, gone, tasks: size }));
    stopWaitingAll(core, reader);
  }
}

/** Whether the core starts the readers, and its order can hold them back more than once. */
const startsReaders = ({ seats, state }: Core): boolean =>
  state.setup.capabilities.includes("slot-offers") && !seats.order.policy.readersStayReady;

/** The fraction of the phase that must be done before its readers start. */
function startsAt(core: Core, start: EdgeStart): number {
  if (start.when === "done") return 1;
  if (start.when === "pipelined") return 0;
  let share = start.of;
  for (const { policy, ctx } of core.seats.data) {
    share = Math.max(share, policy.slowstart?.(ctx) ?? 0);
  }
  return share;
}
