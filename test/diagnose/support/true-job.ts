import { ColumnsBuilder } from "../../../src/history/columns-builder.ts";
import type { TraceJob } from "../../../src/history/model.ts";
import type { FurtherAttempt, RecordedJob, RecordedRun } from "../../../src/hosts/sim/index.ts";
import { runRecorded } from "../../../src/hosts/sim/index.ts";
import { parseDiscipline } from "../../../src/policy/discipline.ts";
import { addAttempt } from "./attempt.ts";
import { Dice } from "./dice.ts";

/**
 * A fully known job: its tasks' times, the tasks that are long by nature, the bad luck of attempts.
 * It can run any number of times, under any policy.
 */
export class TrueJob {
  readonly seed: number;
  readonly #nodes: number;
  readonly #slots: number;
  readonly #slow = new Map<number, number>();
  readonly #phases: readonly TruePhase[];

  /**
   * `rho`: the chance that bad luck is the task's own, and not the attempt's. `tails`: by phase,
   * other chances of bad luck than the job's true ones.
   */
  constructor(seed: number, rho: number, tails: readonly number[] = []) {
    const dice = new Dice(seed * 7 + 3);
    this.seed = seed;
    this.#nodes = dice.whole(6, 24);
    this.#slots = dice.whole(1, 3);
    if (dice.chance(0.4)) this.#slow.set(dice.whole(0, this.#nodes - 1), dice.between(1.5, 3.5));
    this.#phases = Array.from({ length: dice.whole(2, 5) }, (_, p): TruePhase => {
      const count = Math.max(12, Math.round(this.#nodes * this.#slots * dice.between(1.3, 4)));
      const baseMs = dice.between(5_000, 40_000);
      const trueTail = dice.chance(0.5) ? dice.between(0.005, 0.03) : 0;
      const tail = tails[p] ?? trueTail;
      const spread = dice.between(0.04, 0.15);
      const skew = dice.chance(0.5) ? dice.between(0.2, 0.6) : 0.03;
      const tasks = Array.from({ length: count }, () => {
        const bytes = Math.round(64e6 * Math.exp(skew * dice.normal()));
        const work = baseMs * (0.4 + (0.6 * bytes) / 64e6);
        return { bytes, workMs: work, own: dice.chance(rho) ? luck(dice, { spread, tail }) : 0 };
      });
      return { tasks, spread, tail };
    });
  }

  run(policy: string, seed: number, sets: readonly string[] = []): RecordedRun {
    const discipline = parseDiscipline(`${policy},sharing=fifo-plain`, sets);
    return runRecorded(this.#recorded(seed), { seed, discipline, nodeOrder: "drawn" });
  }

  /**
   * The chances of bad luck that an error-free reader infers from a log of the run: how many of
   * each phase's first attempts had bad luck, drawn towards the job's share. For rho 0.
   */
  seenTails(seed: number): readonly number[] {
    const seen = this.#phases.map((phase, p) => {
      const had = phase.tasks.filter((_, index) => {
        const dice = this.#firstDice(seed, p, index);
        dice.normal();
        return dice.chance(phase.tail);
      });
      return { bad: had.length, of: phase.tasks.length };
    });
    const sum = (of: "bad" | "of"): number => seen.reduce((total, each) => total + each[of], 0);
    const share = (sum("bad") + 0.5) / sum("of");
    return seen.map(({ bad, of }) => (bad + 20 * share) / (of + 20));
  }

  /** The run's first attempts as they were, where they were, under another policy. */
  rerun(of: RecordedRun, policy: string, seed: number, sets: readonly string[] = []): RecordedRun {
    const discipline = parseDiscipline(`${policy},sharing=fifo-plain`, sets);
    const job = this.#recorded(seed);
    const phases = job.phases.map((phase, p) => ({
      ...phase,
      tasks: phase.tasks.map((task, index) => {
        const first = of.attempts.find((one) => one.phase === p && one.task === index);
        if (first?.startedAtMs === undefined) throw new Error("a task that did not run");
        const workMs = first.endedAtMs - first.startedAtMs;
        return { ...task, firstOn: first.node, attempts: [{ workMs, slowedByNode: false }] };
      }),
    }));
    return runRecorded({ ...job, phases }, { seed, discipline });
  }

  /** A log of the run. */
  logOf({ attempts, responseMs }: RecordedRun): TraceJob {
    const names = Array.from({ length: this.#nodes }, (_, i) => `n${i}`);
    const phases = this.#phases.map(({ tasks }, index) => {
      const builder = new ColumnsBuilder();
      const ordinals = new Map<number, number>();
      for (const each of attempts) {
        if (each.phase !== index || each.startedAtMs === undefined) continue;
        const ordinal = ordinals.get(each.task) ?? 0;
        ordinals.set(each.task, ordinal + 1);
        const done = each.ended === "succeeded";
        addAttempt(builder, {
          task: each.task,
          ordinal,
          as: each.as === "speculative" ? "speculative" : "original",
          node: names.indexOf(each.node),
          startedAt: each.startedAtMs,
          endedAt: each.endedAtMs,
          ended: each.ended,
          ...(done && { inputBytes: tasks[each.task]?.bytes ?? 0 }),
        });
      }
      return {
        name: `p${index}`,
        kind: "stage" as const,

        span: -1,
        tasks: tasks.length,
        reads: index === 0 ? [] : [{ phase: index - 1, start: { when: "done" } as const }],
        attempts: builder.build(),
      };
    });
    return {
      id: `job-${this.seed}`,
      name: "job",
      submittedAt: 0,
      endedAt: responseMs,
      outcome: "succeeded",
      phases,
      spans: [],
      nodes: names,
      executors: [],
      slots: names.flatMap((_, node) =>
        Array.from({ length: this.#slots }, () => ({
          kind: "stage" as const,
          node,
          executor: -1,
          from: 0,
        })),
      ),
      settings: { speculation: false, discipline: "none", values: {} },
      lacks: new Set(["progress"]),
    };
  }

  #firstDice(seed: number, phase: number, index: number): Dice {
    return new Dice(((this.seed * 31 + seed) * 31 + phase) * 10_007 + index);
  }

  #recorded(seed: number): RecordedJob {
    const workMs = (phase: TruePhase, index: number, dice: Dice): number => {
      const { workMs, own } = phase.tasks[index] ?? { workMs: 0, own: 0 };
      const anew = luck(dice, phase);
      return Math.round(workMs * (own > 0 ? own : anew));
    };
    return {
      name: "job",
      slotKinds: ["stage"],
      nodes: Array.from({ length: this.#nodes }, (_, i) => ({
        name: `n${i}`,
        factor: this.#slow.get(i) ?? 1,
        slots: [{ kind: "stage", count: this.#slots }],
      })),
      phases: this.#phases.map((phase, p) => ({
        name: `p${p}`,
        slots: ["stage"],
        reads: p === 0 ? [] : [{ phase: p - 1, start: { when: "done" } as const }],
        gapMs: 500,
        tasks: phase.tasks.map(({ bytes }, index) => {
          const dice = this.#firstDice(seed, p, index);
          const attempt = { workMs: workMs(phase, index, dice), slowedByNode: true };
          return { inputBytes: bytes, attempts: [attempt] };
        }),
        further: ({ task, ordinal }: FurtherAttempt) => {
          const key = ((this.seed * 31 + seed) * 31 + p) * 10_007 + task + 5_003 * ordinal;
          return { workMs: workMs(phase, task, new Dice(key + 17)), slowedByNode: true };
        },
      })),
      tailMs: 200,
    };
  }
}

interface TruePhase {
  readonly spread: number;
  readonly tail: number;
  /** `own`: luck that every attempt of the task has; 0: each attempt draws its own. */
  readonly tasks: readonly {
    readonly bytes: number;
    readonly workMs: number;
    readonly own: number;
  }[];
}

/** How many times its usual time an attempt takes. */
function luck(dice: Dice, { spread, tail }: { spread: number; tail: number }): number {
  const usual = Math.exp(spread * dice.normal());
  return usual * (dice.chance(tail) ? dice.between(1.5, 5) : 1);
}
