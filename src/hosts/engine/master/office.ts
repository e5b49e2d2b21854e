import type { Json } from "../../../core/journal/json.ts";
import type { JobId, TaskId } from "../../../model/ids.ts";
import type { MapLocation } from "../messages.ts";
import type { AttemptEnd, RunEvent } from "../run-event.ts";
import type { RecomputeFacts } from "../run-result.ts";
import { Attempts, type LiveAttempt } from "./attempts.ts";
import type { Driver } from "./driver.ts";
import type { EngineNode } from "./engine-node.ts";
import type { JobRun } from "./job-run.ts";
import type { JournalFile } from "./journal-file.ts";

/** A run event as its teller knows it: the time is added. */
export type News = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, "at"> : never) : never;

/** What the parts of the master share: the books, the core and everyone who listens. */
export class Office {
  readonly attempts = new Attempts();
  readonly jobs = new Map<JobId, JobRun>();
  /** Tasks whose output was lost, in the order of loss. */
  readonly outputsLost: string[] = [];
  readonly recomputes: RecomputeFacts[] = [];
  readonly nodes: readonly EngineNode[];
  readonly driver: Driver;
  readonly #journal: JournalFile;
  readonly #now: () => number;
  readonly #onEvent: (event: RunEvent) => void;

  constructor(query: {
    readonly nodes: readonly EngineNode[];
    readonly driver: Driver;
    readonly journal: JournalFile;
    readonly now: () => number;
    readonly onEvent: (event: RunEvent) => void;
  }) {
    this.nodes = query.nodes;
    this.driver = query.driver;
    this.#journal = query.journal;
    this.#now = query.now;
    this.#onEvent = query.onEvent;
  }

  get now(): number {
    return this.#now();
  }

  tell(news: News): void {
    this.#onEvent({ ...news, at: this.#now() });
  }

  /** A line of the host's own in the journal. */
  write(kind: string, data: { readonly [name: string]: Json }): void {
    this.#journal.host({ at: this.#now(), kind, ...data });
  }

  jobOf(task: TaskId): JobRun {
    for (const job of this.jobs.values()) if (job.has(task)) return job;
    throw new Error(`no job has task ${task}`);
  }

  /** The attempt is over, as far as the core knows; what it wrote goes, unless it was accepted. */
  end(attempt: LiveAttempt, end: AttemptEnd): void {
    this.attempts.end(attempt, end, this.now);
    if (end.kind !== "succeeded") this.jobOf(attempt.task.id).output.drop(attempt.id);
    const { name, as, node, launchedAt } = attempt;
    const ranMs = this.now - launchedAt;
    this.tell({ kind: "attempt-ended", attempt: name, as, node: node.name, how: end, ranMs });
  }

  /** The attempt holds no slot any more: the node has one to offer. */
  release(node: EngineNode, attempt: number): void {
    if (node.held.delete(attempt) && node.state === "live") this.offer(node);
  }

  offer(node: EngineNode): void {
    this.driver.tell({ kind: "slots-offered", node: node.id, free: node.free });
  }

  /** Readers look for outputs elsewhere from now on. */
  move(job: JobRun, found: readonly MapLocation[]): void {
    if (found.length === 0) return;
    for (const node of this.nodes) node.tell({ kind: "outputs", job: job.id, found });
  }

  /** Outputs on the node are gone: all, or those of some attempts. Returns their tasks. */
  loseOutputs(node: EngineNode, attempts?: readonly number[]): readonly TaskId[] {
    const gone: TaskId[] = [];
    for (const job of this.jobs.values()) {
      const { tasks, moved } = job.lose(node, attempts);
      if (tasks.length === 0) continue;
      this.move(job, moved);
      const outputs = tasks.map(({ name }) => name);
      this.outputsLost.push(...outputs);
      this.write("outputs-lost", { node: node.name, outputs });
      this.tell({ kind: "outputs-lost", node: node.name, outputs });
      gone.push(...tasks.map(({ id }) => id));
    }
    return gone;
  }
}
