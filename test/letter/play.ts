import { createScheduler, instant, type Scheduler, SETUP_DEFAULTS } from "../../src/core/index.ts";
import { type Action, parseDiscipline } from "../../src/policy/index.ts";
import { Books, MAP, type NodeBook, REDUCE } from "./books.ts";
import { Dice } from "./dice.ts";
import { enterKill, enterLaunch, enterReports, enterRequest, judgeEnds } from "./enter.ts";
import { estimatorOf } from "./estimator.ts";
import * as told from "./events.ts";
import { notBelow } from "./figures.ts";
import { happen } from "./happen.ts";
import { beat } from "./heartbeat.ts";
import { type Ask, answerText, askText, type Letter, type Rules, type Slot } from "./letter.ts";
import { turn } from "./turn.ts";
import { drawPlan, type Plan, type Wishes } from "./world.ts";

/** The result of one world. */
export interface Played {
  /** Offered slots, and the policy's own looks. */
  decisions: number;
  /** The compared actions, by verb and rule. */
  readonly acts: Map<string, number>;
  /** The launches in heartbeats. */
  readonly shared: Shared;
  readonly differences: Difference[];
  /** Every decision with an effect, as text, for comparison between forms. */
  readonly story: string[];
}

export interface Shared {
  /** Heartbeats with two launches or more. */
  several: number;
  /** Heartbeats without launches although tasks waited for these slots. */
  left: number;
  /** Maps, by the place of their data. */
  onNode: number;
  onRack: number;
  offRack: number;
  anywhere: number;
  /** Maps that were tried before. */
  again: number;
  reduces: number;
}

export const nothingShared = (): Shared => ({
  ...{ several: 0, left: 0, onNode: 0, onRack: 0, offRack: 0, anywhere: 0, again: 0, reduces: 0 },
});

export interface Difference {
  readonly policy: string;
  readonly seed: number;
  readonly at: number;
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

type LaunchAction = Extract<Action, { kind: "launch" }>;

function verbOf({ as, request }: LaunchAction) {
  if (request !== undefined) return "bind";
  return as === "speculative" ? "copy" : "start";
}

/** Far beyond the end of any world: held slots are never asked about again. */
const NEVER_MS = 1e9;

export class Play {
  readonly letter: Letter;
  readonly seed: number;
  readonly dice: Dice;
  readonly plan: Plan;
  readonly books: Books;
  readonly rules: Rules;
  readonly played: Played = {
    decisions: 0,
    acts: new Map(),
    shared: nothingShared(),
    differences: [],
    story: [],
  };
  private readonly scheduler: Scheduler;
  private wakes: number[] = [];
  /** The previous moment, when a node that is silent now was last heard. */
  heardAt = 0;

  constructor(letter: Letter, seed: number, wishes: Wishes = {}) {
    this.letter = letter;
    this.seed = seed;
    this.dice = new Dice(seed);
    const params = letter.draw(this.dice);
    this.plan = drawPlan(this.dice, { ...letter.world, ...wishes });
    this.rules = letter.rules(params);
    this.books = new Books(this.plan.form, this.plan.statisticsEvery);
    this.books.nodes.push(...this.plan.nodes);
    this.books.jobs.push(...this.plan.jobs);
    this.books.usualMs = this.plan.usualMs;
    this.books.isOnTheEdge = this.plan.isOnTheEdge;
    this.books.tellsLines = this.plan.tellsLines;
    for (const { phases } of this.plan.jobs) {
      for (const { tasks } of phases) for (const task of tasks) this.books.tasks.set(task.id, task);
    }
    const told = Object.entries(params).filter(
      ([name, value]) => letter.defaults?.[name] !== value,
    );
    const sets =
      letter.sets?.(Object.fromEntries(told)) ?? told.map(([name, value]) => `${name}=${value}`);
    const discipline = parseDiscipline(
      letter.discipline,
      sets.map((set) => (/^(sharing|speculation)[.]/.test(set) ? set : `speculation.${set}`)),
    );
    this.scheduler = createScheduler(
      {
        ...SETUP_DEFAULTS,
        seed,
        slotKinds: ["map", "reduce"],
        racks: Array.from({ length: this.plan.racks }, (_, rack) => `r${rack}`),
        discipline: letter.world?.ownEstimates
          ? { ...discipline, estimator: { policy: estimatorOf(this.books), params: {} } }
          : discipline,
        capabilities: [
          "slot-offers",
          "requests",
          "placement",
          "kill-restart",
          "kill-only",
          "prefer",
          "recompute",
          "replicate",
        ],
        statisticsEvery: this.plan.statisticsEvery,
        askAgainMs: NEVER_MS,
      },
      { explain: this.plan.explains },
    );
  }

  run(momentsMax: number): Played {
    const { books, dice, plan } = this;
    for (const node of books.nodes) this.send(told.joined(node));
    const arrivals = [...books.jobs];
    for (let moment = 0; moment < momentsMax; moment++) {
      while (arrivals[0] !== undefined && arrivals[0].submittedAt <= books.now) {
        arrivals[0].submitted = true;
        arrivals[0].nodesKnown = books.joined.length;
        this.send(told.submitted(arrivals[0]));
        arrivals.shift();
      }
      happen(this);
      for (const node of dice.shuffled(books.joined)) {
        if (this.rules.heartbeats === undefined) this.offer(node);
        else beat(this, node);
        if (this.rules.heartbeats !== undefined && this.played.differences.length > 0) {
          return this.played;
        }
      }
      if (arrivals.length === 0 && books.jobs.every((job) => job.ended)) break;
      // Cached figures are reused only within their time.
      const soon = books.memory.every > 0 && plan.reporting < 1 && dice.chance(0.4);
      this.heardAt = books.now;
      const ms = soon ? dice.whole(50, 900) : dice.whole(...plan.tick);
      this.advance(books.now + ms, arrivals[0]?.submittedAt);
    }
    return this.played;
  }

  /** Advances to the moment, or to an earlier wake, which the scheduler gets in time. */
  private advance(to: number, arrival = Number.POSITIVE_INFINITY): void {
    const until = Math.min(to, Math.max(arrival, this.books.now + 1));
    for (;;) {
      const next = Math.min(...this.wakes.filter((at) => at > this.books.now));
      const due = this.rules.dueAt?.(this.books) ?? Number.POSITIVE_INFINITY;
      if (due > this.books.now && due <= until && due < next) {
        this.compare("wake", `at ${due} ms`, next > until ? "none" : `at ${next} ms`);
      }
      if (next > until) break;
      this.books.now = next;
      this.wakes = this.wakes.filter((at) => at > next);
      this.send({ kind: "woken" });
    }
    this.books.now = until;
  }

  /**
   * Offers each free slot of the node, one at a time; a slot that is not taken is not offered
   * again.
   */
  private offer(node: NodeBook): void {
    if (node.silentSince !== undefined) {
      this.offerInVain(node);
      return;
    }
    for (const kind of [0, 1] as const) {
      const taken = this.books
        .holding()
        .filter((one) => one.node === node && one.task.phase.kind === kind);
      for (let free = node.slots[kind] - taken.length; free > 0; free--) {
        if (!this.dice.chance(this.chanceOf({ node, kind }))) continue;
        const took = this.send(told.offered(node, kind), { node, kind });
        if (!took) this.send(told.offered(node));
      }
    }
  }

  /** An offer from before the silence arrives late: nothing starts on a node that is not heard. */
  private offerInVain(node: NodeBook): void {
    const kind = this.dice.pick([MAP, REDUCE]);
    if (node.slots[kind] === 0 || !this.dice.chance(0.1)) return;
    this.send(told.offered(node, kind));
    this.send(told.offered(node));
  }

  private chanceOf({ kind, node }: Slot): number {
    const { bind, offer } = this.plan.chances;
    const isAsked = [...this.books.requests.values()].some(
      (request) => request.task.phase.kind === kind && request.admits(node.id),
    );
    return isAsked ? bind : offer;
  }

  /** Returns whether a task was launched. The books have recorded the event already. */
  send(event: told.Told, slot?: Slot): boolean {
    return this.judgeSlot(slot, this.tell(event));
  }

  /** Judges everything but the launches. */
  tell(event: told.Told): readonly Action[] {
    const { books, rules } = this;
    books.step++;
    const asks = rules.look?.(books);
    const { actions } = this.scheduler.step({ ...event, at: instant(books.now) } as never);
    for (const action of actions) {
      if (action.kind === "wake" && action.at < NEVER_MS) this.wakes.push(action.at);
    }
    judgeEnds(this, actions);
    this.judgeLook(asks, actions);
    for (const action of actions) {
      if (action.kind === "kill" && action.then !== "restart") enterKill(this, action);
      if (action.kind === "request" || action.kind === "withdraw") enterRequest(this, action);
    }
    rules.admit?.(books);
    return actions;
  }

  private judgeLook(asks: readonly Ask[] | undefined, actions: readonly Action[]): void {
    const found = actions.flatMap((action) => this.asked(action));
    const { books, rules } = this;
    if (rules.mayAsk !== undefined) {
      const overdue = rules.overdue?.(books) ?? [];
      const kept = overdue.filter((attempt) => !found.includes(`kill attempt ${attempt.id}`));
      this.compare("overdue", "", kept.map(({ id }) => `kill attempt ${id}`).join("; "));
      const wrong = found.filter((text) => !rules.mayAsk?.(books, text));
      this.compare("look", "", wrong.join("; "));
      return;
    }
    const expected = (asks ?? []).map(askText);
    if (asks !== undefined || found.length > 0) this.played.decisions++;
    this.compare("look", expected.sort().join("; "), found.sort().join("; "));
    this.judgeValues(asks ?? [], actions);
  }

  /** The values that the reasons tell, where the paper has one, but for the last bits. */
  private judgeValues(asks: readonly Ask[], actions: readonly Action[]): void {
    for (const ask of this.plan.explains ? asks : []) {
      if (ask.ask !== "request" || ask.value === undefined) continue;
      const action = actions.find((one) => one.kind === "request" && one.task === ask.task.id);
      const told = action?.kind === "request" ? action.why.numbers.valueMs : undefined;
      if (typeof told === "number" && notBelow(told, ask.value) && notBelow(ask.value, told)) {
        continue;
      }
      this.compare(`value of task ${ask.task.id}`, String(ask.value), String(told));
    }
  }

  /** The policy's own asks, without the core's kills and withdrawals. */
  private asked(action: Action): string[] {
    const { books } = this;
    if (action.kind === "request") {
      this.count("request", action);
      const { where } = action;
      const all = books.nodes.map(({ id }) => id);
      const nodes: readonly number[] =
        where.on === "only"
          ? where.nodes
          : all.filter((id) => where.on === "any" || !where.nodes.includes(id as never));
      return [`request task ${action.task} on ${nodes.join(" ")}`];
    }
    if (action.kind === "withdraw") {
      const request = books.requests.get(action.request);
      if (request === undefined || request.task.done || request.task.phase.job.ended) return [];
      this.count("withdraw", action);
      return [`withdraw request ${action.request}`];
    }
    if (action.kind === "kill" && action.then !== "restart") {
      const attempt = books.attempts.get(action.attempt);
      if (attempt === undefined || attempt.task.done || attempt.task.phase.job.ended) return [];
      // A reader makes room for what it reads under every policy.
      if (action.why.rule === "upstream-needs-slot") return [];
      this.count("kill", action);
      return [`kill attempt ${action.attempt}`];
    }
    return [];
  }

  private judgeSlot(slot: Slot | undefined, actions: readonly Action[]): boolean {
    const { books, played } = this;
    const launches = actions.filter((action) => action.kind === "launch");
    const killed = actions.find((action) => action.kind === "kill" && action.then === "restart");
    const expected: ReadonlySet<string> =
      slot === undefined
        ? new Set(["nothing"])
        : books.memory.everyWay(() => turn(books, this.rules, slot).map(answerText));
    const where = slot === undefined ? "no slot" : `${slot.node.name}/${slot.kind}`;
    const found = launches
      .filter(({ as, task }) => as !== "restart" || task !== this.taskOf(killed))
      .map((action) => {
        const verb = verbOf(action);
        if (verb !== "start") this.count(verb, action);
        if (action.request !== undefined) return `bind request ${action.request}`;
        return `${verb} task ${action.task}`;
      });
    if (killed?.kind === "kill") {
      // The task takes the slot, or it queues again and a waiting task takes the slot.
      const verb = found.length < launches.length ? "restart" : "queue";
      this.count(verb, killed);
      found.unshift(`${verb} attempt ${killed.attempt}`);
    }
    if (slot !== undefined) played.decisions++;
    const did = found.join("; ") || "nothing";
    this.compare(where, expected.has(did) ? did : [...expected].join(", or "), did);
    if (killed?.kind === "kill") enterKill(this, killed);
    for (const action of launches) enterLaunch(this, action);
    enterReports(this, launches);
    return launches.length > 0;
  }

  private taskOf(killed: Action | undefined): number | undefined {
    return killed?.kind === "kill" ? this.books.attempts.get(killed.attempt)?.task.id : undefined;
  }

  count(verb: string, { why }: { readonly why: { readonly rule: string } }): void {
    const { acts } = this.played;
    const act = `${verb} ${why.rule}`;
    acts.set(act, (acts.get(act) ?? 0) + 1);
  }

  /** Whether they are the same. */
  compare(where: string, expected: string, found: string): boolean {
    const { letter, seed, books, played } = this;
    const isDecision = where !== "end of job" && found !== "" && found !== "nothing";
    if (isDecision) played.story.push(`${books.now} ${where}: ${found}`);
    if (expected === found) return true;
    played.differences.push({ policy: letter.policy, seed, at: books.now, where, expected, found });
    return false;
  }
}
