import {
  createScheduler,
  instant,
  type Scheduler,
  SETUP_DEFAULTS,
} from "../../../src/core/index.ts";
import type { Action, Capability, Discipline } from "../../../src/policy/index.ts";
import type { Dice } from "../../letter/dice.ts";
import { Counts, type Difference } from "../referee.ts";
import { type AttemptBook, Books, isFinished, type NodeBook, type TaskBook } from "./books.ts";
import type { Plan } from "./plan.ts";
import type { Told } from "./tell.ts";

/** Held slots are not asked about again. */
const NEVER_MS = 1e9;

/** What an event must bring about besides launches and kills. */
export interface Expected {
  readonly recomputes: TaskBook[];
}

export type Launch = Extract<Action, { kind: "launch" }>;

/** What a referee sets up. */
export interface Judging<P extends Plan> {
  readonly referee: string;
  readonly seed: number;
  readonly dice: Dice;
  readonly plan: P;
  discipline(books: Books): Discipline;
  readonly capabilities: readonly Capability[];
}

/** A world, and the comparison of every decision in it. */
export abstract class World<P extends Plan = Plan, E extends Expected = Expected> {
  readonly dice: Dice;
  readonly plan: P;
  readonly books: Books;
  readonly counts = new Counts();
  difference: Difference | undefined;
  /** The moment before, when a node that is silent now was last heard. */
  heardAt = 0;
  readonly #judging: Judging<P>;
  readonly #scheduler: Scheduler;
  #wakes: number[] = [];

  constructor(judging: Judging<P>) {
    const { capabilities, dice, plan, seed } = judging;
    this.#judging = judging;
    this.dice = dice;
    this.plan = plan;
    this.books = new Books(plan);
    this.#scheduler = createScheduler({
      ...SETUP_DEFAULTS,
      ...{ seed, capabilities, slotKinds: ["map", "reduce"], askAgainMs: NEVER_MS },
      racks: Array.from({ length: plan.racks }, (_, rack) => `r${rack}`),
      discipline: judging.discipline(this.books),
    });
  }

  /** Sends an event that the books have recorded already, and judges what follows from it. */
  abstract send(event: Told, expected?: E): void;

  /** Offers free slots of the node, or none. */
  abstract offer(node: NodeBook): void;

  /** The task has succeeded on the node for the first time since it last had to run. */
  abstract succeed(task: TaskBook, node: NodeBook): E;

  /** The node loses its copies of the tasks' outputs. */
  abstract lose(tasks: readonly TaskBook[], node: NodeBook): E;

  /** Advances to the moment; wakes on the way come in time. */
  advance(to: number): void {
    for (;;) {
      const next = Math.min(...this.#wakes.filter((at) => at > this.books.now));
      if (next > to) break;
      this.books.now = next;
      this.#wakes = this.#wakes.filter((at) => at > next);
      this.send({ kind: "woken" });
    }
    this.books.now = to;
  }

  differ(where: string, expected: string, found: string): void {
    const { referee, seed } = this.#judging;
    this.difference ??= { referee, seed, at: this.books.now, where, expected, found };
  }

  /** Things in any order. */
  compare(where: string, expected: readonly string[], found: readonly string[]): void {
    const [a, b] = [expected, found].map((texts) => [...texts].sort().join("; "));
    if (a !== b) this.differ(where, a!, b!);
  }

  /** The scheduler's actions; wakes are noted. */
  step(event: Told): Action[] {
    const { actions } = this.#scheduler.step({ ...event, at: instant(this.books.now) } as never);
    return actions.filter((action) => {
      if (action.kind === "wake" && action.at < NEVER_MS) this.#wakes.push(action.at);
      return action.kind !== "wake";
    });
  }

  /** The attempt of a launch; its luck is drawn. */
  begin({ attempt: id, task: taskId, node: nodeId, as }: Launch): AttemptBook {
    const { books, dice, plan } = this;
    const task = books.task(taskId);
    const node = books.node(nodeId);
    const luck = dice.chance(plan.chances.straggler)
      ? dice.pick([2.5, 5, 12])
      : dice.pick([1, 1, 1.25]);
    const perMs = node.speed / (usualMs(task) * luck);
    const attempt: AttemptBook = {
      ...{ id, task, node, as, startedAt: books.now, state: "running", endedAt: Number.NaN },
      pieces: [{ from: books.now, score: 0, perMs }],
    };
    books.begin(attempt);
    return attempt;
  }

  endJob(id: number): void {
    const job = this.books.jobs[id]!;
    if (!isFinished(job)) this.differ("end of job", "", `end job ${id}`);
    job.ended = true;
  }

  /** Called after the actions: a finished job must have been ended. */
  judgeEnds(): void {
    const live = this.books.liveJobs.find(isFinished);
    if (live !== undefined) this.differ("end of job", `end job ${live.id}`, "");
  }
}

/** What an attempt of the task takes on a usual machine. */
export const usualMs = ({ bytes, phase }: TaskBook): number =>
  phase.job.usualMs * (0.5 + bytes / 128e6);
