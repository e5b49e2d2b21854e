import type { Attempt, AttemptKind, Output, Preference, Request } from "./attempt.ts";
import type { Node } from "./cluster.ts";
import type { LinkSample } from "./event.ts";
import type {
  AttemptId,
  Instant,
  JobId,
  NodeId,
  PhaseId,
  RackId,
  RequestId,
  SlotKind,
  TaskId,
} from "./ids.ts";
import type { Job, Locality, Phase, Task } from "./job.ts";
import type { Report, ScoreTest } from "./progress.ts";

/** The view of the core that policies get. The costs are requirements. */
export interface View extends Nouns, Facts, Listings, Progress {
  readonly now: Instant;
  readonly kinds: readonly SlotKind[];
  readonly racks: readonly RackId[];
}

/** Things by id; O(1). Each method asserts that the thing exists: ended jobs are forgotten. */
export interface Nouns {
  job(id: JobId): Job;
  phase(id: PhaseId): Phase;
  task(id: TaskId): Task;
  attempt(id: AttemptId): Attempt;
  node(id: NodeId): Node;
  request(id: RequestId): Request;
  jobOf(phase: PhaseId): Job;
  /** The phases that this phase reads. */
  upstream(phase: PhaseId): readonly Phase[];
  /** The phases that read this task's output. */
  readers(task: TaskId): readonly Phase[];
}

/** O(1) each, unless said otherwise. */
export interface Facts {
  /** When sharing admitted the job; undefined before. */
  admittedAt(job: JobId): Instant | undefined;
  /** Slots of nodes that have joined and are not lost. */
  slots(kind: SlotKind): number;
  /** Free slots of nodes that have joined and are not silent. */
  freeSlots(rack: RackId, kind: SlotKind): number;
  /** Since when the node is silent; undefined while its heartbeats arrive. */
  silentSince(node: NodeId): Instant | undefined;
  waiting(kind: SlotKind): number;
  /** Tasks that are not done, of phases whose edges allow them, and of jobs that are admitted. */
  left(kind: SlotKind): number;
  /** Running and waiting tasks of the pool. */
  demand(kind: SlotKind, pool: string): number;
  /**
   * Attempts that hold a slot of the kind, including assumed and dying ones; `of` has one key at a
   * time.
   */
  running(kind: SlotKind, of?: RunningOf): number;
  /** Waiting tasks of the job. */
  waitingOf(job: JobId, kind: SlotKind): number;
  counts(phase: PhaseId): PhaseCounts;
  /** Tasks that are being recomputed, without a report of a new attempt yet. */
  unheard(phase: PhaseId): number;
  active(phase: PhaseId): ActiveTasks;
  /** Failed attempts of the task, and fetch failures of its outputs. */
  failures(task: TaskId): number;
  /** The nodes of these failures, each once. */
  failedOn(task: TaskId): readonly NodeId[];
  /** Failed attempts of the job on the node, and losses of the node with work of the job. */
  failuresOn(job: JobId, node: NodeId): number;
  /** Whether the job has failed too often on the node to be launched there. */
  isClosed(job: JobId, node: NodeId): boolean;
  isDone(task: TaskId): boolean;
  isWaiting(task: TaskId): boolean;
  /**
   * The node of the slot that is kept for the waiting task, because an attempt was killed for it;
   * undefined while the node is silent, lost or closed to the job.
   */
  keptSlot(task: TaskId): NodeId | undefined;
  /** Whether enough of the phase's input is done, and not lost since: its tasks may be launched. */
  isReady(phase: PhaseId): boolean;
  restarts(task: TaskId): number;
  preference(task: TaskId): Preference | undefined;
  /** The task's own input, or the output that finished upstream tasks wrote for it. */
  inputBytes(task: TaskId): number;
  /** The racks of these bytes; only for a task that reads partitions. */
  inputByRack(task: TaskId): ReadonlyMap<RackId, number>;
  output(task: TaskId): Output | undefined;
  outputNodes(task: TaskId): readonly NodeId[];
  /** Nodes that hold input of the job's first phases. */
  inputNodes(job: JobId): number;
  links(rack: RackId): LinkSample | undefined;
}

export type RunningOf =
  | { readonly as: AttemptKind }
  | { readonly pool: string }
  | { readonly user: string }
  | { readonly job: JobId };

/** Tasks with a running attempt that was not killed. */
export interface ActiveTasks {
  readonly tasks: number;
  /** Active tasks with several attempts that have not ended, including killed ones. */
  readonly speculated: number;
}

export interface PhaseCounts {
  readonly tasks: number;
  readonly waiting: number;
  /** Attempts that hold a slot. */
  readonly running: number;
  /** Tasks that have succeeded, except those that are being recomputed. */
  readonly done: number;
  /** Tasks that succeeded and run or wait again, since their output was lost. */
  readonly recomputing: number;
  /** Running tasks that have a speculative attempt. */
  readonly speculated: number;
  readonly requested: number;
}

/** O(length of the answer), in id order unless said otherwise. */
export interface Listings {
  /** Live jobs that have been admitted. */
  jobs(pool?: string): Iterable<Job>;
  pools(): Iterable<string>;
  /** Nodes that have joined and are not lost. */
  nodes(): Iterable<Node>;
  /** Ready phases with tasks that have still to succeed, for the first time or again. */
  phases(job: JobId, kind?: SlotKind): readonly Phase[];
  /**
   * The tasks with replicas that wait: first those that ignore locality, then the others, each by
   * key. O(tasks with replicas that wait).
   */
  waitingTasks(phase: PhaseId): Iterable<Task>;
  /** In the order of their first launches. */
  runningTasks(phase: PhaseId): Iterable<Task>;
  /**
   * The oldest live attempt of each running task; lazy. In the order of their launches, or of work:
   * a task then keeps its place from its first attempt until it has none, and a copy left alone
   * takes its original's (Hadoop 1.2.1, JobInProgress.runningMapCache, runningReduces). With
   * `scoreIs`, only attempts with such scores.
   */
  oldestRunning(phase: PhaseId, order: "launch" | "work", scoreIs?: ScoreTest): Iterable<Attempt>;
  speculated(phase: PhaseId): Iterable<Task>;
  requests(phase?: PhaseId): Iterable<Request>;
  attemptsOf(task: TaskId): readonly Attempt[];
  /** O(1): whether the attempt holds a slot, and is the only one of its task that does. */
  isAlone(attempt: AttemptId): boolean;
  /** Attempts that have started and not ended, except dying ones. */
  runningOf(task: TaskId): readonly Attempt[];
  /** Attempts that hold a slot of the node. */
  runningOn(node: NodeId): readonly Attempt[];
  /** Latest launch first, for pre-emption. */
  newestFirst(pool: string, kind: SlotKind): Iterable<Attempt>;
  /** Whether an attempt of the task was launched there, however it ended. */
  hasRunOn(task: TaskId, node: NodeId): boolean;
  /** Whether the task has had an attempt there since it last had none that held a slot. */
  hasWorkedOn(task: TaskId, node: NodeId): boolean;
  /** O(replicas). A task without replicas is "any" everywhere. */
  locality(task: TaskId, node: NodeId): Locality;
}

/** O(log segments), unless said otherwise. Evaluated at `now`, or when the node fell silent. */
export interface Progress {
  progress(attempt: AttemptId): Report;
  progressAt(attempt: AttemptId, at: Instant): Report;
  /** The score of `progress` alone, 0 to 1. */
  score(attempt: AttemptId): number;
  /**
   * Score per millisecond of elapsed time: LATE §4's ProgressScore / T. 0 until some time has
   * passed.
   */
  rate(attempt: AttemptId): number;
  /** Computed for curves; for reported progress, the reports still kept. */
  reports(attempt: AttemptId, since: Instant): Iterable<Report>;
  /** The stages that the attempt has entered, with the time and score of entry. */
  stageEntries(attempt: AttemptId): readonly StageEntry[];
  /** Sum of the scores of the succeeded and running attempts on the node. O(slots). */
  nodeProgress(node: NodeId): number;
  /** Interpolated, q from 0 to 100. COST: O(nodes) at most once in `statisticsEvery` ms. */
  nodeProgressPercentile(q: number): number;
  /**
   * Over all tasks of the phase: 1 if done, 0 if unstarted; a task being recomputed counts with its
   * present progress. COST: O(running), as above.
   */
  meanProgress(phase: PhaseId): number;
  /**
   * Over the phase's succeeded attempts and those that have run for some time; interpolated, q from
   * 0 to 100.
   */
  ratePercentile(phase: PhaseId, q: number): number;
  /**
   * A value that a policy computes by looking at every attempt of a phase: computed at most once in
   * `statisticsEvery` ms, or once per step if that is 0. `what` must be unique: begin it with the
   * policy's name. The value may be out of date: check its result again before acting on it.
   */
  held<T>(phase: PhaseId, what: string, workOut: () => T): T;
}

export interface StageEntry {
  readonly stage: number;
  readonly at: Instant;
  readonly score: number;
}
