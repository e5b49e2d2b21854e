import type { Timeless } from "../../../base/without.ts";
import type { JobFold } from "../../../history/job-fold.ts";
import { openEnd } from "../../../model/fact.ts";
import type { FaultLine } from "../../../model/fault-line.ts";
import { type JobId, slotKind, type TaskId } from "../../../model/ids.ts";
import { rule, type Why } from "../../../model/why.ts";
import { SLOT_KINDS } from "../../../run/job-plan.ts";
import type { RunEvent } from "../../../run/run-event.ts";
import type { AttemptFacts, CopyFacts, RecomputeFacts } from "../../../run/run-result.ts";
import type { HostLine } from "../host-line.ts";
import type { AttemptFailure } from "../messages.ts";
import { Attempts, type Ending, type LiveAttempt } from "./attempts.ts";
import type { Driver } from "./driver.ts";
import type { EngineNode } from "./engine-node.ts";
import type { JobRun } from "./job-run.ts";
import type { JournalFile } from "./journal-file.ts";
import { SlotQuota } from "./slot-quota.ts";

const RUN_ENDED = rule("run-ended");

/** What the parts of the master share: the attempts, the jobs, the core and the listeners. */
export class MasterContext {
  readonly attempts = new Attempts();
  readonly jobs = new Map<JobId, JobRun>();
  /** The tasks whose outputs were lost, in the order of loss. */
  readonly outputsLost: string[] = [];
  readonly outputsCopied: CopyFacts[] = [];
  readonly recomputes: RecomputeFacts[] = [];
  readonly nodes: readonly EngineNode[];
  readonly driver: Driver;
  /** The table of what has happened, as a reader of the journal has it. */
  readonly history: JobFold;
  /**
   * Whether the state is being rebuilt from a journal: no event is emitted, no file is written or
   * moved.
   */
  isCatchingUp = false;
  readonly #journal: JournalFile;
  readonly #now: () => number;
  readonly #onEvent: (event: RunEvent) => void;
  readonly #quota: SlotQuota;

  constructor(query: {
    readonly nodes: readonly EngineNode[];
    /** The slots of each kind that may be at work at once, over all nodes. */
    readonly slots: number;
    readonly driver: Driver;
    readonly history: JobFold;
    readonly journal: JournalFile;
    readonly now: () => number;
    readonly onEvent: (event: RunEvent) => void;
  }) {
    this.nodes = query.nodes;
    this.driver = query.driver;
    this.history = query.history;
    this.#journal = query.journal;
    this.#now = query.now;
    this.#onEvent = query.onEvent;
    this.#quota = new SlotQuota(query.nodes, query.slots);
  }

  get now(): number {
    return this.#now();
  }

  emit(event: Timeless<RunEvent>): void {
    if (this.isCatchingUp) return;
    this.#onEvent({ ...event, at: this.#now() });
  }

  /** Writes one of the host's own lines to the journal. */
  write(line: HostLine): void {
    if (this.isCatchingUp) return;
    this.#journal.host({ at: this.#now(), ...line });
  }

  /**
   * Forgets the jobs, unless one of their attempts is still live. Returns whether the jobs are
   * forgotten.
   */
  forget(jobs: readonly JobId[], owns: (name: string) => boolean): boolean {
    for (const { name } of this.attempts.all) if (owns(name)) return false;
    for (const job of jobs) this.jobs.delete(job);
    this.attempts.forget(owns);
    forget(this.outputsLost, owns);
    forget(this.outputsCopied, ({ task }) => owns(task));
    forget(this.recomputes, ({ task }) => owns(task));
    return true;
  }

  jobOf(task: TaskId): JobRun {
    for (const job of this.jobs.values()) if (job.has(task)) return job;
    throw new Error(`no job has task ${task}`);
  }

  /** The attempts in the order of launch; one that is live ends where this record ends. */
  get attemptFacts(): readonly AttemptFacts[] {
    return this.attempts.facts((attempt) => this.openEnding(attempt));
  }

  /** The ending of a live attempt if the record of the run ends now. */
  openEnding({ killedFor, launchedAt, task }: LiveAttempt): Ending {
    const { endedAt: jobEndedAt } = this.jobOf(task.id);
    const { endedAt } = openEnd({ jobEndedAt, recordEndsAt: this.now });
    const by = killedFor === undefined ? "host" : "core";
    const end = { kind: "killed", by, why: killedFor ?? RUN_ENDED } as const;
    return { end, endedAt, slotMs: endedAt - launchedAt };
  }

  /** Ends the attempt and removes what it wrote, unless it was accepted. */
  end(attempt: LiveAttempt, ending: Ending): void {
    const { end, endedAt } = ending;
    const job = this.jobOf(attempt.task.id);
    this.attempts.end(attempt, ending);
    job.movedAt = this.now;
    if (end.kind !== "succeeded") job.drop(attempt.id);
    const { name, as, node, launchedAt } = attempt;
    const ranMs = endedAt - launchedAt;
    this.emit({ kind: "attempt-ended", attempt: name, as, node: node.name, how: end, ranMs });
  }

  fail(attempt: LiveAttempt, failure: AttemptFailure): void {
    this.write({ kind: "failure", attempt: attempt.name, ...failure });
    attempt.failure = failure;
    const { cause } = failure;
    this.driver.feed({ kind: "attempt-failed", attempt: attempt.id, cause });
  }

  /**
   * Ends the attempt by this host's decision; where the core asked first, the kill counts as the
   * core's.
   */
  killedByHost(attempt: LiveAttempt, why: Why): void {
    attempt.hostReason = why;
    const by = attempt.killedFor === undefined ? "host" : "us";
    this.driver.feed({ kind: "attempt-killed", attempt: attempt.id, by });
  }

  /** The attempt no longer holds its slot, so the node can offer one. */
  release(node: EngineNode, attempt: number): void {
    if (!node.held.delete(attempt)) return;
    if (this.#quota.isShort) this.shareSlots();
    else if (node.state === "live") this.offer(node);
  }

  offer(node: EngineNode): void {
    this.driver.feed({ kind: "slots-offered", node: node.id, free: this.#quota.free(node) });
  }

  /** A node that left its slots unused although tasks wait passes them to the next. */
  passSlotsOn(): void {
    const { view } = this.driver;
    for (const kind of SLOT_KINDS.keys()) {
      const slot = slotKind(kind);
      const doTasksWait = [...view.jobs()].some(({ id }) =>
        view.phases(id, slot).some((phase) => view.counts(phase.id).waiting > 0),
      );
      if (doTasksWait || view.running(slot) > 0) this.#quota.turn(slot, { doTasksWait });
    }
    this.shareSlots();
  }

  /**
   * Shares slots again after a node came or went or a slot became free, where memory does not
   * suffice for all.
   */
  shareSlots(): void {
    if (this.isCatchingUp || !this.#quota.isShort) return;
    for (const node of this.nodes) if (node.state === "live" && !node.booting) this.offer(node);
  }

  /** Sends readers to the new places of outputs. */
  move(job: JobRun, sources: readonly number[]): void {
    if (sources.length === 0 || this.isCatchingUp) return;
    for (const node of this.nodes) {
      node.send({ kind: "outputs", job: job.id, found: job.outputs.locate(sources, node) });
    }
  }

  /** Records a fault done to a node or a rack. */
  fault(line: Omit<FaultLine, "at" | "kind">): void {
    this.write({ kind: "fault", ...line });
    this.emit({ kind: "fault", ...line });
  }

  /**
   * Removes the node's outputs, all or those of `attempts`, from the records. Returns their tasks.
   */
  loseOutputs(node: EngineNode, attempts?: readonly number[]): readonly TaskId[] {
    const gone: TaskId[] = [];
    for (const job of this.jobs.values()) {
      const { tasks, moved } = job.outputs.lose(node, attempts);
      if (tasks.length === 0) continue;
      this.move(job, moved);
      const outputs = tasks.map((task) => job.task(task).name);
      this.outputsLost.push(...outputs);
      this.write({
        kind: "outputs-lost",
        node: node.name,
        outputs,
        ...(attempts !== undefined && { attempts }),
      });
      this.emit({ kind: "outputs-lost", node: node.name, outputs });
      gone.push(...tasks);
    }
    return gone;
  }
}

function forget<T>(all: T[], which: (one: T) => boolean): void {
  all.splice(0, all.length, ...all.filter((one) => !which(one)));
}
