import {
  type AttemptBook,
  type Books,
  type JobBook,
  type NodeBook,
  type PhaseBook,
  type RequestBook,
  runsAlone,
  successes,
  waits,
} from "./books.ts";
import { below, deviation, largest, mean, sum } from "./figures.ts";
import type { Ask, Letter, Params } from "./letter.ts";

/** Where a copy may run, the nodes of the best level first, and its value there. */
interface Offer {
  readonly nodes: readonly number[];
  readonly value: number;
}

/** A level as a task's copy finds it. */
interface Level {
  readonly level: number;
  readonly estT: number;
}

/**
 * Wang et al., "eSplash: Efficient Speculation in Large Scale Heterogeneous Computing Systems",
 * section IV, with levels that the administrator gives (IV-A).
 */
class Esplash {
  private readonly p: Record<string, number>;
  private epochFrom: number | undefined;
  private readonly stragglers = new Set<number>();
  /** By node, how often it had joined at the last look. */
  private readonly joins = new Map<number, number>();
  private readonly pausedUntil = new Map<number, number>();
  next: number | undefined;

  constructor(params: Params) {
    this.p = params;
  }

  private level(node: NodeBook): number {
    return this.p[`n${node.id}`]!;
  }

  look(books: Books): Ask[] | undefined {
    for (const { id, joined, joins } of books.nodes) {
      // A node that has joined again is judged anew.
      if (!joined || this.joins.get(id) !== joins) this.stragglers.delete(id);
      this.joins.set(id, joins);
    }
    if (books.liveJobs.length === 0) {
      this.next = undefined;
      return undefined;
    }
    if (this.next !== undefined && books.now < this.next) return undefined;
    if (this.epochFrom === undefined) this.epochFrom = books.now;
    else if (books.now - this.epochFrom >= this.p.epochMs!) this.endEpoch(books, this.epochFrom);
    const asks = this.reviewQueue(books);
    for (const job of books.liveJobs) {
      if ((this.pausedUntil.get(job.id) ?? 0) > books.now) continue;
      const ask = job.speculate ? this.speculate(books, job) : undefined;
      if (ask !== undefined) asks.push(ask);
      if (ask !== undefined) this.pausedUntil.set(job.id, books.now + this.p.retryAfterCopyMs!);
    }
    // A job rests after a request; without one, the next look is a second later, or with the other
    // jobs.
    const rests = books.liveJobs.map((job) => this.pausedUntil.get(job.id) ?? 0);
    const soon = books.now + this.p.retryAfterNoCopyMs!;
    this.next = Math.min(
      (this.epochFrom ?? books.now) + this.p.epochMs!,
      ...rests.map((until) => (until > books.now ? until : soon)),
    );
    return asks;
  }

  /** IV-B: straggler values, from attempts that ran through the whole epoch. */
  private endEpoch(books: Books, from: number): void {
    const ran = books
      .holding()
      .filter(
        (one) =>
          one.state === "running" &&
          !one.task.done &&
          one.startedAt <= from &&
          books.score(one, from) < 1 &&
          one.task.phase.reads.every((read) => read.tasks.every(({ done }) => done)),
      );
    for (const node of books.joined) {
      const own = ran.filter((one) => one.node === node);
      if (own.length === 0) continue;
      const deficits = own.map((one) => this.deficit(books, one, { ran, from }));
      const value = mean(deficits);
      if (below(this.p.tau!, value)) this.stragglers.add(node.id);
      else this.stragglers.delete(node.id);
    }
    this.epochFrom = books.now;
  }

  private deficit(
    books: Books,
    attempt: AttemptBook,
    { ran, from }: { readonly ran: readonly AttemptBook[]; readonly from: number },
  ): number {
    const { phase } = attempt.task;
    const level = this.level(attempt.node);
    const times = this.timesAt(phase, level);
    const estT = books.elapsed(attempt) + books.timeLeft(attempt);
    const mu = mean(times);
    const sigma = Math.max(deviation(times), this.p.deviationMin! * mu);
    const late = times.length === 0 ? 0 : Math.max(0, (estT - mu) / sigma);
    const all = ran.filter((one) => one.task.phase === phase && this.level(one.node) === level);
    // "Compared to other nodes in the same group"; with the whole group if there is no other.
    const others = all.filter((one) => one.node !== attempt.node);
    const cell = this.p.othersOnly === 0 || others.length === 0 ? all : others;
    const gain = (one: AttemptBook) => books.score(one) - books.score(one, from);
    const rate = mean(cell.map(gain));
    const own = gain(attempt);
    const slow = own > 0 ? rate / own : rate > 0 ? Number.POSITIVE_INFINITY : 1;
    return this.p.timeCoefficient! * late + this.p.rateCoefficient! * slow;
  }

  /** ST(level, type): tasks that lost nodes have finished stay in it. */
  private timesAt(phase: PhaseBook, level: number): number[] {
    return successes(phase)
      .filter(({ node }) => this.level(node) === level)
      .map(({ startedAt, endedAt }) => endedAt - startedAt);
  }

  /** IV-C: of all tasks on straggler nodes the one with the highest value. */
  private speculate(books: Books, job: JobBook): Ask | undefined {
    const found = job.phases
      .filter((phase) => phase.ready && phase.speculate && !phase.tasks.some(waits))
      .filter((phase) => !phase.tasks.some((task) => books.isRequested(task)))
      .flatMap((phase) => phase.tasks)
      .flatMap((task) => {
        const attempt = runsAlone(task);
        if (attempt === undefined || !this.stragglers.has(attempt.node.id)) return [];
        if (books.elapsed(attempt) < this.p.epochMs!) return [];
        const offer = this.offerFor(books, attempt);
        return offer === undefined ? [] : [{ task, offer }];
      });
    const best = largest(found, ({ offer }) => offer.value);
    return best && { ask: "request", task: best.task, ...best.offer };
  }

  /** Algorithm 3, and the speculative value. */
  private offerFor(books: Books, attempt: AttemptBook): Offer | undefined {
    const { phase } = attempt.task;
    const all = [...new Set(books.nodes.map((node) => this.level(node)))].sort((a, b) => a - b);
    const hosts = (level: number) =>
      books.joined.filter(
        (node) =>
          this.level(node) === level &&
          node.silentSince === undefined &&
          !this.stragglers.has(node.id),
      );
    let estT: number | undefined;
    const levels = all.flatMap((level) => {
      const times = this.timesAt(phase, level);
      if (times.length > 0) estT = mean(times);
      const containers = sum(hosts(level).map((node) => node.slots[phase.kind]));
      return estT === undefined ? [] : [{ level, containers, estT }];
    });
    const expected = (from: number) => {
      const over = levels.filter(({ level }) => level >= from);
      const count = sum(over.map(({ containers }) => containers));
      return sum(over.map((one) => (one.containers / count) * one.estT));
    };
    const possible = levels.filter(
      ({ level }) =>
        level >= this.level(attempt.node) &&
        levels.some((one) => one.level >= level && one.containers > 0),
    );
    let minL: number | undefined;
    for (const { level, containers } of possible) {
      if (containers === 0) continue;
      if (minL === undefined || below(expected(level), expected(minL))) minL = level;
    }
    if (minL === undefined) return undefined;
    const lowest = minL;
    const left = books.timeLeft(attempt);
    const reached = levels.filter(({ level }) => level >= lowest);
    const hosting = reached.filter(({ containers }) => containers > 0);
    const takes = sum(hosting.map(({ containers, estT }) => containers * estT));
    const saves = sum(hosting.map(({ containers }) => containers * left));
    // Two times that are equal on paper differ by their last bits, and nothing is gained.
    if (!below(takes, saves)) return undefined;
    const value =
      (saves - takes) /
      sum(all.map((level) => sum(hosts(level).map((node) => node.slots[phase.kind]))));
    // The original's own node may have recovered: a copy never runs beside its original.
    const nodes = this.ranked(reached).flatMap(({ level }) =>
      hosts(level).filter((node) => node !== attempt.node),
    );
    if (nodes.length === 0) return undefined;
    const ids = nodes.map(({ id }) => id);
    return { nodes: this.p.bestContainer === 1 ? ids : ids.sort((a, b) => a - b), value };
  }

  /** V, "the most appropriate container": the fastest level first; of equals the highest. */
  private ranked(levels: readonly Level[]): Level[] {
    const left = [...levels].sort((a, b) => b.level - a.level);
    const ranked: Level[] = [];
    for (;;) {
      const next = largest(left, ({ estT }) => -estT);
      if (next === undefined) return ranked;
      ranked.push(next);
      left.splice(left.indexOf(next), 1);
    }
  }

  /** IV-D and V: a request that has waited for a while is renewed if it has changed, or dropped. */
  private reviewQueue(books: Books): Ask[] {
    return [...books.requests.values()].flatMap((request) => this.review(books, request));
  }

  private review(books: Books, request: RequestBook): Ask[] {
    // IV-D: a node that has become a straggler hosts no copy from now on.
    const onStraggler = [...this.stragglers].some((id) => request.admits(id));
    if (books.now - request.madeAt < this.p.requestPatienceMs! && !onStraggler) return [];
    const attempt = runsAlone(request.task);
    if (attempt === undefined) return [{ ask: "withdraw", request }];
    const offer = this.offerFor(books, attempt);
    if (offer === undefined) return [{ ask: "withdraw", request }];
    if (books.nodes.every(({ id }) => request.admits(id) === offer.nodes.includes(id))) return [];
    return [
      { ask: "withdraw", request },
      { ask: "request", task: request.task, ...offer },
    ];
  }
}

const SWITCHES = ["bestContainer", "othersOnly"];

export const esplash: Letter = {
  policy: "esplash",
  acts: [
    "request straggler-node",
    "request hosts-changed",
    "withdraw hosts-changed",
    "withdraw no-longer-worth-it",
    "withdraw nothing-to-copy",
    "bind request-bound",
  ],
  discipline: "esplash",
  draw: (dice) => ({
    epochMs: dice.pick([15_000, 15_000, 6_000]),
    // 1 is the value of a node that is like its level.
    tau: dice.pick([2.5, 3, 2, 4, 1, 6]),
    othersOnly: dice.pick([0, 1]),
    deviationMin: dice.pick([1, 0.3, 0.1]),
    timeCoefficient: 1,
    rateCoefficient: dice.pick([1, 1, 0.5]),
    requestPatienceMs: dice.pick([15_000, 5_000]),
    retryAfterNoCopyMs: dice.pick([1_000, 1_000, 3_000]),
    retryAfterCopyMs: dice.pick([15_000, 15_000, 4_000]),
    bestContainer: dice.pick([1, 1, 0]),
    ...Object.fromEntries(Array.from({ length: 8 }, (_, id) => [`n${id}`, dice.whole(1, 3)])),
  }),
  /** Ours where the paper leaves a value open: docs/papers/esplash.md. */
  defaults: {
    epochMs: 15_000,
    tau: 3,
    othersOnly: 1,
    deviationMin: 0.3,
    timeCoefficient: 1,
    rateCoefficient: 1,
    requestPatienceMs: 15_000,
    retryAfterNoCopyMs: 1_000,
    retryAfterCopyMs: 15_000,
    bestContainer: 1,
  },
  /** Levels are one text; switches are words. */
  sets: (params) => {
    const levels = Object.entries(params).filter(([name]) => /^n\d$/.test(name));
    return [
      ...Object.entries(params)
        .filter(([name]) => !/^n\d$/.test(name))
        .map(([name, value]) =>
          SWITCHES.includes(name) ? `${name}=${value === 1}` : `${name}=${value}`,
        ),
      // The rule for tasks shorter than an epoch is ours, and not in this letter.
      "judgesFinished=false",
      `levels=${levels.map(([name, level]) => `${name}:${level}`).join(", ")}`,
    ];
  },
  rules(params) {
    const rules = new Esplash(params);
    return { look: (books) => rules.look(books), dueAt: () => rules.next };
  },
  world: { patient: true },
};
