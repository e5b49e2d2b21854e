import { same } from "../figures.ts";
import { type Books, type RequestBook, soleAttempt } from "./books.ts";
import { type Copy, copyOf, type Knowing, requestOf } from "./copies.ts";
import {
  copyOf as cloneOf,
  type Finished,
  judge,
  keyOf,
  type Mind,
  possibleLevels,
} from "./mind.ts";
import type { Parameters } from "./parameters.ts";

/** What a look says: what it asks for, and the numbers with which it refuses. */
export type Said =
  | ({ readonly say: "request" } & Copy)
  | { readonly say: "withdraw"; readonly request: number }
  | { readonly say: "fewer-levels"; readonly levels: number; readonly before: number }
  | { readonly say: "no-levels" }
  | { readonly say: "no-straggler-node"; readonly highest: number };

/** One of the minds, and what it says at a look. */
export interface Thought {
  readonly mind: Mind;
  readonly said: readonly Said[];
}

export interface LookCounts {
  epochs: number;
  clusterings: number;
}

/** The clock of the looks, and everything that does not depend on the random centres. */
export class Looks {
  minds: readonly Mind[] = [{ levels: new Map(), values: new Map(), stragglers: new Set() }];
  /** Of live jobs. */
  finished: Finished[] = [];
  readonly counts: LookCounts = { epochs: 0, clusterings: 0 };
  #ended: Finished[] = [];
  #epochFrom: number | undefined;
  #clusteredAt: number | undefined;
  #next: number | undefined;
  readonly #pausedUntil = new Map<number, number>();
  readonly #p: Parameters;

  constructor(p: Parameters) {
    this.#p = p;
  }

  /** A node that joins is no straggler; one that leaves is none either, and keeps its level. */
  enterNode(node: number, configured: number | undefined): void {
    for (const { levels, values, stragglers } of this.minds) {
      if (configured !== undefined) levels.set(node, configured);
      values.delete(node);
      stragglers.delete(node);
    }
    this.#ended = this.#ended.filter((one) => one.node !== node);
  }

  enterFinished(one: Finished): void {
    this.finished.push(one);
    this.#ended.push(one);
  }

  /** IV-B: the table has "active task types". */
  forget(types: ReadonlySet<number>): void {
    this.finished = this.finished.filter(({ type }) => !types.has(type));
    this.#ended = this.#ended.filter(({ type }) => !types.has(type));
  }

  isDue(books: Books): boolean {
    if (books.jobs.size === 0) this.#next = undefined;
    return books.jobs.size > 0 && (this.#next === undefined || books.now >= this.#next);
  }

  /** What each mind says now. */
  think(books: Books): Thought[] {
    const thoughts = this.#endEpoch(books).map(({ mind, said }) => ({
      mind,
      said: [...said, ...this.#speak(books, mind)],
    }));
    return thoughts;
  }

  /** The minds that said what was found go on; the next look follows from it. */
  goOn(books: Books, minds: readonly Mind[], found: readonly Said[]): void {
    this.minds = [...new Map(minds.map((mind) => [keyOf(mind), mind])).values()];
    for (const one of found) {
      if (one.say !== "request") continue;
      const withdrawn = found.some(
        (other) =>
          other.say === "withdraw" && books.requests.get(other.request)?.task.id === one.task,
      );
      const job = books.task(one.task).phase.job.id;
      if (!withdrawn) this.#pausedUntil.set(job, books.now + this.#p.retryAfterCopyMs);
    }
    let next = this.#epochFrom! + this.#p.epochMs;
    for (const job of books.jobs.keys()) {
      const until = this.#pausedUntil.get(job) ?? 0;
      next = Math.min(next, until > books.now ? until : books.now + this.#p.retryAfterNoCopyMs);
    }
    this.#next = next;
  }

  #endEpoch(books: Books): readonly Thought[] {
    const p = this.#p;
    const from = this.#epochFrom;
    const { now } = books;
    const asIs = this.minds.map((mind) => ({ mind: cloneOf(mind), said: [] as readonly Said[] }));
    if (from === undefined || now < from + p.epochMs) {
      this.#epochFrom ??= now;
      return asIs;
    }
    this.counts.epochs++;
    const isDue = this.#clusteredAt === undefined || now >= this.#clusteredAt + p.clusterEveryMs;
    const possible = p.levels === "" && isDue ? possibleLevels(books, this.finished, p) : undefined;
    const minds =
      possible === undefined ? asIs : asIs.flatMap(({ mind }) => choose(mind, possible));
    if (possible !== undefined) {
      this.#clusteredAt = now;
      this.counts.clusterings++;
    }
    const epoch = { from, finished: this.finished, ended: this.#ended };
    for (const { mind } of minds) judge(books, mind, epoch, p);
    this.#ended = [];
    this.#epochFrom = now;
    return minds;
  }

  #speak(books: Books, mind: Mind): Said[] {
    const said: Said[] = [];
    const due = [...books.jobs.values()].filter(
      ({ id }) => (this.#pausedUntil.get(id) ?? 0) <= books.now,
    );
    if (mind.stragglers.size === 0 && due.length > 0) {
      const highest = Math.max(0, ...mind.values.values());
      if (mind.levels.size === 0) said.push({ say: "no-levels" });
      else said.push({ say: "no-straggler-node", highest });
    }
    const knowing = { books, mind, finished: this.finished, p: this.#p };
    for (const request of books.requests.values()) said.push(...this.#review(knowing, request));
    for (const job of mind.stragglers.size === 0 ? [] : due) {
      const copy = requestOf(knowing, job);
      if (copy !== undefined) said.push({ say: "request", ...copy });
    }
    return said;
  }

  /** IV-D: "if a speculative task waits for a certain amount of time in the queue". */
  #review(knowing: Knowing, request: RequestBook): Said[] {
    const { books, mind } = knowing;
    const { id, task, nodes, madeAt } = request;
    const isPatient = books.now < madeAt + this.#p.requestPatienceMs;
    if (isPatient && ![...mind.stragglers].some((node) => nodes.has(node))) return [];
    const original = soleAttempt(task);
    if (original?.state === "assumed") return [];
    // "We re-evaluate its estimated finish time ... to see if it is still worth" it.
    const copy = original?.state === "running" ? copyOf(knowing, original) : undefined;
    const withdraw = { say: "withdraw", request: id } as const;
    if (copy === undefined) return [withdraw];
    const isSame = copy.nodes.length === nodes.size && copy.nodes.every((node) => nodes.has(node));
    return isSame ? [] : [withdraw, { say: "request", ...copy }];
  }
}

/** The minds after the levels were found anew; nodes that have left keep their old ones. */
function choose(mind: Mind, possible: readonly ReadonlyMap<number, number>[]): Thought[] {
  const before = new Set(mind.levels.values()).size;
  return possible.map((found) => {
    const next = cloneOf(mind);
    for (const [node, level] of found) next.levels.set(node, level);
    const levels = new Set(found.values()).size;
    return { mind: next, said: levels < before ? [{ say: "fewer-levels", levels, before }] : [] };
  });
}

/** Whether both say the same, their numbers included. */
export const agree = (some: readonly Said[], others: readonly Said[]): boolean =>
  some.length === others.length && some.every((one, index) => isSame(one, others[index]!));

function isSame(one: Said, other: Said): boolean {
  const names = Object.keys(one) as (keyof Said)[];
  return names.every((name) => {
    const [a, b]: unknown[] = [one[name], other[name]];
    if (typeof a === "number" && typeof b === "number") return same(a, b);
    return Array.isArray(a) ? String(a) === String(b) : a === b;
  });
}

export const textOf = (said: readonly Said[]): string =>
  said
    .map(({ say, ...rest }) =>
      [say, ...Object.entries(rest).map(([name, value]) => `${name} ${value}`)].join(" "),
    )
    .join("; ");
