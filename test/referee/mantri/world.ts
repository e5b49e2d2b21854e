import {
  createScheduler,
  instant,
  type Scheduler,
  SETUP_DEFAULTS,
} from "../../../src/core/index.ts";
import { type Action, parseDiscipline } from "../../../src/policy/index.ts";
import { Dice } from "../../letter/dice.ts";
import { Counts, type Difference } from "../referee.ts";
import {
  type AttemptBook,
  Books,
  isNeeded,
  type PhaseBook,
  type TaskBook,
  unended,
} from "./books.ts";
import { estimatorOf } from "./estimator.ts";
import { Pseudocode1 } from "./lines.ts";
import { isBest } from "./placement.ts";
import { drawPlan, type Plan } from "./plan.ts";
import { type Asked, Protection } from "./protection.ts";
import * as told from "./tell.ts";

const NEVER_MS = 1e9;

/** What an event must bring about besides launches and kills. */
export interface Expected extends Asked {
  /** The output that is replicated. */
  replicate: TaskBook | undefined;
  /** Phases whose tasks are placed now. */
  readonly placed: PhaseBook[];
}

export const nothing = (): Expected => ({
  ...{ recomputes: [], prefers: [], replicate: undefined, placed: [] },
});

/** A world, and the comparison of every decision in it. */
export class World {
  readonly dice: Dice;
  readonly plan: Plan;
  readonly books = new Books();
  readonly lines: Pseudocode1;
  readonly protection: Protection;
  readonly counts = new Counts();
  difference: Difference | undefined;
  /** Outputs that are being replicated: where to. */
  readonly copying: { readonly task: TaskBook; readonly rack: number }[] = [];
  readonly #seed: number;
  readonly #scheduler: Scheduler;
  #wakes: number[] = [];

  constructor(seed: number) {
    this.#seed = seed;
    this.dice = new Dice(seed);
    this.plan = drawPlan(this.dice);
    const { jobs, lines, budgets, nodes, racks } = this.plan;
    this.books.nodes.push(...nodes);
    this.books.jobs.push(...jobs);
    for (const task of jobs.flatMap(({ phases }) => phases.flatMap(({ tasks }) => tasks))) {
      this.books.tasks.set(task.id, task);
    }
    this.lines = new Pseudocode1(lines);
    this.protection = new Protection(budgets);
    const sets = (seat: string, values: object) =>
      Object.entries(values).map(([name, value]) => `${seat}.${name}=${value}`);
    const discipline = parseDiscipline("mantri", [
      ...sets("speculation", lines),
      ...sets("data", budgets),
    ]);
    this.#scheduler = createScheduler({
      ...SETUP_DEFAULTS,
      ...{ seed, slotKinds: ["map", "reduce"], askAgainMs: NEVER_MS },
      racks: Array.from({ length: racks }, (_, rack) => `r${rack}`),
      discipline: { ...discipline, estimator: { policy: estimatorOf(this.books), params: {} } },
      capabilities: [
        "slot-offers",
        "kill-restart",
        "kill-only",
        "prefer",
        "recompute",
        "replicate",
      ],
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

  /** Sends an event that the books have recorded already. */
  send(event: told.Told, expected: Expected = nothing()): void {
    if (this.difference !== undefined) return;
    const { books, lines } = this;
    const offer = event.kind === "slots-offered" ? books.node(event.node) : undefined;
    books.noteWaiting();
    lines.watch(books, event.kind === "slots-offered" || event.kind === "woken");
    const overdue = lines.overdue(books);
    const { actions } = this.#scheduler.step({ ...event, at: instant(books.now) } as never);
    const launched = this.#judge(actions, expected);
    for (const attempt of overdue) {
      const isKept = attempt.state === "running" && !attempt.task.phase.job.ended;
      if (isKept && unended(attempt.task).includes(attempt)) {
        this.differ("line 3", `kill attempt ${attempt.id}`, "");
      }
    }
    if (offer !== undefined) this.#judgeLeft(offer);
    for (const attempt of launched) {
      if (attempt.state !== "running") continue;
      this.send(told.started(attempt));
      lines.expectReport(books, attempt.task);
    }
  }

  differ(where: string, expected: string, found: string): void {
    const { now: at } = this.books;
    this.difference ??= { referee: "mantri", seed: this.#seed, at, where, expected, found };
  }

  #judge(actions: readonly Action[], expected: Expected): AttemptBook[] {
    const launched: AttemptBook[] = [];
    const found = nothing();
    const placed = new Map<PhaseBook, Map<number, number>>();
    let restarted: AttemptBook | undefined;
    for (const action of actions) {
      switch (action.kind) {
        case "wake":
          if (action.at < NEVER_MS) this.#wakes.push(action.at);
          break;
        case "replicate":
          found.replicate = this.books.task(action.task);
          this.copying.push({ task: found.replicate, rack: action.to });
          break;
        case "recompute":
          found.recomputes.push(this.books.task(action.task));
          break;
        case "prefer":
          this.#prefer(action, found, placed);
          break;
        case "kill":
          restarted = this.#kill(action) ?? restarted;
          break;
        case "launch":
          this.#judgeAsked(expected, found, placed);
          launched.push(this.#launch(action, restarted));
          restarted = undefined;
          break;
        case "end-job":
          this.#end(action.job);
          break;
        default:
          this.differ("action", "", action.kind);
      }
    }
    this.#judgeAsked(expected, found, placed);
    const unended = this.books.liveJobs.find(({ phases }) =>
      phases.every(({ tasks }) => tasks.every(({ everDone }) => everDone)),
    );
    if (unended !== undefined) this.differ("end of job", `end job ${unended.id}`, "");
    return launched;
  }

  #isJudged = new WeakSet<Expected>();

  /** 5.2 and 5.3: judged before the launches, which they influence. */
  #judgeAsked(
    expected: Expected,
    found: Expected,
    placed: ReadonlyMap<PhaseBook, ReadonlyMap<number, number>>,
  ): void {
    if (this.#isJudged.has(expected)) return;
    this.#isJudged.add(expected);
    for (const phase of expected.placed) {
      this.counts.add("5.2 placed phase");
      const racks = placed.get(phase) ?? new Map();
      if (isBest(this.books, phase, this.plan.racks, racks)) continue;
      this.differ("5.2", `phase ${phase.id} on better racks`, JSON.stringify([...racks]));
    }
    for (const phase of placed.keys()) {
      if (!expected.placed.includes(phase)) this.differ("5.2", "", `places phase ${phase.id}`);
    }
    const { replicate } = expected;
    if (replicate !== undefined) this.counts.add("5.3 replicate");
    if (replicate !== found.replicate) {
      this.differ("5.3", `replicate ${replicate?.id}`, `replicate ${found.replicate?.id}`);
    }
    this.counts.add("5.3 recompute", found.recomputes.length);
    this.counts.add("5.3 place elsewhere", found.prefers.length);
    const texts = [expected, found].map(({ recomputes, prefers }) =>
      [
        ...recomputes.map(({ id }) => `recompute ${id}`),
        ...prefers.map(
          ({ task, places }) =>
            `prefer ${task.id} on ${[...places.nodes].sort()} or racks ${[...places.racks].sort()}`,
        ),
      ]
        .sort()
        .join("; "),
    );
    if (texts[0] !== texts[1]) this.differ("5.3", texts[0]!, texts[1]!);
  }

  #prefer(
    { task: id, nodes, racks, why }: Extract<Action, { kind: "prefer" }>,
    found: Expected,
    placed: Map<PhaseBook, Map<number, number>>,
  ): void {
    const task = this.books.task(id);
    task.prefers = { nodes, racks };
    if (why.rule !== "busiest-link") {
      found.prefers.push({ task, places: { nodes, racks } });
      return;
    }
    const racksOf = placed.get(task.phase) ?? new Map<number, number>();
    placed.set(task.phase, racksOf.set(id, racks[0] ?? -1));
  }

  /** Returns the attempt if it is killed to run again. */
  #kill({ attempt: id, then, why }: Extract<Action, { kind: "kill" }>): AttemptBook | undefined {
    const attempt = this.books.attempts.get(id);
    if (attempt?.state !== "running") return undefined;
    if (then === "restart") return attempt;
    this.lines.dropCandidate(attempt.task);
    if (why.rule === "slower-copy") {
      this.counts.add("line 3 kill");
      if (!this.lines.slower(this.books, attempt.task).includes(attempt)) {
        this.differ("line 3", "", `kill attempt ${id}`);
      }
    }
    attempt.state = "dying";
    return undefined;
  }

  #launch(action: Extract<Action, { kind: "launch" }>, restarted?: AttemptBook): AttemptBook {
    const { books, counts, lines } = this;
    const task = books.task(action.task);
    const node = books.node(action.node);
    const kind = task.phase.kind;
    const did =
      restarted !== undefined
        ? `restart attempt ${restarted.id}`
        : `${action.as === "speculative" ? "copy" : "start"} task ${task.id}`;
    const answers = lines.answers(books, { node, kind });
    if (!answers.has(did)) this.differ(`${node.name}/${kind}`, [...answers].join(", or "), did);
    counts.add(nameOf(action, restarted !== undefined));
    if (node.held[kind] === 0)
      this.differ(`${node.name}/${kind}`, "no launch: no slot is free", did);
    node.held[kind]--;
    if (restarted !== undefined) {
      restarted.state = "dying";
      task.restarts++;
    }
    const attempt: AttemptBook = {
      ...{ id: action.attempt, task, node, as: action.as, startedAt: books.now },
      ...{ state: "running", endedAt: Number.NaN, pieces: [] },
    };
    const size = 0.5 + (task.bytes ?? 64e6) / 128e6;
    const luck = this.dice.chance(this.plan.chances.straggler)
      ? this.dice.pick([2.5, 5, 12])
      : this.dice.pick([1, 1, 1.25]);
    const perMs = node.speed / (task.phase.job.usualMs * size * luck);
    attempt.pieces.push({ from: books.now, score: 0, perMs });
    task.attempts.push(attempt);
    books.attempts.set(attempt.id, attempt);
    books.onSlots.add(attempt);
    return attempt;
  }

  #end(id: number): void {
    const job = this.books.jobs[id]!;
    const isDone = job.phases.every(({ tasks }) => tasks.every(({ everDone }) => everDone));
    const isFailed = [...this.books.tasks.values()].some(
      ({ phase, failures }) => phase.job === job && failures >= 4,
    );
    if (!isDone && !isFailed) this.differ("end of job", "", `end job ${id}`);
    job.ended = true;
    this.protection.forget(job);
  }

  /** The slots that are left: nothing could be done with them. */
  #judgeLeft(node: ReturnType<Books["node"]>): void {
    for (const kind of [0, 1] as const) {
      if (node.held[kind] === 0 || this.books.liveJobs.length === 0) continue;
      this.counts.add("slot left");
      const answers = this.lines.answers(this.books, { node, kind });
      if (!answers.has("nothing"))
        this.differ(`${node.name}/${kind}`, [...answers].join(", or "), "");
    }
  }
}

function nameOf({ as, why }: Extract<Action, { kind: "launch" }>, isRestart: boolean): string {
  if (isRestart) return "line 6 restart";
  if (as === "speculative") return why.rule === "copy-saves-time" ? "line 10 copy" : "line 7 copy";
  return why.rule === "preferred" ? "line 8 start, preferred" : "line 8 start";
}

/** Marks the outputs that are made again, and the lost ones that they need (3.2, 5.3). */
export function remake(task: TaskBook, recomputes: TaskBook[]): void {
  if (!task.everDone || task.isRemade || !isNeeded(task)) return;
  task.isRemade = true;
  recomputes.push(task);
  for (const read of task.phase.reads.flatMap(({ tasks }) => tasks)) {
    if (read.everDone && read.outputs.size === 0) remake(read, recomputes);
  }
}
