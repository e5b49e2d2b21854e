import {
  type AttemptBook,
  type Books,
  doneIn,
  type PhaseBook,
  type TaskBook,
  unended,
  waits,
} from "./books.ts";
import { mean } from "./figures.ts";
import type { Ask, Letter, Params } from "./letter.ts";

/**
 * An attempt as the speculator last saw it: estimate, progress, and the time of its last change.
 */
interface Seen {
  readonly estimate: number;
  readonly progress: number;
  readonly at: number;
}

/**
 * DefaultSpeculator of Hadoop 2 and 3, with LegacyTaskRuntimeEstimator: a small referee beside the
 * one that asks Hadoop's own class. One speculator per job, because each job has an
 * ApplicationMaster.
 */
class Speculator {
  private readonly params: Record<string, number>;
  private readonly lookAt = new Map<number, number>();
  private readonly mayHaveSpeculated = new Set<TaskBook>();
  private readonly seen = new Map<AttemptBook, Seen>();
  /** The time as of which an attempt is estimated: its last report, or a stall made up. */
  private readonly toldAt = new Map<AttemptBook, number>();

  constructor(params: Params) {
    this.params = params;
  }

  look(books: Books): Ask[] | undefined {
    // A look happens once a job is due; jobs that have come since are included.
    const due = books.liveJobs.filter((job) => (this.lookAt.get(job.id) ?? 0) <= books.now);
    if (due.length === 0) return undefined;
    return due.flatMap((job) => {
      const asks = job.phases
        .filter(({ ready }) => ready)
        .flatMap((phase) => this.lookAtPhase(books, phase));
      const rest = asks.length > 0 ? "retryAfterSpeculateMs" : "retryAfterNoSpeculateMs";
      this.lookAt.set(job.id, books.now + this.params[rest]!);
      return job.speculate ? asks : [];
    });
  }

  dueAt(books: Books): number | undefined {
    const times = books.liveJobs.flatMap((job) => this.lookAt.get(job.id) ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** maybeScheduleASpeculation */
  private lookAtPhase(books: Books, phase: PhaseBook): Ask[] {
    if (!phase.job.speculate || !phase.speculate) return [];
    if (phase.tasks.some((task) => waits(task) || books.isRequested(task))) return [];
    let running = 0;
    let already = 0;
    let best: { readonly task: TaskBook; readonly value: number } | undefined;
    for (const task of phase.tasks) {
      const value = this.valueOf(books, task);
      if (value !== "not-running") running++;
      if (value === "already-speculating") already++;
      if (typeof value === "number" && value > (best?.value ?? -1)) best = { task, value };
    }
    const total = Math.max(
      this.params.minimumAllowedTasks!,
      Math.floor(this.params.speculativeCapTotal! * phase.tasks.length),
    );
    const allowed = Math.max(total, Math.floor(this.params.speculativeCapRunning! * running));
    if (best === undefined || allowed <= already) return [];
    this.mayHaveSpeculated.add(best.task);
    return [{ ask: "request", task: best.task, nodes: books.nodes.map(({ id }) => id) }];
  }

  /** speculationValue, in its order. */
  private valueOf(books: Books, task: TaskBook): number | string {
    const { phase } = task;
    const done = doneIn(phase);
    const isOpen = done >= 1 && Math.fround(done / phase.tasks.length) >= Math.fround(0.05);
    if (!isOpen && !this.mayHaveSpeculated.has(task)) return "on-schedule";
    // A copy comes before an attempt that was made while the copy waited for its container.
    const running = task.done ? [] : unended(task).filter(({ state }) => state === "running");
    running.sort((a, b) => a.madeAt - b.madeAt || a.id - b.id);
    let value: number | string = "not-running";
    for (const [i, attempt] of running.entries()) {
      if (i > 0) return "already-speculating";
      value = this.judge(books, attempt);
      if (typeof value === "string") return value;
    }
    return value !== "not-running" && !isOpen ? "on-schedule" : value;
  }

  private judge(books: Books, attempt: AttemptBook): number | string {
    const { now } = books;
    const progress = Math.fround(books.score(attempt));
    const told = Math.max(this.toldAt.get(attempt) ?? 0, attempt.report.at);
    const estimate = Math.trunc((told - attempt.startedAt) / Math.max(0.0001, progress));
    const seen = this.seen.get(attempt);
    if (seen === undefined || seen.estimate !== estimate || seen.progress !== progress) {
      this.seen.set(attempt, { estimate, progress, at: now });
    } else if (now - seen.at > 9_000) {
      // A report with the same progress is made up; this look still uses the earlier estimate.
      this.toldAt.set(attempt, now);
    }
    const end = attempt.startedAt + estimate;
    const replacementEnd = now + Math.trunc(newAttemptMs(attempt.task.phase));
    if (end < now) return "progress-is-good";
    if (replacementEnd >= end) return "too-late";
    return end - replacementEnd;
  }
}

/** Over the first success of each task. */
function newAttemptMs(phase: PhaseBook): number {
  const times = phase.tasks.flatMap((task) => {
    const first = task.attempts.filter(({ state }) => state === "succeeded")[0];
    return first === undefined ? [] : [first.endedAt - first.startedAt];
  });
  return times.length === 0 ? -1 : mean(times);
}

export const yarn: Letter = {
  policy: "yarn",
  acts: ["request largest-gain", "bind request-bound"],
  discipline: "yarn",
  draw: (dice) => ({
    speculativeCapRunning: dice.pick([0.1, 0.1, 0.3]),
    speculativeCapTotal: dice.pick([0.01, 0.1]),
    minimumAllowedTasks: dice.pick([10, 1, 2]),
    retryAfterNoSpeculateMs: dice.pick([1_000, 1_000, 3_000]),
    retryAfterSpeculateMs: dice.pick([15_000, 15_000, 5_000]),
  }),
  defaults: {
    speculativeCapRunning: 0.1,
    speculativeCapTotal: 0.01,
    minimumAllowedTasks: 10,
    retryAfterNoSpeculateMs: 1_000,
    retryAfterSpeculateMs: 15_000,
  },
  rules(params) {
    const speculator = new Speculator(params);
    return {
      look: (books) => speculator.look(books),
      dueAt: (books) => speculator.dueAt(books),
    };
  },
  world: { form: "reported", wide: true },
};
