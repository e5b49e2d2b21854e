import { defined } from "../base/assert.ts";
import { nextFloat, type RandomState, randomState, split } from "../base/random.ts";
import { cell } from "../base/rows.ts";
import { orZero } from "../diagnose/expect/signals.ts";
import { attemptsOf, type Plan, ROLE } from "../diagnose/schedule/planned.ts";
import type {
  FurtherAttempt,
  RecordedAttempt,
  RecordedJob,
  RecordedPhase,
  RecordedTask,
} from "../hosts/sim/index.ts";
import { type Fitted, factorOf } from "./fitted.ts";
import { drawLuck, type LuckPool, otherPool, RUNS_PER_POOL } from "./luck.ts";
import type { PhaseShape, TaskShape } from "./shape.ts";

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
}

/** The job as data for the simulator. */
export function toRecorded(fitted: Fitted, question: Question): RecordedJob {
  const { plan, shape } = fitted;
  const stream = randomState(question.seed, "luck");
  return {
    name: plan.job.id,
    slotKinds: shape.slotKinds,
    nodes: shape.nodes,
    phases: shape.phases.map((phase, index) =>
      new PhaseRun(fitted, question, phase, { index, stream: split(stream, index) }).recorded(),
    ),
    tailMs: shape.tailMs,
  };
}

/** One phase of one run. */
class PhaseRun {
  readonly #fitted: Fitted;
  readonly #question: Question;
  readonly #shape: PhaseShape;
  readonly #pool: LuckPool;
  readonly #stream: RandomState;

  constructor(
    fitted: Fitted,
    question: Question,
    shape: PhaseShape,
    { index, stream }: { readonly index: number; readonly stream: RandomState },
  ) {
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
    const { name, kind, reads, gapMs, speculate, tasks } = this.#shape;
    return {
      name,
      slots: [kind],
      reads,
      gapMs,
      ...(speculate ? {} : { speculate }),
      tasks: tasks.map((task, index) => this.#task(task, index)),
      further: (attempt) => this.#further(attempt),
    };
  }

  #task(shape: TaskShape, index: number): RecordedTask {
    const { plan, signals } = this.#fitted;
    const { luck, pinned = false } = this.#question;
    const first = cell(shape.attempts[0]);
    const bytes = cell(signals.bytes[first]);
    const { isOwn, chance } = this.#own(index);
    const attempts = shape.attempts.map((i, nth) => {
      const again = luck === "again" && plan.role[i] === ROLE.finishes;
      // One draw for each attempt, used or not: other attempts keep theirs.
      const drawn = drawLuck(this.#pool, chance);
      const ratio = isOwn ? this.#ratio(i) : drawn;
      return this.#attempt(i, cell(shape.beforeMs[nth]), again ? ratio : undefined);
    });
    const node = plan.job.nodes[shape.firstNode];
    // Without replicas: the recorded durations already include the location of the data.
    return {
      ...(!Number.isNaN(bytes) && { inputBytes: bytes }),
      ...(pinned && node !== undefined && { firstOn: node }),
      attempts,
      // In the recorded run itself, a recorded copy keeps its duration.
      ...(luck === "that-run" && {
        copies: shape.copies.map((i) => this.#attempt(i, 0, undefined)),
      }),
    };
  }

  /** `ratio`: undefined keeps the recorded duration. */
  #attempt(i: number, beforeMs: number, ratio: number | undefined): RecordedAttempt {
    const { plan, timing, luck } = this.#fitted;
    const expectedMs = cell(luck.expectedMs[i]);
    const wouldTakeMs = expectedMs * this.#ratio(i) * factorOf(this.#fitted, i);
    const recordedMs = plan.lostRace[i] === 1 ? wouldTakeMs : cell(timing.own[i]);
    return {
      workMs: Math.max(1, ratio === undefined ? recordedMs : expectedMs * ratio),
      waitMs: Math.max(0, cell(timing.wait[i])) + beforeMs,
      slowedByNode: ratio !== undefined,
      heldByReads: cell(plan.barrier[i]) >= 0,
      ...(plan.role[i] === ROLE.fails && { failsAfterMs: Math.max(1, recordedMs) }),
      records: recordsOf(plan, i),
    };
  }

  /** A copy or a retry that the record does not have: it draws its own luck, or has its task's. */
  #further({ task, chance }: FurtherAttempt): RecordedAttempt {
    const { plan, luck } = this.#fitted;
    const first = cell(cell(this.#shape.tasks[task]).attempts[0]);
    const ratio = this.#own(task).isOwn ? this.#ratio(first) : drawLuck(this.#pool, chance);
    return {
      workMs: Math.max(1, cell(luck.expectedMs[first]) * ratio),
      slowedByNode: true,
      records: recordsOf(plan, first),
    };
  }

  /** Whether the recorded luck is the task's own: the same for all its attempts in a run. */
  #own(task: number): { readonly isOwn: boolean; readonly chance: RandomState } {
    const chance = split(this.#stream, task);
    return { isOwn: nextFloat(chance) < this.#question.rho, chance };
  }

  #ratio(i: number): number {
    return cell(this.#fitted.luck.ratio[i]);
  }
}

function recordsOf(plan: Plan, i: number): number {
  return orZero(cell(attemptsOf(plan, i).inputRecords[cell(plan.row[i])]));
}
