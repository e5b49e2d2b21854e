import {
  createScheduler,
  instant,
  type Scheduler,
  SETUP_DEFAULTS,
} from "../../../src/core/index.ts";
import { type Action, parseDiscipline } from "../../../src/policy/index.ts";
import { Dice } from "../../letter/dice.ts";
import { Counts, type Difference } from "../referee.ts";
import { type AttemptBook, Books, type TaskBook } from "./books.ts";
import { loseNode } from "./lose.ts";
import { drawPlan, type Plan } from "./plan.ts";
import { answer, type Slot } from "./section-4.ts";
import * as told from "./tell.ts";

/** Held slots are not asked about again. */
const NEVER_MS = 1e9;

/** A world, and the comparison of every decision in it. */
export class World {
  readonly dice: Dice;
  readonly plan: Plan;
  readonly books: Books;
  readonly counts = new Counts();
  difference: Difference | undefined;
  /** The moment before, when a node that is silent now was last heard. */
  heardAt = 0;
  readonly #seed: number;
  readonly #scheduler: Scheduler;
  #wakes: number[] = [];

  constructor(seed: number) {
    this.#seed = seed;
    this.dice = new Dice(seed);
    this.plan = drawPlan(this.dice);
    const { expiryMs, jobs, nodes, reportEvery, thresholds } = this.plan;
    this.books = new Books(reportEvery);
    this.books.nodes.push(...nodes);
    this.books.jobs.push(...jobs);
    for (const task of jobs.flatMap(({ phases }) => phases.flatMap(({ tasks }) => tasks))) {
      this.books.tasks.set(task.id, task);
    }
    const sets = Object.entries(thresholds).map(([name, value]) => `speculation.${name}=${value}`);
    this.#scheduler = createScheduler({
      ...SETUP_DEFAULTS,
      ...{ seed, slotKinds: ["map", "reduce"], racks: ["r0", "r1"], askAgainMs: NEVER_MS },
      discipline: parseDiscipline("late,sharing=fifo-plain", [
        ...sets,
        `detection.expiryMs=${expiryMs}`,
      ]),
      capabilities: ["slot-offers", "kill-only", "kill-restart", "recompute"],
    });
  }

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

  /** Offers one slot; one that is not taken is not offered again. */
  offer(slot: Slot): void {
    if (!this.send(told.offered(slot.node, slot.kind), [], slot)) {
      this.send(told.offered(slot.node));
    }
  }

  /**
   * Sends an event that the books have recorded already, with the tasks that run again because of
   * it. Returns whether the slot was taken.
   */
  send(event: told.Told, remade: readonly TaskBook[] = [], slot?: Slot): boolean {
    if (this.difference !== undefined) return true;
    const { books } = this;
    const { actions } = this.#scheduler.step({ ...event, at: instant(books.now) } as never);
    const expected = [...remade];
    const found: TaskBook[] = [];
    let launched: AttemptBook | undefined;
    for (const action of actions) {
      switch (action.kind) {
        case "wake":
          if (action.at < NEVER_MS) this.#wakes.push(action.at);
          break;
        case "declare-lost":
          this.counts.add("node lost");
          expected.push(...this.#expire(action.node));
          break;
        case "recompute":
          found.push(books.task(action.task));
          break;
        case "kill":
          this.#kill(action.attempt);
          break;
        case "launch":
          launched = this.#launch(action, slot);
          break;
        case "end-job":
          this.#end(action.job);
          break;
        default:
          this.differ("action", "", action.kind);
      }
    }
    this.#judgeRemade(expected, found);
    if (slot !== undefined && launched === undefined) this.#judge(slot, "nothing");
    const live = books.liveJobs.find(({ phases }) => phases.every(isFinished));
    if (live !== undefined) this.differ("end of job", `end job ${live.id}`, "");
    if (launched !== undefined) this.send(told.started(books, launched));
    return launched !== undefined;
  }

  differ(where: string, expected: string, found: string): void {
    const { now: at } = this.books;
    this.difference ??= { referee: "late", seed: this.#seed, at, where, expected, found };
  }

  #judge(slot: Slot, found: string): void {
    const expected = answer(this.books, this.plan.thresholds, slot);
    if (expected !== found) this.differ(`${slot.node.name}/${slot.kind}`, expected, found);
    if (found === "nothing") this.counts.add("slot left");
  }

  #judgeRemade(expected: readonly TaskBook[], found: readonly TaskBook[]): void {
    this.counts.add("map run again", found.length);
    const texts = [expected, found].map((tasks) =>
      tasks
        .map(({ id }) => `recompute ${id}`)
        .sort()
        .join("; "),
    );
    if (texts[0] !== texts[1]) this.differ("lost outputs", texts[0]!, texts[1]!);
  }

  /** A silent node is lost once its expiry is over. */
  #expire(id: number): TaskBook[] {
    const node = this.books.node(id);
    const { silentSince } = node;
    const isOver = silentSince !== undefined && this.books.now >= silentSince + this.plan.expiryMs;
    if (!isOver) this.differ("expiry", "", `${node.name} declared lost`);
    return loseNode(this.books, node);
  }

  #launch(action: Extract<Action, { kind: "launch" }>, slot: Slot | undefined): AttemptBook {
    const { books } = this;
    const task = books.task(action.task);
    const isCopy = action.as === "speculative";
    const did = `${isCopy ? "copy" : "start"} task ${task.id}`;
    if (slot === undefined) this.differ("no slot", "", did);
    else this.#judge(slot, did);
    const isAgain = action.as === "recompute" || action.as === "rerun";
    this.counts.add(isCopy ? "copy" : isAgain ? "start again" : "start");
    if (isCopy && task.everDone) this.counts.add("copy of a map run again");
    const attempt: AttemptBook = {
      ...{ id: action.attempt, task, node: books.node(action.node), isCopy },
      ...{ startedAt: books.now, state: "running", endedAt: Number.NaN, pieces: [] },
    };
    const { dice, plan } = this;
    const luck = dice.chance(plan.chances.straggler)
      ? dice.pick([2.5, 5, 12])
      : dice.pick([1, 1, 1.25]);
    const takesMs =
      (task.phase.job.usualMs * (0.5 + task.bytes / 128e6) * luck) / attempt.node.speed;
    attempt.pieces.push({ from: books.now, score: 0, perMs: 1 / takesMs });
    task.attempts.push(attempt);
    books.attempts.set(attempt.id, attempt);
    books.onSlots.add(attempt);
    return attempt;
  }

  /** A silent node will not report the end. */
  #kill(id: number): void {
    const attempt = this.books.attempts.get(id);
    if (attempt?.state !== "running") return;
    attempt.state = "dying";
    if (attempt.node.silentSince !== undefined) this.books.end(attempt, "killed");
  }

  #end(id: number): void {
    const job = this.books.jobs[id]!;
    if (!job.phases.every(isFinished)) this.differ("end of job", "", `end job ${id}`);
    job.ended = true;
  }
}

const isFinished = ({ tasks }: { readonly tasks: readonly TaskBook[] }): boolean =>
  tasks.every(({ everDone }) => everDone);
