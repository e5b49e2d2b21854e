import { planOf } from "../../diagnose/schedule/plan.ts";
import { TRACE_PHASE_KINDS, type TraceJob } from "../../trace/model.ts";

/** What changes at a moment: slots, attempts on them, and tasks that wait for one. */
interface Change {
  readonly at: number;
  readonly free: number;
  readonly waiting: number;
}

/**
 * Slot time, in ms, that was idle while a task could have begun in a slot of that kind: as many
 * slots as there were such tasks. `jobs` share the cluster of the first, whose slots are known.
 */
export function idleBesideMs(jobs: readonly TraceJob[], from: number, until: number): number {
  return TRACE_PHASE_KINDS.reduce((sum, kind) => {
    const changes: Change[] = [];
    const add = (start: number, end: number, change: Omit<Change, "at">): void => {
      const [begun, ended] = [Math.max(start, from), Math.min(end, until)];
      if (!(ended > begun)) return;
      changes.push({ at: begun, ...change });
      changes.push({ at: ended, free: -change.free, waiting: -change.waiting });
    };
    for (const slot of jobs[0]?.slots ?? []) {
      if (slot.kind === kind) add(slot.from, slot.until ?? until, { free: 1, waiting: 0 });
    }
    for (const job of jobs) {
      for (const { start, end, ready } of takesOf(job, kind)) {
        add(start, end, { free: -1, waiting: 0 });
        add(ready, start, { free: 0, waiting: 1 });
      }
    }
    return sum + sharedMs(changes);
  }, 0);
}

/** The time during which slots were free and tasks waited, each counted once. */
function sharedMs(changes: Change[]): number {
  changes.sort((a, b) => Math.sign(a.at - b.at));
  let [free, waiting, before, shared] = [0, 0, 0, 0];
  for (const change of changes) {
    shared += Math.max(0, Math.min(free, waiting)) * (change.at - before);
    free += change.free;
    waiting += change.waiting;
    before = change.at;
  }
  return shared;
}

/** When each attempt had a slot, and from when on it, if it is no copy, could have had one. */
function takesOf(job: TraceJob, kind: string) {
  const { count, phase, start, end, after, beside, readyGate, gates } = planOf(job);
  return Array.from({ length: count }, (_, i) => i)
    .filter((i) => job.phases[phase[i] ?? 0]?.kind === kind)
    .map((i) => {
      const own = { start: start[i] ?? 0, end: end[i] ?? 0 };
      const gate = gates[readyGate[phase[i] ?? 0] ?? -1]?.at ?? own.start;
      const [previous = -1, original = -1] = [after[i], beside[i]];
      if (original >= 0) return { ...own, ready: own.start };
      return { ...own, ready: previous >= 0 ? (end[previous] ?? own.start) : gate };
    });
}
