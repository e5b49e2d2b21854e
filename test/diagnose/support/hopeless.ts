import { ColumnsBuilder } from "../../../src/history/columns-builder.ts";
import type { SlotSpan, TraceJob, TracePhase } from "../../../src/history/model.ts";
import { addAttempt, type NamedAttempt } from "./attempt.ts";
import { Dice } from "./dice.ts";

/** Why a job of these worlds took longer than it might have: no policy changes any of it. */
export const REASONS = [
  "wait",
  "failure",
  "pre-emption",
  "bytes",
  "records",
  "driver",
  "executor",
] as const;
export type Reason = (typeof REASONS)[number];

interface Slot {
  readonly node: number;
  freeAt: number;
  /** Its executor is lost then. */
  readonly untilMs: number;
}

/**
 * A job whose attempts all take what their input asks for, within some per cent. All other time has
 * one of the reasons. Tasks go in order to the slot that is free first.
 */
export function hopelessJob(seed: number, reasons: ReadonlySet<Reason>): TraceJob {
  const dice = new Dice(seed);
  const nodes = dice.whole(3, 8);
  const each = dice.whole(1, 3);
  const lost = reasons.has("executor") ? dice.whole(0, nodes - 1) : -1;
  const lostAt = dice.between(4_000, 30_000);
  const slots = Array.from({ length: nodes * each }, (_, n): Slot => {
    const node = Math.floor(n / each);
    return { node, freeAt: 0, untilMs: node === lost ? lostAt : Number.POSITIVE_INFINITY };
  });
  const phases: TracePhase[] = [];
  let now = dice.between(100, 2_000);
  const count = dice.whole(1, 3);
  for (let index = 0; index < count; index++) {
    if (index > 0) now += reasons.has("driver") ? dice.between(5_000, 60_000) : dice.between(5, 50);
    const tasks = Math.max(12, Math.round(slots.length * dice.between(1.2, 3)));
    const made = new PhaseMaker(dice, reasons, { slots, tasks, readyAt: now });
    phases.push(made.phase(index));
    now = made.endedAt;
  }
  return {
    id: `hopeless-${seed}`,
    name: [...reasons].join(", "),
    submittedAt: 0,
    endedAt: now + dice.between(5, 100),
    outcome: "succeeded",
    phases,
    spans: [],
    nodes: Array.from({ length: nodes }, (_, i) => `n${i}`),
    executors: Array.from({ length: nodes }, (_, i) => `${i}`),
    slots: slots.map(
      ({ node, untilMs }): SlotSpan => ({
        ...{ kind: "stage", node, executor: node, from: 0 },
        ...(untilMs < now && { until: untilMs }),
      }),
    ),
    settings: { speculation: false, values: {} },
    lacks: new Set(),
  };
}

interface On {
  readonly slots: readonly Slot[];
  readonly tasks: number;
  readonly readyAt: number;
}

/** An attempt that waits for a slot, and what follows on it. */
interface Due {
  readonly task: number;
  readonly ordinal: number;
  readonly readyAt: number;
  readonly lastsMs: number;
  readonly ended: "succeeded" | "failed" | "killed";
  readonly sizes: Partial<NamedAttempt>;
  readonly next?: Due;
}

class PhaseMaker {
  endedAt = 0;
  readonly #dice: Dice;
  readonly #reasons: ReadonlySet<Reason>;
  readonly #on: On;
  readonly #made: NamedAttempt[] = [];

  constructor(dice: Dice, reasons: ReadonlySet<Reason>, on: On) {
    this.#dice = dice;
    this.#reasons = reasons;
    this.#on = on;
  }

  phase(index: number): TracePhase {
    const { tasks, readyAt } = this.#on;
    this.#dispatch(this.#due());
    const rows = this.#made.toSorted((a, b) => a.startedAt - b.startedAt);
    const builder = new ColumnsBuilder();
    for (const row of rows) addAttempt(builder, row);
    this.endedAt = Math.max(...rows.map(({ endedAt }) => endedAt));
    return {
      name: `stage ${index}`,
      kind: "stage",

      span: -1,
      tasks,
      reads: index === 0 ? [] : [{ phase: index - 1, start: { when: "done" } }],
      submittedAt: readyAt,
      attempts: builder.build(),
    };
  }

  /** The first attempt of each task. The odd tasks come last more often than not. */
  #due(): Due[] {
    const dice = this.#dice;
    const { tasks, readyAt } = this.#on;
    const baseMs = dice.between(2_000, 12_000);
    const bytes = dice.between(16e6, 256e6);
    const spread = dice.between(0.002, 0.01);
    const odd = new Map<number, Reason>();
    for (const reason of this.#reasons) {
      if (reason === "driver" || reason === "executor") continue;
      const isLast = dice.chance(0.6);
      odd.set(isLast ? tasks - 1 - dice.whole(0, 1) : dice.whole(0, tasks - 1), reason);
    }
    return Array.from({ length: tasks }, (_, task): Due => {
      const reason = odd.get(task);
      const times = dice.between(3, 20);
      const byBytes = reason === "bytes" ? times : 1;
      const byRecords = reason === "records" ? times : byBytes;
      // What is large has no luck of its own: a copy would gain by it.
      const luck = byRecords > 1 ? 1 : Math.exp(spread * dice.normal());
      const lastsMs = baseMs * byRecords * luck;
      const sizes = {
        inputBytes: Math.round(bytes * byBytes),
        inputRecords: Math.round((bytes / 100) * byRecords),
      };
      const waitMs = reason === "wait" ? baseMs * dice.between(2, 10) : 0;
      const whole = {
        task,
        readyAt: readyAt + waitMs,
        lastsMs,
        ended: "succeeded",
        sizes,
      } as const;
      if (reason === "pre-emption") return this.#ends(whole, ["killed"], baseMs);
      if (reason !== "failure") return { ...whole, ordinal: 0 };
      const count = dice.whole(1, 3);
      return this.#ends(
        whole,
        Array.from({ length: count }, () => "failed"),
        baseMs,
      );
    });
  }

  #ends(whole: Omit<Due, "ordinal">, ends: readonly ("failed" | "killed")[], baseMs: number): Due {
    const dice = this.#dice;
    let next: Due = { ...whole, ordinal: ends.length };
    for (const [n, ended] of [...ends.entries()].toReversed()) {
      const lastsMs =
        ended === "failed"
          ? baseMs * dice.between(0.3, 8)
          : whole.lastsMs * dice.between(0.3, 0.95);
      next = { ...whole, sizes: {}, ordinal: n, lastsMs, ended, next };
    }
    return next;
  }

  /** The slot that is free first takes the first attempt that is ready. */
  #dispatch(due: Due[]): void {
    while (due.length > 0) {
      const open = this.#on.slots.filter(({ freeAt, untilMs }) => freeAt < untilMs);
      const slot = open.reduce((a, b) => (b.freeAt < a.freeAt ? b : a));
      const at = due.findIndex(({ readyAt }) => readyAt <= slot.freeAt);
      if (at < 0) slot.freeAt = Math.min(...due.map(({ readyAt }) => readyAt));
      else due.push(...this.#run(slot, ...due.splice(at, 1)));
    }
  }

  #run(slot: Slot, ...[one]: readonly Due[]): readonly Due[] {
    if (one === undefined) return [];
    const { task, ordinal, lastsMs, next, sizes } = one;
    const startedAt = slot.freeAt + this.#dice.whole(0, 20);
    const isLost = startedAt + lastsMs > slot.untilMs;
    const endedAt = isLost ? Math.max(startedAt + 1, slot.untilMs) : startedAt + lastsMs;
    slot.freeAt = endedAt;
    this.#made.push({
      ...{ task, ordinal, startedAt, endedAt, node: slot.node, executor: slot.node },
      as: ordinal === 0 ? "original" : "retry",
      ended: isLost ? "lost" : one.ended,
      ...(isLost ? {} : sizes),
    });
    const readyAt = endedAt + this.#dice.between(5, 200);
    if (isLost) return [later({ ...one, readyAt })];
    return next === undefined ? [] : [{ ...next, readyAt }];
  }
}

const later = ({ next, ordinal, ...one }: Due): Due => ({
  ...one,
  ordinal: ordinal + 1,
  ...(next !== undefined && { next: later(next) }),
});
