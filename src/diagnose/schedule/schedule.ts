import { cell } from "../../base/rows.ts";
import { type Gate, type Plan, ROLE } from "./planned.ts";
import { SlotHeap } from "./slot-heap.ts";

/** How long each attempt's own work takes, and how long it waits to start. In ms. */
export interface Timing {
  /** Of a losing attempt: how long it would have taken, at the least. */
  readonly own: Float64Array;
  /** From the moment when the attempt is ready and a slot is free; may be slightly negative. */
  readonly wait: Float64Array;
  /** 1 if the attempt is left out. */
  readonly skipped?: Uint8Array;
}

/** The times of a schedule, and what each time follows from. */
export interface Scheduled {
  /** NaN if the attempt does not run: its task was done before. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** The attempt whose end (or start, see `viaStart`) set this one's start; -1 if none. */
  readonly via: Int32Array;
  readonly viaStart: Uint8Array;
  /** How often the time of `via` counts: above 1, its slot was gone in proportion. */
  readonly viaTimes: Float64Array;
  /** The attempt whose end was the barrier from which this one's own work counts; -1 if none. */
  readonly heldBy: Int32Array;
  /** The winner whose end ended this attempt; -1 if it ended by itself. */
  readonly cutBy: Int32Array;
  /** The times in which tasks that start together waited for slots for all of them. */
  readonly gathering: readonly Gathering[];
  /** The attempt that ends last; -1 if there are none. */
  readonly last: number;
  /** The end of the last task, without what follows the last phase. */
  readonly doneAt: number;
}

export interface Gathering {
  readonly phase: number;
  readonly from: number;
  readonly until: number;
}

/**
 * Puts the attempts on slots in their recorded order: a list schedule in which slots are
 * interchangeable. With the recorded timing, the recorded times come out.
 * COST: O(attempts x log slots).
 */
export function schedule(plan: Plan, timing: Timing): Scheduled {
  return new Scheduling(plan).run(timing);
}

/** The timing that reproduces the record. */
export function recordedTiming(plan: Plan): Timing {
  const own = new Float64Array(plan.count);
  for (let i = 0; i < plan.count; i++) {
    const start = cell(plan.start[i]);
    const gate = plan.gates[cell(plan.barrier[i])];
    const elapsed = cell(plan.end[i]) - Math.max(start, gate?.at ?? start);
    // A loser needs longer than the winner, or it would have won.
    own[i] = plan.lostRace[i] === 1 ? Math.max(elapsed, elapsed - cell(plan.lag[i]) + 1) : elapsed;
  }
  const timing = { own, wait: new Float64Array(plan.count) };
  new Scheduling(plan).run(timing, "recording");
  return timing;
}

/** Schedules of one plan, one after another: each takes the memory of the one before. */
export class Scheduling {
  readonly #plan: Plan;
  #own: Float64Array = new Float64Array();
  #wait: Float64Array = new Float64Array();
  #isRecording = false;
  #skipped: Uint8Array | undefined;
  readonly #start: Float64Array;
  readonly #end: Float64Array;
  readonly #via: Int32Array;
  readonly #viaStart: Uint8Array;
  readonly #viaTimes: Float64Array;
  readonly #heldBy: Int32Array;
  readonly #cutBy: Int32Array;
  readonly #slot: Int32Array;
  /** The attempt before this one, of the same task. */
  readonly #previous: Int32Array;
  /** Of each task: its latest attempt so far, the attempt that did it, and when. */
  readonly #latest: Int32Array;
  readonly #doneBy: Int32Array;
  readonly #pools: readonly SlotHeap[];
  /** The moments of gates that were reached, and the attempts that reached them. */
  readonly #gateAt: Float64Array;
  readonly #gateBy: Int32Array;
  /** Attempts that wait for a barrier, and the recorded moment of the first that is reached. */
  readonly #held: number[] = [];
  #heldUntil = Number.POSITIVE_INFINITY;
  readonly #gathering: Gathering[] = [];
  /** By the first attempt of a gang: when it had slots for all, and who freed the last. */
  readonly #gathered = new Map<number, { readonly at: number; readonly by: number }>();

  constructor(plan: Plan) {
    const { count, tasks, pools, gates } = plan;
    this.#plan = plan;
    this.#start = new Float64Array(count);
    this.#end = new Float64Array(count);
    this.#via = new Int32Array(count);
    this.#viaStart = new Uint8Array(count);
    this.#viaTimes = new Float64Array(count);
    this.#heldBy = new Int32Array(count);
    this.#cutBy = new Int32Array(count);
    this.#slot = new Int32Array(count);
    this.#previous = new Int32Array(count);
    this.#latest = new Int32Array(tasks);
    this.#doneBy = new Int32Array(tasks);
    this.#pools = pools.from.map((from, pool) => new SlotHeap(from, cell(pools.lastsTo[pool])));
    this.#gateAt = new Float64Array(gates.length);
    this.#gateBy = new Int32Array(gates.length);
  }

  #reset(): void {
    for (const times of [this.#start, this.#end, this.#gateAt]) times.fill(Number.NaN);
    for (const none of [this.#via, this.#heldBy, this.#cutBy, this.#slot]) none.fill(-1);
    for (const none of [this.#previous, this.#latest, this.#doneBy, this.#gateBy]) none.fill(-1);
    this.#viaStart.fill(0);
    this.#viaTimes.fill(1);
    for (const pool of this.#pools) pool.reset();
  }

  /**
   * Valid until the next run. A recording writes the waits with which the recorded starts come out.
   */
  run({ own, wait, skipped }: Timing, how: "replaying" | "recording" = "replaying"): Scheduled {
    this.#own = own;
    this.#wait = wait;
    this.#skipped = skipped;
    this.#isRecording = how === "recording";
    this.#reset();
    const { count } = this.#plan;
    for (let i = 0; i < count; i++) {
      this.#release(i);
      this.#launch(i);
    }
    this.#release(count);
    let last = -1;
    for (let task = 0; task < this.#plan.tasks; task++) {
      const by = this.#doer(task);
      if (by >= 0 && (last < 0 || this.#endOf(by) > this.#endOf(last))) last = by;
    }
    return {
      start: this.#start,
      end: this.#end,
      via: this.#via,
      viaStart: this.#viaStart,
      viaTimes: this.#viaTimes,
      heldBy: this.#heldBy,
      cutBy: this.#cutBy,
      gathering: this.#gathering,
      last,
      doneAt: last < 0 ? 0 : this.#endOf(last),
    };
  }

  #launch(i: number): void {
    const plan = this.#plan;
    const task = cell(plan.task[i]);
    this.#previous[i] = cell(this.#latest[task]);
    const ready = this.#skipped?.[i] === 1 ? undefined : this.#ready(i);
    if (ready === undefined) return;
    this.#latest[task] = i;
    const pool = cell(this.#pools[cell(plan.pool[i])]);
    const slot = pool.first(ready);
    const free = slot < 0 ? Number.NEGATIVE_INFINITY : pool.freeAt(slot);
    // A slot that a held attempt keeps without an end in sight is not waited for.
    const alone = free > ready && free < Number.POSITIVE_INFINITY ? free : ready;
    const gathered = this.#gather(i, pool, alone);
    const from = gathered?.at ?? alone;
    if (from > ready) {
      const by = gathered?.by ?? pool.freedBy(slot);
      this.#via[i] = by;
      this.#viaStart[i] = 0;
      if (by >= 0) this.#viaTimes[i] = 1 + cell(plan.takesSlot[by]);
    }
    if (this.#isRecording) this.#wait[i] = cell(plan.start[i]) - from;
    const start = from + cell(this.#wait[i]);
    this.#start[i] = start;
    this.#slot[i] = slot;
    if (slot >= 0) pool.take(slot, i);
    const barrier = cell(plan.barrier[i]);
    if (barrier >= 0 && Number.isNaN(cell(this.#gateAt[barrier]))) {
      this.#hold(i, barrier);
      this.#setEnd(i, Number.POSITIVE_INFINITY, i);
      return;
    }
    this.#finish(i, barrier);
  }

  /** When a gang has slots for all of it, if that is after the attempt could begin alone. */
  #gather(i: number, pool: SlotHeap, alone: number) {
    const { gang, job, phase } = this.#plan;
    const first = cell(gang[i]);
    if (first < 0) return undefined;
    if (first === i) {
      const last = pool.nth(cell(job.phases[cell(phase[i])]).tasks);
      const at = last < 0 ? alone : pool.freeAt(last);
      if (at > alone && at < Number.POSITIVE_INFINITY) {
        this.#gathered.set(i, { at, by: pool.freedBy(last) });
        this.#gathering.push({ phase: cell(phase[i]), from: alone, until: at });
      }
    }
    const found = this.#gathered.get(first);
    return found !== undefined && found.at > alone ? found : undefined;
  }

  /** When the attempt may start; undefined if it does not run. Notes what that follows from. */
  #ready(i: number): number | undefined {
    const plan = this.#plan;
    const task = cell(plan.task[i]);
    const beside = cell(plan.beside[i]);
    if (beside >= 0 && this.#hasRun(beside)) {
      const at = this.#startOf(beside) + cell(plan.offset[i]);
      if (this.#endOf(beside) > at) return this.#follow(i, beside, at, true);
      // By then the original had ended: with a result, no copy is made.
      if (plan.role[beside] === ROLE.finishes || this.#doneBy[task] !== -1) return undefined;
      return this.#follow(i, beside, this.#endOf(beside), false);
    }
    const after = cell(plan.after[i]);
    if (after >= 0 && this.#hasRun(after)) {
      // A copy has done the task while the attempt that failed still ran: no retry is needed.
      const doer = cell(this.#doneBy[task]);
      const isDone = doer >= 0 && this.#endOf(doer) > this.#startOf(after);
      if (isDone && plan.role[after] === ROLE.fails && !this.#isRecording) return undefined;
      return this.#follow(i, after, this.#endOf(after), false);
    }
    const gate = cell(plan.gate[i]);
    const at = this.#reach(gate);
    return this.#follow(i, cell(this.#gateBy[gate]), at, false);
  }

  #follow(i: number, via: number, at: number, isStart: boolean): number {
    this.#via[i] = via;
    this.#viaStart[i] = isStart ? 1 : 0;
    return at;
  }

  /** Ends the attempts whose barrier is reached before the next attempt `i` starts. */
  #release(i: number): void {
    if (this.#held.length === 0) return;
    const { gates, barrier, start, count } = this.#plan;
    const now = i < count ? cell(start[i]) : Number.POSITIVE_INFINITY;
    if (now < this.#heldUntil) return;
    const waiting = this.#held.splice(0);
    this.#heldUntil = Number.POSITIVE_INFINITY;
    for (const held of waiting) {
      const gate = cell(barrier[held]);
      if (now < cell(gates[gate]).at) this.#hold(held, gate);
      else {
        this.#reach(gate);
        this.#finish(held, gate);
      }
    }
  }

  #hold(i: number, barrier: number): void {
    this.#held.push(i);
    this.#heldUntil = Math.min(this.#heldUntil, cell(this.#plan.gates[barrier]).at);
  }

  #finish(i: number, barrier: number): void {
    const { task: tasks, role, lag } = this.#plan;
    const task = cell(tasks[i]);
    const at = barrier < 0 ? Number.NEGATIVE_INFINITY : cell(this.#gateAt[barrier]);
    const start = this.#startOf(i);
    if (at > start) this.#heldBy[i] = cell(this.#gateBy[barrier]);
    const end = Math.max(start, at) + cell(this.#own[i]);
    this.#setEnd(i, end, i);
    if (role[i] !== ROLE.finishes) return;
    const winner = cell(this.#doneBy[task]);
    if (winner < 0 || end < this.#endOf(winner)) {
      this.#doneBy[task] = i;
      for (let j = cell(this.#latest[task]); j >= 0; j = cell(this.#previous[j])) {
        if (j !== i && this.#hasRun(j) && this.#endOf(j) > end) this.#cut(j, i, cell(lag[j]));
      }
    } else if (this.#endOf(winner) > start) this.#cut(i, winner, cell(lag[i]));
    // Else the task runs again after its success: its output was lost.
  }

  /** A loser ends with its winner. */
  #cut(loser: number, winner: number, lag: number): void {
    if (this.#plan.role[loser] !== ROLE.finishes) return;
    this.#cutBy[loser] = winner;
    this.#setEnd(loser, Math.max(this.#startOf(loser), this.#endOf(winner) + lag), winner);
  }

  #setEnd(i: number, end: number, by: number): void {
    this.#end[i] = end;
    const slot = cell(this.#slot[i]);
    if (slot < 0) return;
    const pool = cell(this.#pools[cell(this.#plan.pool[i])]);
    // Another attempt may have taken the slot since.
    if (pool.holder(slot) !== i) return;
    const freeAt = end - cell(this.#plan.resultMs[i]);
    pool.free(slot, freeAt + this.#goneMs(i), by);
  }

  /** How long the attempt's slot is gone after it. */
  #goneMs(i: number): number {
    const times = cell(this.#plan.takesSlot[i]);
    return times < Number.POSITIVE_INFINITY ? times * cell(this.#own[i]) : times;
  }

  /** The moment of a gate. Ends of tasks that start later do not move it. */
  #reach(gate: number): number {
    const known = cell(this.#gateAt[gate]);
    if (!Number.isNaN(known)) return known;
    const { needs, gapMs } = cell(this.#plan.gates[gate]);
    let at = needs.length === 0 ? 0 : Number.NEGATIVE_INFINITY;
    for (const need of needs) {
      const by = this.#nthDone(need);
      if (by < 0 || this.#endOf(by) <= at) continue;
      at = this.#endOf(by);
      this.#gateBy[gate] = by;
    }
    at = (at === Number.NEGATIVE_INFINITY ? 0 : at) + gapMs;
    this.#gateAt[gate] = at;
    return at;
  }

  /** The attempt that is the `count`-th to finish a task of the phase; -1 if none has. */
  #nthDone({ phase, count }: Gate["needs"][number]): number {
    const { firstTask } = this.#plan;
    const [from, to] = [cell(firstTask[phase]), cell(firstTask[phase + 1])];
    let done = 0;
    let last = -1;
    for (let task = from; task < to; task++) {
      const by = this.#doer(task);
      if (by < 0) continue;
      done += 1;
      if (last < 0 || this.#endOf(by) > this.#endOf(last)) last = by;
    }
    if (done <= count) return last;
    const ends = new Float64Array(done);
    for (let task = from, n = 0; task < to; task++) {
      const by = this.#doer(task);
      if (by >= 0) ends[n++] = this.#endOf(by);
    }
    const at = ends.sort()[count - 1];
    for (let task = from; task < to; task++) {
      const by = this.#doer(task);
      if (by >= 0 && this.#endOf(by) === at) return by;
    }
    return -1;
  }

  /** The attempt that did the task, or its latest one; -1 if none ran. */
  #doer(task: number): number {
    const by = cell(this.#doneBy[task]);
    return by >= 0 ? by : cell(this.#latest[task]);
  }

  #hasRun(i: number): boolean {
    return !Number.isNaN(cell(this.#start[i]));
  }

  #startOf(i: number): number {
    return cell(this.#start[i]);
  }

  #endOf(i: number): number {
    return cell(this.#end[i]);
  }
}
