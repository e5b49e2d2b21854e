import { type Action, parseDiscipline } from "../../../src/policy/index.ts";
import { MAP, REDUCE } from "../../letter/books.ts";
import { Dice } from "../../letter/dice.ts";
import {
  type AttemptBook,
  type NodeBook,
  type PhaseBook,
  type TaskBook,
  unended,
} from "../driven/books.ts";
import { loseCopy, remake } from "../driven/lose.ts";
import * as told from "../driven/tell.ts";
import { type Launch, World } from "../driven/world.ts";
import { estimatorOf } from "./estimator.ts";
import { Pseudocode1 } from "./lines.ts";
import { isBest } from "./placement.ts";
import { drawPlan, type MantriPlan } from "./plan.ts";
import { type Asked, Protection } from "./protection.ts";
import { noteWaiting } from "./tasks.ts";

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

export class MantriWorld extends World<MantriPlan, Expected> {
  readonly lines: Pseudocode1;
  readonly protection: Protection;
  /** Outputs that are being replicated: where to. */
  readonly copying: { readonly task: TaskBook; readonly rack: number }[] = [];
  /** The links of each rack, as last sampled: bytes per ms. */
  readonly sampled = new Map<number, { readonly up: number; readonly down: number }>();
  readonly #begun = new Set<PhaseBook>();

  constructor(seed: number) {
    const dice = new Dice(seed);
    const plan = drawPlan(dice);
    const sets = (seat: string, values: object) =>
      Object.entries(values).map(([name, value]) => `${seat}.${name}=${value}`);
    super({
      ...{ referee: "mantri", seed, dice, plan },
      discipline: (books) => ({
        ...parseDiscipline("mantri", [
          ...sets("speculation", plan.lines),
          ...sets("data", plan.budgets),
        ]),
        estimator: { policy: estimatorOf(books), params: {} },
      }),
      capabilities: [
        ...(["slot-offers", "kill-restart", "kill-only"] as const),
        ...(["prefer", "recompute", "replicate"] as const),
      ],
    });
    this.lines = new Pseudocode1(plan.lines);
    this.protection = new Protection(plan.budgets, plan.jobs);
  }

  /** Every free slot of the node. */
  override offer(node: NodeBook): void {
    if (!this.dice.chance(this.plan.chances.offer)) return;
    for (const kind of [MAP, REDUCE]) node.held[kind] = this.books.freeOn(node, kind);
    this.send(told.offeredAll(node, node.held));
  }

  override succeed(task: TaskBook, node: NodeBook): Expected {
    const isReplicated = task.outputs.size > 0 && this.protection.replicates(task);
    this.protection.succeed(this.books, task, node);
    return { ...nothing(), replicate: isReplicated ? task : undefined };
  }

  override lose(tasks: readonly TaskBook[], node: NodeBook): Expected {
    const { books, protection } = this;
    const expected = nothing();
    books.findReady();
    // What ran there waits again before what it has written is lost.
    noteWaiting(books);
    for (const task of tasks) {
      if (!loseCopy(task, node) || task.phase.job.ended) continue;
      books.findReady();
      this.remakeAsked(protection.lost(books, task, "lost"), expected);
    }
    for (const task of tasks) protection.lose(books, task, node);
    return expected;
  }

  /** What is asked for is made again, and what that needs. */
  remakeAsked(asked: Asked, expected: Expected): void {
    const remade: TaskBook[] = [];
    for (const task of asked.recomputes) remake(task, remade);
    for (const task of remade) this.protection.charge(task);
    expected.prefers.push(...asked.prefers);
    expected.recomputes.push(...remade);
    this.books.findReady();
    noteWaiting(this.books);
  }

  override send(event: told.Told, expected = nothing()): void {
    if (this.difference !== undefined) return;
    const { books, lines } = this;
    const offer = event.kind === "slots-offered" ? books.node(event.node) : undefined;
    books.findReady();
    expected.placed.push(...this.#beginning());
    noteWaiting(books);
    lines.watch(books, event.kind === "slots-offered" || event.kind === "woken");
    const overdue = lines.overdue(books);
    const launched = this.#judge(this.step(event), expected);
    for (const attempt of overdue) {
      const isKept = attempt.state === "running" && !attempt.task.phase.job.ended;
      if (isKept && unended(attempt.task).includes(attempt)) {
        this.differ("line 3", `kill attempt ${attempt.id}`, "");
      }
    }
    if (offer !== undefined) this.#judgeLeft(offer);
    for (const attempt of launched) {
      if (attempt.state !== "running") continue;
      this.send(told.started(books, attempt));
      lines.expectReport(attempt.task);
    }
  }

  /** Phases that begin now; those that read anything from others are placed (5.2). */
  #beginning(): PhaseBook[] {
    const begun = this.books.liveJobs
      .flatMap(({ phases }) => phases)
      .filter((phase) => phase.begun && !this.#begun.has(phase));
    for (const phase of begun) this.#begun.add(phase);
    return begun.filter(({ reads }) => reads.length > 0);
  }

  #judge(actions: readonly Action[], expected: Expected): AttemptBook[] {
    const launched: AttemptBook[] = [];
    const found = nothing();
    const placed = new Map<PhaseBook, Map<number, number>>();
    let restarted: AttemptBook | undefined;
    for (const action of actions) {
      switch (action.kind) {
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
          this.endJob(action.job);
          this.protection.forget(this.books.jobs[action.job]!);
          break;
        default:
          this.differ("action", "", action.kind);
      }
    }
    this.#judgeAsked(expected, found, placed);
    this.judgeEnds();
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
      if (isBest(phase, { racks: this.plan.racks, sampled: this.sampled }, racks)) continue;
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
    this.compare("5.3", textsOf(expected), textsOf(found));
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

  #launch(action: Launch, restarted?: AttemptBook): AttemptBook {
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
    return this.begin(action);
  }

  /** The slots that are left: nothing could be done with them. */
  #judgeLeft(node: NodeBook): void {
    for (const kind of [MAP, REDUCE]) {
      if (node.held[kind] === 0 || this.books.liveJobs.length === 0) continue;
      this.counts.add("slot left");
      const answers = this.lines.answers(this.books, { node, kind });
      if (!answers.has("nothing"))
        this.differ(`${node.name}/${kind}`, [...answers].join(", or "), "");
    }
  }
}

function nameOf({ as, why }: Launch, isRestart: boolean): string {
  if (isRestart) return "line 6 restart";
  if (as === "speculative") return why.rule === "copy-saves-time" ? "line 10 copy" : "line 7 copy";
  return why.rule === "preferred" ? "line 8 start, preferred" : "line 8 start";
}

const textsOf = ({ recomputes, prefers }: Asked): string[] => [
  ...recomputes.map(({ id }) => `recompute ${id}`),
  ...prefers.map(
    ({ task, places }) =>
      `prefer ${task.id} on ${[...places.nodes].sort()} or racks ${[...places.racks].sort()}`,
  ),
];
