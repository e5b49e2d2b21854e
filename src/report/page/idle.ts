import { cell } from "../../base/rows.ts";
import { readyAt } from "../../diagnose/response/idle.ts";
import { planOf } from "../../diagnose/schedule/plan.ts";
import { TRACE_PHASE_KINDS, type TraceJob } from "../../history/model.ts";

/**
 * Slot time, in ms, that was idle while a task could have begun in a slot of that kind: as many
 * slots as there were such tasks. `jobs` share the cluster of the first, whose slots are known.
 * COST: O(n log n) for n attempts.
 */
export function idleBesideMs(jobs: readonly TraceJob[], from: number, until: number): number {
  const plans = jobs.map(planOf);
  return TRACE_PHASE_KINDS.reduce((sum, kind) => {
    const [free, waiting] = [new Level(from, until), new Level(from, until)];
    for (const slot of jobs[0]?.slots ?? []) {
      if (slot.kind === kind) free.raise(slot.from, slot.until ?? until);
    }
    for (const plan of plans) {
      for (let i = 0; i < plan.count; i++) {
        if (plan.job.phases[cell(plan.phase[i])]?.kind !== kind) continue;
        const start = cell(plan.start[i]);
        free.lower(start, cell(plan.end[i]) - cell(plan.resultMs[i]));
        waiting.raise(readyAt(plan, i), start);
      }
    }
    return sum + sharedMs(free, waiting);
  }, 0);
}

/** A whole number that goes up and down between `from` and `until`. */
class Level {
  readonly #from: number;
  readonly #until: number;
  readonly #rises: number[] = [];
  readonly #falls: number[] = [];

  constructor(from: number, until: number) {
    this.#from = from;
    this.#until = until;
  }

  /** One more from `start` to `end`. */
  raise(start: number, end: number): void {
    this.#change(start, end, this.#rises, this.#falls);
  }

  /** One less from `start` to `end`. */
  lower(start: number, end: number): void {
    this.#change(start, end, this.#falls, this.#rises);
  }

  #change(start: number, end: number, begins: number[], ends: number[]): void {
    const [begun, ended] = [Math.max(start, this.#from), Math.min(end, this.#until)];
    if (!(ended > begun)) return;
    begins.push(begun);
    ends.push(ended);
  }

  /** The moments of all changes, unordered. */
  get moments(): readonly number[] {
    return [...this.#rises, ...this.#falls];
  }

  /** The level after the changes of a moment, for moments that rise. */
  follow(): (at: number) => number {
    const [rises, falls] = [this.#rises, this.#falls].map((all) => Float64Array.from(all).sort());
    let [risen, fallen] = [0, 0];
    return (at) => {
      while ((rises?.[risen] ?? Number.NaN) <= at) risen += 1;
      while ((falls?.[fallen] ?? Number.NaN) <= at) fallen += 1;
      return risen - fallen;
    };
  }
}

/** The time during which slots were free and tasks waited, each counted once. */
function sharedMs(free: Level, waiting: Level): number {
  const moments = Float64Array.from([...free.moments, ...waiting.moments]).sort();
  const [freeAfter, waitingAfter] = [free.follow(), waiting.follow()];
  let [level, before, shared] = [0, 0, 0];
  for (const at of moments) {
    shared += Math.max(0, level) * (at - before);
    level = Math.min(freeAfter(at), waitingAfter(at));
    before = at;
  }
  return shared;
}
