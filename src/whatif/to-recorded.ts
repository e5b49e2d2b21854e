import { defined } from "../base/assert.ts";
import { nextFloat, type RandomState, randomState, split } from "../base/random.ts";
import { cell } from "../base/rows.ts";
import { drawnDuration } from "../diagnose/audit/audit.ts";
import { LifetimeSampler } from "../diagnose/audit/lifetimes.ts";
import { orZero } from "../diagnose/expect/signals.ts";
import { attemptsOf, type Plan, ROLE } from "../diagnose/schedule/planned.ts";
import type {
  FurtherAttempt,
  RecordedAttempt,
  RecordedJob,
  RecordedPhase,
  RecordedTask,
} from "../hosts/sim/index.ts";
import { endsWithItsCopies } from "./failures.ts";
import { type Fitted, factorOf } from "./fitted.ts";
import { drawLuck, type LuckPool, otherPool, RUNS_PER_POOL } from "./luck.ts";
import type { PhaseShape, TaskShape } from "./shape.ts";
import { waitOf } from "./waits.ts";

export interface Question {
  /**
   * `that-run`: first attempts keep their recorded durations; `again`: all luck is drawn again
   * except the task's own.
   */
  readonly luck: "that-run" | "again";
  /** The part of bad luck that is the task's own, and comes back in every attempt: 0 to 1. */
  readonly rho: number;
  readonly seed: number;
  /** Whether first attempts run on their recorded nodes, so that a policy may judge nodes. */
  readonly pinned?: boolean;
  /** Whether the ends of killed losers are drawn, as they are not known. The median if left out. */
  readonly drawsLosers?: boolean;
}

/** The job as data for the simulator. */
export function toRecorded(fitted: Fitted, question: Question): RecordedJob {
  const { plan, shape } = fitted;
  const stream = randomState(question.seed, "luck");
  const loserMs = losersOf(fitted, question);
  return {
    name: plan.job.id,
    slotKinds: shape.slotKinds,
    nodes: shape.nodes,
    phases: shape.phases.map((phase, index) =>
      new PhaseRun(fitted, question, phase, {
        ...{ index, loserMs, stream: split(stream, index) },
      }).recorded(),
    ),
    tailMs: shape.tailMs,
  };
}

/**
 * By attempt that was killed because another had succeeded: how long it would have taken, where
 * that is drawn.
 */
function losersOf(fitted: Fitted, { drawsLosers, seed }: Question): ReadonlyMap<number, number> {
  const { plan, signals, expectation, luck } = fitted;
  if (drawsLosers !== true || !plan.lostRace.includes(1)) return new Map();
  const sampler = new LifetimeSampler(luck.lifetimes, randomState(seed, "losers"));
  const losers = Array.from(plan.lostRace.keys()).filter((i) => plan.lostRace[i] === 1);
  return new Map(losers.map((i) => [i, drawnDuration(plan, signals, expectation, i, sampler)]));
}

/** One phase of one run. */
class PhaseRun {
  readonly #fitted: Fitted;
  readonly #question: Question;
  readonly #shape: PhaseShape;
  readonly #pool: LuckPool;
  readonly #stream: RandomState;
  readonly #loserMs: ReadonlyMap<number, number>;

  constructor(
    fitted: Fitted,
    question: Question,
    shape: PhaseShape,
    of: {
      readonly index: number;
      readonly loserMs: ReadonlyMap<number, number>;
      readonly stream: RandomState;
    },
  ) {
    const { index, loserMs, stream } = of;
    this.#loserMs = loserMs;
    this.#fitted = fitted;
    this.#question = question;
    this.#shape = shape;
    const pool = defined(fitted.luck.pools[index], "the luck of a phase");
    const nth = Math.floor((question.seed - 1) / RUNS_PER_POOL);
    const ofJob = randomState(nth, "pool");
    const chance = split(ofJob, index);
    this.#pool = question.luck === "again" ? otherPool(pool, nth, { ofJob, chance }) : pool;
    this.#stream = stream;
  }

  recorded(): RecordedPhase {
    const { name, kind, reads, gapMs, speculate } = this.#shape;
    return {
      name,
      slots: [kind],
      reads,
      gapMs,
      ...(speculate ? {} : { speculate }),
      tasks: this.#tasks(),
      further: (attempt) => this.#further(attempt),
    };
  }

  /** Where nothing is drawn, the tasks are the same for all seeds, and are made once. */
  #tasks(): readonly RecordedTask[] {
    const { luck, pinned = false } = this.#question;
    const isDrawn = luck === "again" || this.#loserMs.size > 0;
    const known = isDrawn ? undefined : this.#fitted.undrawn[pinned ? "pinned" : "free"];
    const tasks =
      known?.get(this.#shape) ?? this.#shape.tasks.map((task, index) => this.#task(task, index));
    known?.set(this.#shape, tasks);
    return tasks;
  }

  #task(shape: TaskShape, index: number): RecordedTask {
    const { plan, signals } = this.#fitted;
    const { luck, pinned = false } = this.#question;
    const first = cell(shape.attempts[0]);
    const bytes = cell(signals.bytes[first]);
    const { isOwn, chance } = this.#own(index);
    const attempts = shape.attempts.map((i) => {
      const again = luck === "again" && plan.role[i] === ROLE.finishes;
      // One draw for each attempt, used or not: other attempts keep theirs.
      const drawn = drawLuck(this.#pool, chance);
      const ratio = isOwn ? this.#ratio(i) : drawn;
      const attempt = this.#attempt(i, again ? ratio : undefined);
      return { ...attempt, ...this.#endOf(shape, i), ...waitOf(this.#fitted, i) };
    });
    const node = plan.job.nodes[shape.firstNode];
    // Without replicas: the recorded durations already include the location of the data.
    return {
      ...(!Number.isNaN(bytes) && { inputBytes: bytes }),
      ...(pinned && node !== undefined && { firstOn: node }),
      attempts,
      // In the recorded run itself, a recorded copy keeps its duration.
      ...(luck === "that-run" && {
        copies: shape.copies.map((i) => this.#attempt(i, undefined)),
      }),
    };
  }

  /** `ratio`: undefined keeps the recorded duration. */
  #attempt(i: number, ratio: number | undefined): RecordedAttempt {
    const { plan, timing, luck } = this.#fitted;
    const expectedMs = cell(luck.expectedMs[i]);
    const medianMs = expectedMs * this.#ratio(i) * factorOf(this.#fitted, i);
    const loserMs = this.#loserMs.get(i) ?? medianMs;
    const recordedMs = plan.lostRace[i] === 1 ? loserMs : cell(timing.own[i]);
    return {
      workMs: Math.max(1, ratio === undefined ? recordedMs : expectedMs * ratio),
      slowedByNode: ratio !== undefined,
      heldByReads: cell(plan.barrier[i]) >= 0,
      records: recordsOf(plan, i),
    };
  }

  /**
   * A copy or a successor that the record does not have. It ends as the attempt does beside which,
   * or in whose place, it runs, if that failed; else it draws its own luck, or has its task's.
   */
  #further({ task, of, leftMs, chance }: FurtherAttempt): RecordedAttempt {
    const { plan, luck, timing } = this.#fitted;
    const shape = cell(this.#shape.tasks[task]);
    // None, if it follows on the last recorded one.
    const beside = shape.attempts[of];
    // The task's own luck shows in an attempt that ran to its end.
    const finishing = shape.attempts.find((i) => plan.role[i] === ROLE.finishes);
    const whole = finishing ?? cell(shape.attempts[0]);
    const ratio = this.#own(task).isOwn ? this.#ratio(whole) : drawLuck(this.#pool, chance);
    const attempt = {
      workMs: Math.max(1, cell(luck.expectedMs[whole]) * ratio),
      slowedByNode: true,
      records: recordsOf(plan, whole),
    };
    if (beside === undefined || !endsWithItsCopies(this.#fitted, beside)) return attempt;
    const lastsMs = Math.max(1, leftMs > 0 ? leftMs : cell(timing.own[beside]));
    return { ...attempt, slowedByNode: false, ...endsAfter(shape, plan, lastsMs) };
  }

  /** An attempt without a result ends when it ended. */
  #endOf(shape: TaskShape, i: number): Partial<RecordedAttempt> {
    const { plan, timing } = this.#fitted;
    if (plan.role[i] !== ROLE.fails) return {};
    return endsAfter(shape, plan, Math.max(1, cell(timing.own[i])));
  }

  /** Whether the recorded luck is the task's own: the same for all its attempts in a run. */
  #own(index: number): { readonly isOwn: boolean; readonly chance: RandomState } {
    const chance = split(this.#stream, index);
    const isDrawn = nextFloat(chance) < this.#question.rho;
    const first = cell(cell(this.#shape.tasks[index]).attempts[0]);
    const { luck, plan } = this.#fitted;
    return { isOwn: isDrawn || luck.isOfSize[cell(plan.task[first])] === 1, chance };
  }

  #ratio(i: number): number {
    return cell(this.#fitted.luck.ratio[i]);
  }
}

/**
 * The cluster ends an attempt whose task ran again: how many failures a task or a node may have is
 * a rule of the recorded system, and not of the discipline. A task without any result fails.
 */
function endsAfter(
  { attempts }: TaskShape,
  { role }: Plan,
  ms: number,
): Pick<RecordedAttempt, "evictedAfterMs" | "failsAfterMs"> {
  const isDone = attempts.some((i) => role[i] === ROLE.finishes);
  return isDone ? { evictedAfterMs: ms } : { failsAfterMs: ms };
}

function recordsOf(plan: Plan, i: number): number {
  return orZero(cell(attemptsOf(plan, i).inputRecords[cell(plan.row[i])]));
}
