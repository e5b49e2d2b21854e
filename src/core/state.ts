import { Table } from "../base/table.ts";
import type { KillThen } from "../model/action.ts";
import type {
  Attempt,
  AttemptKind,
  AttemptState,
  Output,
  Preference,
  Request,
} from "../model/attempt.ts";
import type { Node } from "../model/cluster.ts";
import type { LinkSample } from "../model/event.ts";
import {
  type AttemptId,
  type Instant,
  instant,
  type JobId,
  type NodeId,
  type RackId,
  type SlotKind,
  slotKind,
  type TaskId,
} from "../model/ids.ts";
import type { Job, Phase, Task } from "../model/job.ts";
import type { ProgressSource, ReportedProgress } from "../model/progress.ts";
import type { StageEntry } from "../model/view.ts";
import type { Why } from "../model/why.ts";
import type { PhaseRates } from "./rates.ts";
import type { Setup } from "./setup.ts";
import { WaitingTasks } from "./waiting.ts";

/** Everything that changes, beside the memories of the policies. */
export class State {
  now: Instant = instant(0);
  readonly setup: Setup;
  readonly kinds: readonly SlotKind[];
  readonly jobs = new Map<JobId, JobRecord>();
  /** Jobs that sharing has not let in yet. */
  readonly outside = new Set<JobRecord>();
  /** Jobs that have not ended. */
  live = 0;
  readonly phases = new Table<PhaseRecord>();
  /** Finished tasks of phases without readers are not among them: see `ranges`. */
  readonly tasks = new Table<TaskRecord>();
  /** Live phases with tasks, rising by their first task's id. */
  ranges: PhaseRecord[] = [];
  readonly attempts = new Table<AttemptRecord>();
  /** By node id. */
  readonly nodes: (NodeRecord | undefined)[] = [];
  /** Nodes that are joined and not lost. */
  joined = 0;
  readonly silent = new Set<NodeRecord>();
  readonly requests = new Map<number, RequestRecord>();
  readonly pools = new Map<string, Share>();
  readonly users = new Map<string, Share>();
  /** Per kind. */
  readonly load: SlotUse[];
  /** Per kind, the nodes with free slots that may be used now, in the order they became free. */
  readonly freeNodes: Set<NodeRecord>[];
  /** Their free slots, per rack and kind. */
  readonly freeCounts: number[][];
  readonly links: (LinkSample | undefined)[] = [];
  /** Steps taken. */
  steps = 0;
  nextAttempt = 0;
  nextRequest = 0;
  /** Tasks whose last attempt has ended: looked at when the next step begins. */
  settled: TaskRecord[] = [];
  /** Launches that the host refused: forgotten when the next step begins. */
  undone: AttemptRecord[] = [];
  /** Jobs that have ended and are forgotten when the next step begins. */
  readonly ended = new Set<JobRecord>();
  /** Per kind: whether a task has begun to wait since held slots were last asked about. */
  readonly beganToWait: boolean[];
  /** Per kind: whether a slot was left in this step because a task prefers a free one elsewhere. */
  readonly leftForBetter: boolean[];
  /** Per kind, since when a slot has been left though readers hold all others. */
  readonly blockedSince: (Instant | undefined)[] = [];
  /** Live phases that others read and share a kind of slot with. */
  readonly contested = new Set<PhaseRecord>();

  constructor(setup: Setup) {
    this.setup = setup;
    this.kinds = setup.slotKinds.map((_, index) => slotKind(index));
    this.load = this.kinds.map(() => new SlotUse());
    this.freeNodes = this.kinds.map(() => new Set());
    this.freeCounts = setup.racks.map(() => this.kinds.map(() => 0));
    this.beganToWait = this.kinds.map(() => false);
    this.leftForBetter = this.kinds.map(() => false);
  }
}

/** What runs and waits of one kind. */
export class SlotUse {
  slots = 0;
  waiting = 0;
  running = 0;
  /** Attempts that hold a slot, by why they were launched. */
  readonly runningAs: Record<AttemptKind, number> = {
    original: 0,
    speculative: 0,
    restart: 0,
    retry: 0,
    rerun: 0,
    recompute: 0,
  };
}

/** What one pool, user or job has, per kind. */
export class Share {
  readonly running: number[];
  readonly waiting: number[];
  /** Launch order; ended ones are skipped and now and then swept out. */
  readonly launched: AttemptRecord[][];
  /** Live jobs; an empty share is dropped. */
  jobs = 0;

  constructor(kinds: number) {
    this.running = new Array<number>(kinds).fill(0);
    this.waiting = new Array<number>(kinds).fill(0);
    this.launched = Array.from({ length: kinds }, () => []);
  }
}

export class JobRecord {
  readonly job: Job;
  readonly phases: PhaseRecord[] = [];
  readonly own: Share;
  readonly pool: Share;
  readonly user: Share;
  admittedAt: Instant | undefined;
  phasesUnfinished: number;
  live = true;
  /** Attempts that have not ended. */
  unended = 0;
  /** Failed attempts by node. */
  readonly failures = new Map<NodeId, number>();
  /** Nodes with too many of them. */
  readonly flaky = new Set<NodeId>();
  /** The nodes that there were when the job was last offered a slot. */
  nodesKnown: number;
  readonly requests = new Set<RequestRecord>();
  inputNodes = 0;

  constructor(job: Job, pool: Share, user: Share, { joined, kinds }: State) {
    this.job = job;
    this.nodesKnown = joined;
    this.pool = pool;
    this.user = user;
    this.own = new Share(kinds.length);
    this.phasesUnfinished = job.phases.length;
  }
}

export class PhaseRecord {
  readonly phase: Phase;
  readonly job: JobRecord;
  readonly upstream: PhaseRecord[] = [];
  /** All that it reads, directly or not. */
  readonly ancestors = new Set<PhaseRecord>();
  readonly readers: PhaseRecord[] = [];
  /** Those of its ancestors that take the same kind of slot. */
  readonly sources: PhaseRecord[] = [];
  /** The reverse: phases that wait for this one while they hold the slots that it needs. */
  readonly holders: PhaseRecord[] = [];
  /** Its first task's id; the others follow. */
  readonly first: number;
  /** Tasks. */
  readonly size: number;
  waitingTasks = new WaitingTasks<TaskRecord>();
  /** In launch order, some that have ended among them. */
  launched: AttemptRecord[] = [];
  readonly speculatedTasks = new Set<TaskRecord>();
  /** Tasks of which an attempt runs that was not killed. */
  active = 0;
  /** Those of them of which several attempts have not ended. */
  manifold = 0;
  /** Done tasks whose output no node holds. */
  readonly missing = new Set<TaskRecord>();
  /** Made when a policy first asks. */
  rates: PhaseRates<AttemptRecord> | undefined;
  /** Of succeeded attempts that went from memory before that. */
  shedRates: number[] = [];
  /** Its edges have allowed it to begin. */
  begun = false;
  /** They allow it now: its tasks wait for slots. */
  ready = false;
  done = 0;
  waiting = 0;
  running = 0;
  requested = 0;
  /** Done tasks that are being made again. */
  recomputing = 0;
  /** Those of them of which nothing has been heard since. */
  unheard = 0;
  /** Those of them whose output no node holds. */
  gone = 0;
  /**
   * Bytes for each of this phase's tasks, by rack: built when the first partitioned output comes.
   */
  inputByRack: Map<RackId, number>[] | undefined;
  inputBytes: number[] | undefined;

  constructor(phase: Phase, job: JobRecord) {
    this.phase = phase;
    this.job = job;
    this.first = phase.tasks[0]?.id ?? 0;
    this.size = phase.tasks.length;
  }

  /** Each task has succeeded once. */
  get finished(): boolean {
    return this.done === this.size;
  }

  /** A task still has to succeed, for the first time or because its output was lost. */
  get unfinished(): boolean {
    return this.done - this.recomputing < this.size;
  }
}

export const NO_ATTEMPTS: AttemptRecord[] = [];
const NO_NODES: readonly NodeId[] = [];
const NO_HOLDERS: readonly NodeRecord[] = [];

/** What goes wrong with few tasks: all others share one, and stay small. */
class Mishaps {
  /** The task is done, its output lost, and to be made again. */
  recomputing = false;
  /** The same, and nothing has been heard of an attempt since. */
  unheard = false;
  /** The same, while attempts that were killed when it was done have not ended. */
  recomputeDue = false;
  failures = 0;
  /** The nodes on which it has failed, or from which its output could not be read. */
  failedOn: readonly NodeId[] = NO_NODES;
  restarts = 0;
  /** Attempts of it that were killed and hold their slots. */
  dying = 0;
  /** Readers' reports about each copy of its output. */
  fetchReports: Map<NodeRecord, number> | undefined;
}

const NO_MISHAPS: Readonly<Mishaps> = new Mishaps();

export class TaskRecord {
  readonly id: TaskId;
  readonly task: Task;
  readonly phase: PhaseRecord;
  done = false;
  waiting = false;
  /** Which of its stays in the queues is the present one. */
  stay = 0;
  /** The order's key of the present stay. */
  key = 0;
  /** What its next attempt is launched as. */
  next: AttemptKind = "original";
  /** In launch order. */
  attempts: AttemptRecord[] = NO_ATTEMPTS;
  /** Attempts that have not ended. */
  unended = 0;
  /** The first of those since when there was always one. */
  workSince: AttemptId | undefined;
  output: Output | undefined;
  outputNodes: readonly NodeRecord[] = NO_HOLDERS;
  preference: Preference | undefined;
  requests = 0;
  /** For reading; `ownMishaps()` is for writing. */
  mishaps: Readonly<Mishaps> = NO_MISHAPS;

  constructor(task: Task, phase: PhaseRecord) {
    this.id = task.id;
    this.task = task;
    this.phase = phase;
  }

  /** Whether an attempt of it has still to succeed. */
  get needed(): boolean {
    return !this.done || this.mishaps.recomputing;
  }

  /** The task's own, made at the first mishap. */
  ownMishaps(): Mishaps {
    if (this.mishaps === NO_MISHAPS) this.mishaps = new Mishaps();
    return this.mishaps;
  }
}

/** What the core has asked for, and when. */
export interface Killing {
  readonly then: KillThen;
  readonly why: Why;
  readonly since: Instant;
}

export class AttemptRecord implements Attempt {
  readonly id: AttemptId;
  readonly task: TaskId;
  readonly node: NodeId;
  readonly as: AttemptKind;
  readonly launchedAt: Instant;
  readonly record: TaskRecord;
  readonly host: NodeRecord;
  readonly kind: SlotKind;
  state: AttemptState = "assumed";
  // The interface has these optional; a class that always holds them keeps one shape.
  declare startedAt?: Instant;
  declare endedAt?: Instant;
  /** The host has said that it has begun. */
  confirmed = false;
  progress: ProgressSource | undefined;
  /** The core has asked for its end. */
  killing: Killing | undefined;
  reports: ReportedProgress[] | undefined;
  stages: StageEntry[] | undefined;

  constructor(
    id: AttemptId,
    record: TaskRecord,
    host: NodeRecord,
    kind: SlotKind,
    as: AttemptKind,
    at: Instant,
  ) {
    this.id = id;
    this.task = record.id;
    this.node = host.id;
    this.as = as;
    this.launchedAt = at;
    this.record = record;
    this.host = host;
    this.kind = kind;
  }

  get holdsSlot(): boolean {
    return this.state === "assumed" || this.state === "running" || this.state === "dying";
  }
}

export class NodeRecord {
  readonly id: NodeId;
  node: Node;
  joined = true;
  silentSince: Instant | undefined;
  /** Free slots that were offered and not taken, by kind; handed to policies as they are. */
  readonly free: { kind: SlotKind; count: number }[];
  readonly running: AttemptRecord[] = [];
  /** The round in which its free slots were last asked about. */
  askedIn: number | undefined;
  /** Succeeded attempts, each with a score of 1. */
  succeeded = 0;
  /** Finished tasks, of phases that others read, whose output is here. */
  readonly outputs = new Set<TaskRecord>();

  constructor(node: Node, kinds: readonly SlotKind[]) {
    this.id = node.id;
    this.node = node;
    this.free = kinds.map((kind) => ({ kind, count: 0 }));
  }

  /** Whether something may be launched here now. */
  get usable(): boolean {
    return this.joined && this.silentSince === undefined;
  }
}

export interface RequestRecord extends Request {
  readonly record: TaskRecord;
}
