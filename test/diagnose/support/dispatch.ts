import { Dice } from "./dice.ts";

/** Causes that a world may have. */
export const INJECTED = [
  "retries",
  "gc",
  "fetch",
  "bytes",
  "node",
  "cold",
  "remote",
  "copies",
  "contention",
  "loss",
] as const;
export type Injected = (typeof INJECTED)[number];

export interface PhasePlan {
  readonly tasks: number;
  readonly reads: readonly number[];
  readonly baseMs: number;
  readonly meanBytes: number;
  readonly msPerByte: number;
  readonly bytesSpread: number;
  readonly farMs: number;
  readonly coldMs: number;
  readonly gcShare: number;
  readonly fetchShare: number;
  readonly spread: number;
  readonly tail: number;
}

interface Live {
  readonly phase: number;
  readonly task: number;
  readonly node: number;
  readonly slot: number;
  readonly startedAt: number;
  readonly as: "original" | "speculative" | "retry" | "rerun" | "recompute";
  readonly row: Draft;
  readonly endsAt: number;
  readonly how: "succeeded" | "failed";
  isOver: boolean;
  /** The attempt succeeded, and its output was lost before it was read. */
  isRedone: boolean;
}

interface FreeSlot {
  readonly node: number;
  readonly slot: number;
  readonly at: number;
}

interface Draft {
  readonly bytes: number;
  readonly gcMs: number;
  readonly fetchMs: number;
  readonly far: boolean;
  readonly slow: number;
  readonly parts: { data: number; far: number; cold: number; net: number; usual: number };
  readonly wouldTakeMs: number;
}

export interface Done extends Live {
  endedAt: number;
  ended: "succeeded" | "failed" | "killed" | "lost";
}

/** What happened in a generated world, before it is written down as a log. */
export interface Dispatched {
  readonly causes: ReadonlySet<Injected>;
  readonly nodes: number;
  /** The factor of each slow node. */
  readonly slow: ReadonlyMap<number, number>;
  readonly phases: readonly PhasePlan[];
  /** By phase: the bytes of each task. */
  readonly bytes: readonly (readonly number[])[];
  /** In the order of their starts. */
  readonly done: readonly Done[];
}

/**
 * The generator's own dispatcher: tasks go to random free slots in the order of their queue. COST:
 * O(attempts x slots); a few ms per world.
 */
export function dispatch(seed: number, only?: ReadonlySet<Injected>): Dispatched {
  return new Dispatcher(seed, only).run();
}

class Dispatcher {
  readonly #seed: number;
  readonly #dice: Dice;
  readonly #causes: Set<Injected>;
  readonly #nodes: number;
  readonly #slotsEach: number;
  readonly #slow = new Map<number, number>();
  readonly #phases: readonly PhasePlan[];
  readonly #queue: { phase: number; task: number; as: Live["as"]; bytes: number }[] = [];
  readonly #bytes: number[][] = [];
  readonly #live: Live[] = [];
  readonly #done: Done[] = [];
  readonly #doneTasks: Set<number>[] = [];
  /** By phase: how long each attempt that succeeded took. */
  readonly #times: number[][] = [];
  readonly #warm = new Set<string>();
  readonly #readyAt: number[] = [];
  readonly #free: FreeSlot[] = [];
  readonly #tries = new Map<string, number>();
  #deadNode = -1;
  #diesAt = Number.POSITIVE_INFINITY;
  #isDead = false;
  #now = 0;

  constructor(seed: number, only?: ReadonlySet<Injected>) {
    const dice = new Dice(seed);
    this.#seed = seed;
    this.#dice = dice;
    this.#causes = new Set(only ?? INJECTED.filter(() => dice.chance(0.4)));
    this.#nodes = dice.whole(6, 35);
    this.#slotsEach = dice.whole(1, 4);
    if (this.#causes.has("node")) {
      this.#slow.set(dice.whole(0, this.#nodes - 1), dice.between(1.5, 3.5));
    }
    const slots = this.#nodes * this.#slotsEach;
    this.#phases = Array.from({ length: dice.whole(2, 5) }, (_, i) => this.#planPhase(i, slots));
    if (this.#causes.has("loss")) this.#deadNode = dice.whole(0, this.#nodes - 1);
    for (let node = 0; node < this.#nodes; node++) {
      for (let slot = 0; slot < this.#slotsEach; slot++) this.#free.push({ node, slot, at: 0 });
    }
  }

  #planPhase(index: number, slots: number): PhasePlan {
    const dice = this.#dice;
    const has = (cause: Injected): boolean => this.#causes.has(cause);
    const earlier = Array.from({ length: index }, (_, i) => i);
    const reads = earlier.filter((i) => i === index - 1 || dice.chance(0.2));
    const baseMs = dice.between(3_000, 20_000);
    const meanBytes = dice.between(8e6, 128e6);
    return {
      // Where all attempts are first ones, a cold start cannot be told from the usual time.
      tasks: Math.max(12, Math.round(slots * dice.between(1.3, 4))),
      reads,
      baseMs,
      meanBytes,
      msPerByte: (baseMs * dice.between(0.5, 2)) / meanBytes,
      bytesSpread: has("bytes") ? dice.between(0.3, 0.9) : dice.between(0.02, 0.04),
      farMs: has("remote") ? baseMs * dice.between(0.3, 1) : 0,
      coldMs: has("cold") ? baseMs * dice.between(0.3, 1.2) : 0,
      gcShare: has("gc") ? dice.between(0.02, 0.1) : 0,
      fetchShare: has("fetch") && index > 0 ? dice.between(0.02, 0.1) : 0,
      spread: dice.between(0.04, 0.15),
      tail: dice.chance(0.5) ? dice.between(0.005, 0.03) : 0,
    };
  }

  run(): Dispatched {
    for (const [i, phase] of this.#phases.entries()) {
      this.#doneTasks.push(new Set());
      this.#times.push([]);
      this.#readyAt.push(phase.reads.length === 0 ? this.#dice.between(200, 1_500) : Infinity);
      const spread = phase.bytesSpread;
      this.#bytes[i] = Array.from({ length: phase.tasks }, () =>
        Math.round(
          phase.meanBytes * Math.exp(spread * this.#dice.normal() - (spread * spread) / 2),
        ),
      );
    }
    this.#diesAt = this.#deadNode < 0 ? Infinity : this.#dice.between(8_000, 40_000);
    this.#queuePhases();
    for (;;) {
      this.#assign();
      const next = Math.min(
        ...this.#live.filter((one) => !one.isOver).map(({ endsAt }) => endsAt),
        ...this.#readyAt.filter((at) => at > this.#now),
        ...(this.#queue.length > 0
          ? this.#free.map(({ at }) => at).filter((at) => at > this.#now)
          : []),
        this.#isDead || this.#live.every(({ isOver }) => isOver) ? Infinity : this.#diesAt,
      );
      if (next === Number.POSITIVE_INFINITY) break;
      this.#now = next;
      this.#die();
      this.#endDue();
      this.#queuePhases();
    }
    const done = this.#done
      .filter(({ row }) => row.wouldTakeMs >= 0)
      .sort((a, b) => a.startedAt - b.startedAt);
    return {
      causes: this.#causes,
      nodes: this.#nodes,
      slow: this.#slow,
      phases: this.#phases,
      bytes: this.#bytes,
      done,
    };
  }

  #queuePhases(): void {
    for (const [i, at] of this.#readyAt.entries()) {
      if (at > this.#now) continue;
      this.#readyAt[i] = Number.NEGATIVE_INFINITY;
      if (at === Number.NEGATIVE_INFINITY) continue;
      for (const [task, bytes] of (this.#bytes[i] ?? []).entries()) {
        this.#queue.push({ phase: i, task, as: "original", bytes });
      }
    }
  }

  #assign(): void {
    const usable = (): FreeSlot[] =>
      this.#free.filter(
        ({ at, node }) => at <= this.#now && !(this.#isDead && node === this.#deadNode),
      );
    for (let free = usable(); free.length > 0; free = usable()) {
      const next = this.#queue.shift() ?? this.#copyToMake(free);
      if (next === undefined) return;
      const choices = "not" in next ? free.filter(({ node }) => node !== next.not) : free;
      if (choices.length === 0) return;
      const slot = this.#dice.pick(choices);
      this.#free.splice(this.#free.indexOf(slot), 1);
      this.#start(next, slot);
    }
  }

  #copyToMake(free: readonly { node: number }[]) {
    if (!this.#causes.has("copies")) return undefined;
    const medians = this.#phases.map((plan, index) => {
      const times = this.#times[index] ?? [];
      if (times.length < 0.5 * plan.tasks) return Number.POSITIVE_INFINITY;
      return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
    });
    const first = this.#live.find(
      ({ isOver, as, phase, task, startedAt, node }) =>
        !isOver &&
        as !== "recompute" &&
        this.#now - startedAt > 1.4 * (medians[phase] ?? 0) &&
        this.#live.filter((o) => !o.isOver && o.phase === phase && o.task === task).length === 1 &&
        free.some((slot) => slot.node !== node),
    );
    if (first === undefined) return undefined;
    const { phase, task, node } = first;
    return {
      phase,
      task,
      as: "speculative" as const,
      bytes: this.#bytes[phase]?.[task] ?? 0,
      not: node,
    };
  }

  #start(
    { phase, task, as, bytes }: { phase: number; task: number; as: Live["as"]; bytes: number },
    { node, slot }: { node: number; slot: number },
  ): void {
    const dice = this.#dice;
    const plan = this.#phases[phase];
    if (plan === undefined) throw new Error("no such phase");
    const far = this.#causes.has("remote") && dice.chance(0.25);
    const isFirst = !this.#warm.has(`${phase}/${node}`);
    const data = plan.msPerByte * bytes;
    const cold = isFirst ? plan.coldMs : 0;
    const pred = plan.baseMs + data + (far ? plan.farMs : 0) + cold;
    const luck =
      Math.exp(plan.spread * dice.normal()) * (dice.chance(plan.tail) ? dice.between(1.5, 5) : 1);
    const slow = this.#slow.get(node) ?? 1;
    const gc =
      plan.gcShare * pred * (dice.chance(0.1) ? dice.between(3, 12) : dice.between(0.5, 1.5));
    const fetch =
      plan.fetchShare * pred * (dice.chance(0.1) ? dice.between(3, 12) : dice.between(0.5, 1.5));
    const wouldTakeMs = Math.max(1, Math.round(slow * (pred * luck + gc + fetch)));
    const fails =
      this.#causes.has("retries") &&
      dice.chance(0.03) &&
      (this.#tries.get(`${phase}/${task}`) ?? 0) < 2;
    const ranMs = fails
      ? Math.max(1, Math.round(wouldTakeMs * dice.between(0.2, 0.95)))
      : wouldTakeMs;
    const startedAt = this.#now + dice.whole(0, 30);
    const net = pred * luck;
    this.#live.push({
      phase,
      task,
      node,
      slot,
      as,
      startedAt,
      isOver: false,
      isRedone: false,
      endsAt: startedAt + ranMs,
      how: fails ? "failed" : "succeeded",
      row: {
        bytes,
        gcMs: slow * gc,
        fetchMs: slow * fetch,
        far,
        slow,
        wouldTakeMs,
        parts: { data, far: far ? plan.farMs : 0, cold, net, usual: pred },
      },
    });
  }

  #endDue(): void {
    for (const one of this.#live) {
      if (one.isOver || one.endsAt > this.#now) continue;
      this.#finish(one, one.how, this.#now);
      if (one.how === "failed") {
        const twin = this.#live.some(
          (o) => !o.isOver && o.phase === one.phase && o.task === one.task,
        );
        if (!twin && !this.#doneTasks[one.phase]?.has(one.task)) {
          this.#again(one, one.row.wouldTakeMs < 0 ? one.as : "retry");
        }
        continue;
      }
      this.#warm.add(`${one.phase}/${one.node}`);
      this.#doneTasks[one.phase]?.add(one.task);
      this.#times[one.phase]?.push(this.#now - one.startedAt);
      for (const twin of this.#live) {
        if (twin.isOver || twin.phase !== one.phase || twin.task !== one.task) continue;
        this.#finish(twin, "killed", this.#now + this.#dice.whole(5, 200));
      }
      this.#readyPhases();
    }
    this.#live.splice(0, this.#live.length, ...this.#live.filter(({ isOver }) => !isOver));
  }

  #readyPhases(): void {
    for (const [i, { reads }] of this.#phases.entries()) {
      if (this.#readyAt[i] !== Number.POSITIVE_INFINITY) continue;
      const isReady = reads.every((p) => this.#doneTasks[p]?.size === this.#phases[p]?.tasks);
      if (isReady) this.#readyAt[i] = this.#now + this.#dice.whole(20, 400);
    }
  }

  #again({ phase, task }: Live, as: Live["as"]): void {
    const key = `${phase}/${task}`;
    this.#tries.set(key, (this.#tries.get(key) ?? 0) + 1);
    this.#queue.unshift({ phase, task, as, bytes: this.#bytes[phase]?.[task] ?? 0 });
  }

  #finish(one: Live, ended: Done["ended"], endedAt: number): void {
    one.isOver = true;
    this.#done.push(Object.assign(one, { ended, endedAt }));
    // Other jobs take the slot for a time.
    const others = this.#causes.has("contention") && this.#dice.chance(0.15);
    const at = endedAt + (others ? Math.round(this.#dice.exponential(4_000)) : 0);
    this.#free.push({ node: one.node, slot: one.slot, at });
  }

  /**
   * A node dies; its silence is noticed ten seconds later. In every other world its outputs die
   * with it, if a phase that has not begun wants them; else they are kept elsewhere.
   */
  #die(): void {
    if (this.#isDead || this.#now < this.#diesAt) return;
    this.#isDead = true;
    for (const one of [...this.#live]) {
      if (one.isOver || one.node !== this.#deadNode) continue;
      this.#finish(one, "lost", this.#now + 10_000);
      const twin = this.#live.some(
        (o) => !o.isOver && o.phase === one.phase && o.task === one.task,
      );
      if (!twin) this.#later(one, "rerun");
    }
    if (this.#seed % 2 === 0) return;
    for (const one of [...this.#done]) {
      const isWanted = this.#phases.some(
        ({ reads }, i) => reads.includes(one.phase) && this.#readyAt[i] === Infinity,
      );
      if (one.ended !== "succeeded" || one.node !== this.#deadNode || !isWanted) continue;
      one.isRedone = true;
      this.#doneTasks[one.phase]?.delete(one.task);
      this.#later(one, "recompute");
    }
  }

  /** The task is queued again when its node's silence is noticed. */
  #later(one: Live, as: "rerun" | "recompute"): void {
    const key = `${one.phase}/${one.task}`;
    this.#tries.set(key, (this.#tries.get(key) ?? 0) + 1);
    const at = this.#now + 10_000;
    this.#live.push({
      ...one,
      as,
      isOver: false,
      isRedone: false,
      endsAt: at,
      how: "failed",
      row: { ...one.row, wouldTakeMs: -1 },
    });
  }
}
