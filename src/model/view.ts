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
import type { Report } from "./progress.ts";

/** What policies may see. The costs are requirements. */
export interface View extends Nouns, Facts, Listings, Progress {
  readonly now: Instant;
  readonly kinds: readonly SlotKind[];
  readonly racks: readonly RackId[];
}

/** Things by id; O(1). Each asserts that the thing is there: ended jobs are forgotten. */
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

/** O(1) each, but where said otherwise. */
export interface Facts {
  /** When sharing let the job in; undefined while it has not. */
  admittedAt(job: JobId): Instant | undefined;
  /** Slots of nodes that are joined and not lost. */
  slots(kind: SlotKind): number;
  /** Of nodes that are joined and not silent. */
  freeSlots(rack: RackId, kind: SlotKind): number;
  /** undefined while its heartbeats arrive. */
  silentSince(node: NodeId): Instant | undefined;
  waiting(kind: SlotKind): number;
  /** Running and waiting tasks of the pool. */
  demand(kind: SlotKind, pool: string): number;
  /** Attempts that hold a slot of the kind, assumed and dying ones counted; one key at a time. */
  running(kind: SlotKind, of?: RunningOf): number;
  /** Waiting tasks of the job. */
  waitingOf(job: JobId, kind: SlotKind): number;
  counts(phase: PhaseId): PhaseCounts;
  /** Of the tasks that are being made again: those of which nothing has been heard since. */
  unheard(phase: PhaseId): number;
  active(phase: PhaseId): ActiveTasks;
  /** Failed attempts of the task, and outputs of it that could not be read. */
  failures(task: TaskId): number;
  /** The nodes of those, each once. */
  failedOn(task: TaskId): readonly NodeId[];
  /** Failed attempts of the job on the node, and losses of the node with work of the job. */
  failuresOn(job: JobId, node: NodeId): number;
  /** Whether the job has failed too often on the node to be launched there. */
  isClosed(job: JobId, node: NodeId): boolean;
  isDone(task: TaskId): boolean;
  isWaiting(task: TaskId): boolean;
  /** Enough of what the phase reads is done, and not lost since: its tasks may be launched. */
  isReady(phase: PhaseId): boolean;
  restarts(task: TaskId): number;
  preference(task: TaskId): Preference | undefined;
  /** Its own input, or what the finished upstream tasks wrote for it. */
  inputBytes(task: TaskId): number;
  /** Where those bytes are; only for a task that reads partitions. */
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

/** Tasks of which an attempt runs that was not killed. */
export interface ActiveTasks {
  readonly tasks: number;
  /** Those of which several attempts have not ended, killed ones among them. */
  readonly speculated: number;
}

export interface PhaseCounts {
  readonly tasks: number;
  readonly waiting: number;
  /** Attempts that hold a slot. */
  readonly running: number;
  /** Tasks that have succeeded, without tasks that are being made again. */
  readonly done: number;
  /** Tasks that succeeded and run or wait once more, as their output was lost. */
  readonly recomputing: number;
  /** Running tasks that have a speculative attempt. */
  readonly speculated: number;
  readonly requested: number;
}

/** O(answer), in id order unless said otherwise. */
export interface Listings {
  /** Live jobs that have been admitted. */
  jobs(pool?: string): Iterable<Job>;
  pools(): Iterable<string>;
  /** Nodes that are joined and not lost. */
  nodes(): Iterable<Node>;
  /** Ready, with tasks that have still to succeed, for the first time or once more. */
  phases(job: JobId, kind?: SlotKind): readonly Phase[];
  /** In the order of first launch. */
  runningTasks(phase: PhaseId): Iterable<Task>;
  /** The same tasks; each keeps its place from when it came to have attempts until it has none. */
  tasksAtWork(phase: PhaseId): readonly Task[];
  speculated(phase: PhaseId): Iterable<Task>;
  requests(phase?: PhaseId): Iterable<Request>;
  attemptsOf(task: TaskId): readonly Attempt[];
  /** Started and not ended; dying ones are left out. */
  runningOf(task: TaskId): readonly Attempt[];
  /** Attempts that hold a slot of the node. */
  runningOn(node: NodeId): readonly Attempt[];
  /** Latest launch first: pre-emption. */
  newestFirst(pool: string, kind: SlotKind): Iterable<Attempt>;
  /** An attempt of the task was launched there, whatever has become of it. */
  hasRunOn(task: TaskId, node: NodeId): boolean;
  /** The same, of attempts since when the task was never without one that held a slot. */
  hasWorkedOn(task: TaskId, node: NodeId): boolean;
  /** O(replicas). A task without replicas is "any" everywhere. */
  locality(task: TaskId, node: NodeId): Locality;
}

/** O(log segments), unless said otherwise. Evaluated at `now`, or when the node fell silent. */
export interface Progress {
  progress(attempt: AttemptId): Report;
  progressAt(attempt: AttemptId, at: Instant): Report;
  /** The score of `progress`, 0 to 1, without the rest. */
  score(attempt: AttemptId): number;
  /**
   * Score per millisecond of elapsed time: LATE §4's ProgressScore / T. 0 while the attempt has
   * run for no time.
   */
  rate(attempt: AttemptId): number;
  /** Computed for curves; for reported progress, what is still kept. */
  reports(attempt: AttemptId, since: Instant): Iterable<Report>;
  /** The stages that the attempt has entered, with the time and score of entry. */
  stageEntries(attempt: AttemptId): readonly StageEntry[];
  /** Sum of the scores of the succeeded and running attempts on the node. O(slots). */
  nodeProgress(node: NodeId): number;
  /** Interpolated, q from 0 to 100. COST: O(nodes) at most once in `statisticsEvery` ms. */
  nodeProgressPercentile(q: number): number;
  /**
   * Over all tasks of the phase: done 1, unstarted 0, what is made again as far as that has come.
   * COST: O(running), as above.
   */
  meanProgress(phase: PhaseId): number;
  /**
   * Over the succeeded attempts of the phase and those that have run for some time; interpolated, q
   * from 0 to 100.
   */
  ratePercentile(phase: PhaseId, q: number): number;
  /**
   * What a policy works out by looking at every attempt of a phase: at most once in
   * `statisticsEvery` ms, and once a step without that. `what` is unique: begin it with the
   * policy's name. It may be a little old: look again at what it leads to before acting on it.
   */
  held<T>(phase: PhaseId, what: string, workOut: () => T): T;
}

export interface StageEntry {
  readonly stage: number;
  readonly at: Instant;
  readonly score: number;
}
