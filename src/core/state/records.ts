import { assert, defined } from "../../base/assert.ts";
import type {
  Attempt,
  AttemptKind,
  AttemptState,
  Output,
  Preference,
  Request,
} from "../../model/attempt.ts";
import {
  type AttemptId,
  type Instant,
  type NodeId,
  type RackId,
  type SlotKind,
  type TaskId,
  taskId,
} from "../../model/ids.ts";
import { type Job, mayBeCopied, type Phase, type Task } from "../../model/job.ts";
import type { ProgressSource, ReportedProgress } from "../../model/progress.ts";
import type { StageEntry } from "../../model/view.ts";
import type { PhaseRates } from "../statistics/rates.ts";
import type { AttemptTable, FirstRows } from "./attempt-table.ts";
import { ColdFields } from "./cold-fields.ts";
import type { FreshTasks } from "./fresh-tasks.ts";
import { Mishaps, NO_MISHAPS } from "./mishaps.ts";
import type { NodeRecord } from "./node-record.ts";
import type { Share } from "./share.ts";
import { SoleRows } from "./sole-rows.ts";
import { WaitingTasks } from "./waiting.ts";

export class JobRecord {
  // First what each attempt touches, so that it lies together in memory.
  live = true;
  /** Attempts that have not ended. */
  unended = 0;
  readonly own: Share;
  readonly pool: Share;
  readonly user: Share;
  readonly phases: PhaseRecord[] = [];
  readonly job: Job;
  admittedAt: Instant | undefined;
  phasesUnfinished: number;
  /** Whether all its tasks may run twice at a time. */
  readonly isCopied: boolean;
  /** Failed attempts by node. */
  readonly failures = new Map<NodeId, number>();
  /** Nodes with too many failures. */
  readonly flaky = new Set<NodeId>();
  /** The number of nodes when the job was last offered a slot. */
  nodesKnown: number;
  readonly requests = new Set<RequestRecord>();
  inputNodes = 0;

  constructor(
    job: Job,
    shares: { readonly [of in "own" | "pool" | "user"]: Share },
    joined: number,
  ) {
    this.job = job;
    this.nodesKnown = joined;
    this.own = shares.own;
    this.pool = shares.pool;
    this.user = shares.user;
    this.phasesUnfinished = job.phases.length;
    this.isCopied = job.phases.every((phase) => mayBeCopied(job, phase));
  }
}

export class PhaseRecord {
  // First what each attempt touches, so that it lies together in memory.
  readonly job: JobRecord;
  /** The id of the first task; the others follow. */
  readonly first: number;
  readonly readers: PhaseRecord[] = [];
  sole = NO_SOLE;
  /** Made when a policy first asks. */
  rates: PhaseRates<AttemptRecord> | undefined;
  /** Tasks with a running attempt that is not being killed. */
  active = 0;
  running = 0;
  waiting = 0;
  done = 0;
  /** The number of tasks. */
  readonly size: number;
  /** The number of tasks whose record is kept. */
  kept = 0;
  /** Recomputing tasks whose new attempt has not been reported yet. */
  unheard = 0;
  /** Tasks without records; undefined if each task has one from the submission on. */
  fresh: FreshTasks<TaskRecord> | undefined;
  /** Shared by phases without queued tasks; `ensureWaitingTasks()` returns its own, to write. */
  waitingTasks = NOTHING_WAITS;
  /** The ancestors that use the same kind of slot. */
  readonly sources: PhaseRecord[] = [];
  readonly phase: Phase;

  readonly upstream: PhaseRecord[] = [];
  /** All phases that this one reads, directly or indirectly. */
  readonly ancestors = new Set<PhaseRecord>();
  /**
   * The reverse of `sources`: phases that hold the slots this phase needs while they wait for it.
   */
  readonly holders: PhaseRecord[] = [];
  /** The place of the phase in the rows of its attempts. */
  place = 0;
  /** Attempts in launch order, some of them ended, where running tasks keep their records. */
  launched: AttemptId[] = [];
  firstRows: FirstRows | undefined;
  readonly speculatedTasks = new Set<TaskRecord>();
  /** Active tasks with several attempts that have not ended. */
  manifold = 0;
  /** Done tasks whose output no node holds. */
  readonly missing = new Set<TaskRecord>();
  /** Rates of succeeded attempts that went from memory before a policy asked. */
  shedRates: number[] = [];
  /** When the phase's gap ends; undefined until the gap begins. */
  beginsAt: Instant | undefined;
  /** Whether the phase's edges have allowed it to begin. */
  begun = false;
  /** Whether the phase's edges allow it now: its tasks wait for slots. */
  ready = false;
  requested = 0;
  /** Done tasks that are being recomputed. */
  recomputing = 0;
  /** Recomputing tasks whose output no node holds. */
  gone = 0;
  /**
   * Input bytes of each of this phase's tasks, by rack: built when the first partitioned output
   * comes.
   */
  inputByRack: Map<RackId, number>[] | undefined;
  inputBytes: number[] | undefined;
  readonly #touched: TaskRecord[];

  /** `touched`: the list of the records made in this step. */
  constructor(phase: Phase, job: JobRecord, touched: TaskRecord[]) {
    this.phase = phase;
    this.job = job;
    this.first = phase.tasks.at(0)?.id ?? 0;
    this.size = phase.tasks.length;
    this.#touched = touched;
  }

  /** The phase's own queues, made when the first task is queued. */
  ensureWaitingTasks(): WaitingTasks<TaskRecord> {
    if (this.waitingTasks === NOTHING_WAITS) this.waitingTasks = new WaitingTasks();
    return this.waitingTasks;
  }

  /** The record of a task whose one attempt runs: made for this step. */
  recordOf(attempt: AttemptRecord): TaskRecord {
    const task = new TaskRecord(this, attempt.index);
    task.attempts = [attempt];
    task.unended = 1;
    task.workSince = attempt.id;
    this.touch(task);
    return task;
  }

  /** The next step decides whether to keep the task's record. */
  touch(task: TaskRecord): void {
    if (task.isTouched) return;
    task.isTouched = true;
    this.#touched.push(task);
  }

  /** Whether each task has succeeded once. */
  get finished(): boolean {
    return this.done === this.size;
  }

  /** Whether a task still has to succeed, for the first time or because its output was lost. */
  get unfinished(): boolean {
    return this.done - this.recomputing < this.size;
  }
}

/** The queues of all phases without queued tasks. */
export const NOTHING_WAITS = new WaitingTasks<TaskRecord>();

const NO_SOLE = new SoleRows(0);

export const NO_ATTEMPTS: AttemptRecord[] = [];
const NO_HOLDERS: readonly NodeRecord[] = [];

export class TaskRecord {
  readonly phase: PhaseRecord;
  readonly index: number;
  /** Whether the record stays in memory; otherwise it is gone after the step. */
  isKept = false;
  isTouched = false;
  done = false;
  waiting = false;
  /** Rises when the task enters or leaves a queue: an older number marks a stale queue entry. */
  queueGeneration = 0;
  /** The order's key in the present generation. */
  key = 0;
  /** The kind of the task's next attempt. */
  next: AttemptKind = "original";
  /** In launch order. */
  attempts: AttemptRecord[] = NO_ATTEMPTS;
  /** Attempts that have not ended. */
  unended = 0;
  /** The first attempt of the present time of work: since then the task has always had one. */
  workSince: AttemptId | undefined;
  output: Output | undefined;
  outputNodes: readonly NodeRecord[] = NO_HOLDERS;
  preference: Preference | undefined;
  requests = 0;
  /** Shared by all tasks without mishaps; `ensureMishaps()` returns the task's own, to write. */
  mishaps: Readonly<Mishaps> = NO_MISHAPS;

  #task: Task | undefined;

  constructor(phase: PhaseRecord, index: number) {
    this.phase = phase;
    this.index = index;
  }

  get id(): TaskId {
    return taskId(this.phase.first + this.index);
  }

  get task(): Task {
    this.#task ??= defined(this.phase.phase.tasks.at(this.index), "task");
    return this.#task;
  }

  /** Whether the task has data somewhere. A phase whose tasks have ranges has none. */
  get isPlaced(): boolean {
    return this.phase.fresh === undefined && this.task.replicas.length > 0;
  }

  /** Whether the record only says that the task's first attempt runs. */
  get isSole(): boolean {
    const [first] = this.attempts;
    return (
      this.unended === 1 &&
      this.attempts.length === 1 &&
      first?.as === "original" &&
      !this.done &&
      this.next === "original" &&
      this.mishaps === NO_MISHAPS &&
      this.requests === 0 &&
      this.preference === undefined
    );
  }

  /** Whether the task still has to succeed. */
  get needed(): boolean {
    return !this.done || this.mishaps.recomputing;
  }

  /** The task's own mishaps, made at the first one. */
  ensureMishaps(): Mishaps {
    if (this.mishaps === NO_MISHAPS) this.mishaps = new Mishaps();
    return this.mishaps;
  }
}

const newColdFields = (): ColdFields => new ColdFields();

/** Where the rows of attempts lie, and the records that they refer to. */
export interface BehindAttempts {
  readonly table: AttemptTable<ColdFields>;
  /** By node id. */
  readonly nodes: readonly (NodeRecord | undefined)[];
  /** The live phases, by their place in the rows of their attempts. */
  readonly phases: readonly (PhaseRecord | undefined)[];
  taskOf(attempt: AttemptRecord): TaskRecord;
}

/**
 * Accessor for one row of the attempt table; valid until the next step. The attempt holds a slot,
 * or has held one for a task that is in memory. An accessor that is kept until its attempt is
 * forgotten still says which attempt it was.
 */
export class AttemptRecord implements Attempt {
  readonly id: AttemptId;
  readonly task: TaskId;
  readonly row: number;
  readonly #behind: BehindAttempts;
  readonly #table: AttemptTable<ColdFields>;

  constructor(behind: BehindAttempts, row: number) {
    this.row = row;
    this.#behind = behind;
    this.#table = behind.table;
    this.id = this.#table.id(row);
    this.task = this.#table.task(row);
  }

  get phase(): PhaseRecord {
    return this.#behind.phases[this.#table.phase(this.row)]!;
  }

  /** The task's index in its phase. */
  get index(): number {
    return this.task - this.phase.first;
  }

  get record(): TaskRecord {
    return this.#behind.taskOf(this);
  }

  /** Whether the attempt's task still has to succeed. An attempt without a record runs alone. */
  get isNeeded(): boolean {
    return (this.phase.kept === 0 && this.holdsSlot) || this.record.needed;
  }

  get node(): NodeId {
    return this.#table.node(this.row);
  }

  get host(): NodeRecord {
    return this.#behind.nodes[this.node]!;
  }

  get kind(): SlotKind {
    return this.#table.kind(this.row);
  }

  get as(): AttemptKind {
    return this.#table.as(this.row);
  }

  get state(): AttemptState {
    assert(this.#table.id(this.row) === this.id, "a policy remembers ids, not attempts");
    return this.#table.state(this.row);
  }

  set state(state: AttemptState) {
    this.#table.setState(this.row, state);
  }

  get holdsSlot(): boolean {
    return this.#table.holdsSlot(this.row);
  }

  get launchedAt(): Instant {
    return this.#table.launchedAt(this.row);
  }

  get startedAt(): Instant | undefined {
    return this.#table.startedAt(this.row);
  }

  set startedAt(at: Instant) {
    this.#table.setStartedAt(this.row, at);
  }

  get endedAt(): Instant | undefined {
    return this.#table.endedAt(this.row);
  }

  /** Whether the host has reported the start. */
  get confirmed(): boolean {
    return this.#table.isConfirmed(this.row);
  }

  /** The host has reported the start. */
  start(at: Instant): void {
    this.#table.start(this.row, at);
  }

  end(as: AttemptState, at: Instant): void {
    this.#table.end(this.row, as, at);
  }

  get progress(): ProgressSource | undefined {
    return this.#table.progress(this.row);
  }

  set progress(progress: ProgressSource | undefined) {
    this.#table.setProgress(this.row, progress, newColdFields);
  }

  /** Undefined until `ensureColdFields()` has made them; write through that. */
  get coldFields(): Readonly<ColdFields> | undefined {
    return this.#table.coldFields(this.row);
  }

  ensureColdFields(): ColdFields {
    return this.#table.ensureColdFields(this.row, newColdFields);
  }

  get reports(): readonly ReportedProgress[] | undefined {
    return this.coldFields?.reports;
  }

  get stages(): readonly StageEntry[] | undefined {
    return this.coldFields?.stages;
  }
}

/** `askedFirst`: the nodes that are asked first, in this order; none if they need not be. */
export type RequestRecord = Request & { record: TaskRecord; askedFirst: readonly NodeId[] };
