import {
  type Books,
  isNeeded,
  type JobBook,
  type NodeBook,
  type PhaseBook,
  type Places,
  type TaskBook,
  unended,
  waits,
} from "../driven/books.ts";
import { above, sum } from "../figures.ts";
import { inputBytes, ranMs } from "./tasks.ts";

export interface Budgets {
  readonly replicationBudget: number;
  readonly rackBytesPerMs: number;
  readonly lossProbability: number;
  readonly recomputeBudget: number;
  readonly recomputesMin: number;
}

/** What 5.3 asks for. */
export interface Asked {
  readonly recomputes: TaskBook[];
  readonly prefers: { readonly task: TaskBook; readonly places: Places }[];
}

interface Account {
  tokens: number;
  budgetMs: number;
  /** The outputs on each node, in the order in which they were written. */
  readonly outputs: Map<NodeBook, Set<TaskBook>>;
}

const PRIOR_OUTPUTS = 10;
const ONSET_MS = 600_000;
const LOSS_MEMORY_MS = 604_800_000;

/** Section 5.3: which outputs are replicated, and which are made again ahead of need. */
export class Protection {
  readonly #p: Budgets;
  readonly #losses = new Map<NodeBook, { written: number; lost: number; at: number }>();
  readonly #jobs: Map<JobBook, Account>;
  readonly #onsets = new Map<NodeBook, number[]>();
  readonly #stalls = new Map<PhaseBook, number>();

  constructor(p: Budgets, jobs: readonly JobBook[]) {
    this.#p = p;
    this.#jobs = new Map(jobs.map((job) => [job, { tokens: 0, budgetMs: 0, outputs: new Map() }]));
  }

  forget(job: JobBook): void {
    this.#jobs.delete(job);
  }

  /** A task has made its output: whether the output is replicated. */
  replicates(task: TaskBook): boolean {
    const account = this.#account(task);
    const bytes = sum(task.parts);
    if (task.outputs.size !== 1 || bytes === 0) return false;
    // "data is replicated only if t_redo > t_rep".
    if (!above(this.#redoMs(task), bytes / this.#p.rackBytesPerMs)) return false;
    // "replicated only if an equal number of tokens are available. Tokens are deducted".
    const granted = this.#p.replicationBudget * inputBytes(task);
    if (bytes > account.tokens + granted) return false;
    account.tokens -= bytes;
    return true;
  }

  /** "granting tokens proportional to the amount of data processed by each task". */
  succeed(books: Books, task: TaskBook, node: NodeBook): void {
    const account = this.#account(task);
    account.tokens += this.#p.replicationBudget * inputBytes(task);
    account.budgetMs += this.#p.recomputeBudget * ranMs(task);
    if (task.outputs.size === 0) return;
    this.#stalls.set(task.phase, this.#stallMs(task.phase));
    this.keep(books, task, node);
  }

  keep(books: Books, task: TaskBook, node: NodeBook): void {
    const { outputs } = this.#account(task);
    this.#lossesOf(books, node).written++;
    outputs.set(node, (outputs.get(node) ?? new Set()).add(task));
  }

  /** The node's copy is gone, and all that follows at once has happened. */
  lose(books: Books, task: TaskBook, node: NodeBook): void {
    const account = this.#jobs.get(task.phase.job);
    if (account?.outputs.get(node)?.delete(task) !== true) return;
    this.#lossesOf(books, node).lost++;
    if (task.outputs.size > 0) return;
    const before = this.#onsets.get(node) ?? [];
    this.#onsets.set(node, [...before, books.now]);
  }

  /** The last copy of an output is gone, or a reader has missed it. */
  lost(books: Books, task: TaskBook, how: "lost" | "missed"): Asked {
    const asked: Asked = { recomputes: [], prefers: [] };
    if (!isNeeded(task)) return asked;
    const last = task.attempts.findLast(({ state }) => state === "succeeded")?.node;
    // "Mantri considers a recompute to be the onset of a temporal problem and that future requests
    // for data on this machine will fail."
    const losing = last !== undefined && this.#isOnset(books, last) ? last : undefined;
    const places = losing && placesBut(books, losing);
    const prefer = (one: TaskBook) => {
      if (places !== undefined) asked.prefers.push({ task: one, places });
    };
    if (how === "missed" && this.#p.recomputeBudget > 0) prefer(task);
    const doomed =
      this.#p.recomputeBudget > 0 && losing !== undefined ? this.#doomedOn(losing, task) : [];
    const ahead = how === "lost" && this.#p.recomputeBudget > 0 ? [task, ...doomed] : doomed;
    const spent = new Map<Account, number>();
    for (const one of ahead) {
      if (waits(one) || unended(one).length > 0) continue;
      const account = this.#account(one);
      const before = spent.get(account) ?? 0;
      // "a budget on the extra cluster cycles used for pre-computation".
      if (above(ranMs(one), account.budgetMs - before)) continue;
      spent.set(account, before + ranMs(one));
      prefer(one);
      asked.recomputes.push(one);
    }
    return asked;
  }

  /** A task runs again ahead of need, for its own output or for another's. */
  charge(task: TaskBook): void {
    this.#account(task).budgetMs -= ranMs(task);
  }

  #isOnset(books: Books, node: NodeBook): boolean {
    const recent = (this.#onsets.get(node) ?? []).filter((at) => books.now <= at + ONSET_MS);
    return recent.length + 1 >= this.#p.recomputesMin;
  }

  /** The other outputs that only this machine holds, and that are still read. */
  #doomedOn(node: NodeBook, task: TaskBook): TaskBook[] {
    return [...this.#jobs.values()]
      .flatMap(({ outputs }) => [...(outputs.get(node) ?? [])])
      .filter((other) => other !== task && other.outputs.size === 1 && isNeeded(other));
  }

  /** "the product of the probability that the output will be lost and the time to repeat". */
  #redoMs(task: TaskBook): number {
    return this.#lossOf(task) * (ranMs(task) + this.#stallMs(task.phase));
  }

  /** Figure 12(b): all replicas must be lost. */
  #lossOf(task: TaskBook): number {
    let r = 1;
    for (const node of task.outputs) {
      const { written, lost } = this.#losses.get(node) ?? { written: 0, lost: 0 };
      r *= Math.min(
        1,
        (lost + this.#p.lossProbability * PRIOR_OUTPUTS) / (written + PRIOR_OUTPUTS),
      );
    }
    return r;
  }

  /** Figure 12(a) and (c): "recursively looks at prior phases", "stalled by the longest input". */
  #stallMs(phase: PhaseBook): number {
    const known = this.#stalls.get(phase);
    if (known !== undefined) return known;
    const inputs = phase.reads.flatMap((read) => {
      const stall = this.#stallMs(read);
      return read.tasks
        .filter(({ everDone }) => everDone)
        .map((task) => ({ loss: this.#lossOf(task), ms: ranMs(task) + stall }));
    });
    let expected = 0;
    let noneLonger = 1;
    for (const { loss, ms } of inputs.sort((a, b) => b.ms - a.ms)) {
      expected += noneLonger * loss * ms;
      noneLonger *= 1 - loss;
    }
    return expected;
  }

  #account(task: TaskBook): Account {
    const account = this.#jobs.get(task.phase.job);
    if (account === undefined) throw new Error(`job ${task.phase.job.id} is not live`);
    return account;
  }

  /** "over a long period of time": older outputs count less. */
  #lossesOf(books: Books, node: NodeBook) {
    const known = this.#losses.get(node) ?? { written: 0, lost: 0, at: books.now };
    const kept = Math.exp((known.at - books.now) / LOSS_MEMORY_MS);
    known.written *= kept;
    known.lost *= kept;
    known.at = books.now;
    this.#losses.set(node, known);
    return known;
  }
}

/** Everywhere but on the machine; undefined if it is gone or the only one. */
function placesBut(books: Books, losing: NodeBook): Places | undefined {
  const others = books.joined.filter((node) => node !== losing);
  if (!losing.joined || others.length === 0) return undefined;
  const racks = new Set(books.joined.map(({ rack }) => rack));
  racks.delete(losing.rack);
  const nodes = others.filter(({ rack }) => rack === losing.rack).map(({ id }) => id);
  return { nodes, racks: [...racks] };
}
