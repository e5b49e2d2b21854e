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
import type { FreshTasks } from "./fresh-tasks.ts";
import type { PhaseRates } from "./rates.ts";
import type { Setup } from "./setup.ts";
import { WaitingTasks } from "./waiting.ts";

/** Everything that changes, except the policies' memories. */
export class State {
  now: Instant = instant(0);
  readonly setup: Setup;
  readonly kinds: readonly SlotKind[];
  readonly jobs = new Map<JobId, JobRecord>();
  /** Jobs that sharing has not admitted yet. */
  readonly outside = new Set<JobRecord>();
  /** Jobs that have not ended. */
  live = 0;
  readonly phases = new Table<PhaseRecord>();
  /** Fresh tasks, and finished tasks of phases without readers, have no record: see `ranges`. */
  readonly tasks = new Table<TaskRecord>();
  /** Live phases with tasks, in the order of their first tasks' ids. */
  ranges: PhaseRecord[] = [];
  readonly attempts = new Table<AttemptRecord>();
  /** Indexed by node id. */
  readonly nodes: (NodeRecord | undefined)[] = [];
  /** Nodes that have joined and are not lost. */
  joined = 0;
  readonly silent = new Set<NodeRecord>();
  readonly requests = new Map<number, RequestRecord>();
  readonly pools = new Map<string, Share>();
  readonly users = new Map<string, Share>();
  /** Indexed by slot kind. */
  readonly load: SlotUse[];
  /**
   * Per kind, the nodes with free slots that may be used now, in the order in which they became
   * free.
   */
  readonly freeNodes: Set<NodeRecord>[];
  /** The free slots of these nodes, per rack and kind. */
  readonly freeCounts: number[][];
  readonly links: (LinkSample | undefined)[] = [];
  /** The steps done. */
  steps = 0;
  nextAttempt = 0;
  nextRequest = 0;
  /** Tasks whose last attempt has ended; the next step decides what to keep of them. */
  settled: TaskRecord[] = [];
  /** Launches that the host refused; forgotten when the next step begins. */
  undone: AttemptRecord[] = [];
  /** Jobs that have ended; forgotten when the next step begins. */
  readonly ended = new Set<JobRecord>();
  /** Per kind: whether a task has begun to wait since held slots were last asked about. */
  readonly beganToWait: boolean[];
  /** In one node's offer, per kind: the far launches, and 1 once no job took a slot. */
  readonly offered: { readonly far: Uint32Array; readonly left: Uint8Array };
  /** Per kind: whether a slot was left in this step because a task prefers a free one elsewhere. */
  readonly leftForBetter: boolean[];
  /** Per kind: the time since which a slot has been left although readers hold all others. */
  readonly blockedSince: (Instant | undefined)[] = [];
  /** Live phases whose readers use the same kind of slot. */
  readonly contested = new Set<PhaseRecord>();
  /** Live phases that wait for the end of their gap. */
  readonly inGap = new Set<PhaseRecord>();

  constructor(setup: Setup) {
    this.setup = setup;
    this.kinds = setup.slotKinds.map((_, index) => slotKind(index));
    this.load = this.kinds.map(() => new SlotUse());
    this.freeNodes = this.kinds.map(() => new Set());
    this.freeCounts = setup.racks.map(() => this.kinds.map(() => 0));
    this.beganToWait = this.kinds.map(() => false);
    const count = this.kinds.length;
    this.offered = { far: new Uint32Array(count), left: new Uint8Array(count) };
    this.leftForBetter = this.kinds.map(() => false);
  }
}

/** The running and waiting tasks of one slot kind. */
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

/** The slots and tasks of one pool, user or job, per kind. */
export class Share {
  readonly running: number[];
  readonly waiting: number[];
  /** In launch order; ended attempts are skipped, and removed now and then. */
  readonly launched: AttemptRecord[][];
  /** Live jobs; a share without jobs is dropped. */
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
  /** Nodes with too many failures. */
  readonly flaky = new Set<NodeId>();
  /** The number of nodes when the job was last offered a slot. */
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
  /** All phases that this one reads, directly or indirectly. */
  readonly ancestors = new Set<PhaseRecord>();
  readonly readers: PhaseRecord[] = [];
  /** The ancestors that use the same kind of slot. */
  readonly sources: PhaseRecord[] = [];
  /**
   * The reverse of `sources`: phases that hold the slots this phase needs while they wait for it.
   */
  readonly holders: PhaseRecord[] = [];
  /** The id of the first task; the others follow. */
  readonly first: number;
  /** The number of tasks. */
  readonly size: number;
  waitingTasks = new WaitingTasks<TaskRecord>();
  /** Tasks without records; undefined if each task has one from the submission on. */
  fresh: FreshTasks<TaskRecord> | undefined;
  /** In launch order, including some ended attempts. */
  launched: AttemptRecord[] = [];
  readonly speculatedTasks = new Set<TaskRecord>();
  /** Tasks with a running attempt that is not being killed. */
  active = 0;
  /** Active tasks with several attempts that have not ended. */
  manifold = 0;
  /** Done tasks whose output no node holds. */
  readonly missing = new Set<TaskRecord>();
  /** Made when a policy first asks. */
  rates: PhaseRates<AttemptRecord> | undefined;
  /** Rates of succeeded attempts that went from memory before a policy asked. */
  shedRates: number[] = [];
  /** When the phase's gap ends; undefined until the gap begins. */
  beginsAt: Instant | undefined;
  /** Whether the phase's edges have allowed it to begin. */
  begun = false;
  /** Whether the phase's edges allow it now: its tasks wait for slots. */
  ready = false;
  done = 0;
  waiting = 0;
  running = 0;
  requested = 0;
  /** Done tasks that are being recomputed. */
  recomputing = 0;
  /** Recomputing tasks with no word of a new attempt yet. */
  unheard = 0;
  /** Recomputing tasks whose output no node holds. */
  gone = 0;
  /**
   * Input bytes of each of this phase's tasks, by rack: built when the first partitioned output
   * comes.
   */
  inputByRack: Map<RackId, number>[] | undefined;
  inputBytes: number[] | undefined;

  constructor(phase: Phase, job: JobRecord) {
    this.phase = phase;
    this.job = job;
    this.first = phase.tasks.at(0)?.id ?? 0;
    this.size = phase.tasks.length;
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

export const NO_ATTEMPTS: AttemptRecord[] = [];
const NO_NODES: readonly NodeId[] = [];
const NO_HOLDERS: readonly NodeRecord[] = [];

/** Fields that few tasks need: all other tasks share one empty object, to save memory. */
class Mishaps {
  /** The task is done, its output is lost, and it is to be recomputed. */
  recomputing = false;
  /** `recomputing`, with no word of a new attempt yet. */
  unheard = false;
  /** The task is to be recomputed once the attempts that were killed at its success have ended. */
  recomputeDue = false;
  failures = 0;
  /** The nodes where an attempt failed, or from which the task's output could not be read. */
  failedOn: readonly NodeId[] = NO_NODES;
  restarts = 0;
  /** Attempts of the task that were killed and still hold their slots. */
  dying = 0;
  /** Readers' reports of failed fetches, for each copy of the output. */
  fetchReports: Map<NodeRecord, number> | undefined;
}

const NO_MISHAPS: Readonly<Mishaps> = new Mishaps();

export class TaskRecord {
  readonly id: TaskId;
  readonly task: Task;
  readonly phase: PhaseRecord;
  done = false;
  waiting = false;
  /** The number of the task's present stay in the queues. */
  stay = 0;
  /** The order's key for the present stay. */
  key = 0;
  /** The kind of the task's next attempt. */
  next: AttemptKind = "original";
  /** In launch order. */
  attempts: AttemptRecord[] = NO_ATTEMPTS;
  /** Attempts that have not ended. */
  unended = 0;
  /**
   * The first attempt of the present time of work: since its launch the task has always had one.
   */
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

  /** Whether the task still has to succeed. */
  get needed(): boolean {
    return !this.done || this.mishaps.recomputing;
  }

  /** The task's own mishaps, made at the first one. */
  ownMishaps(): Mishaps {
    if (this.mishaps === NO_MISHAPS) this.mishaps = new Mishaps();
    return this.mishaps;
  }
}

/** Why and when the core asked for the end. */
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
  // The interface has these as optional; a class that always declares them keeps one hidden class.
  declare startedAt?: Instant;
  declare endedAt?: Instant;
  /** The host has reported the start. */
  confirmed = false;
  progress: ProgressSource | undefined;
  /** Set once the core has asked for the end. */
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
  /** Free slots that were offered and not taken, by kind; policies get this list itself. */
  readonly free: { kind: SlotKind; count: number }[];
  readonly running: AttemptRecord[] = [];
  /** The round in which this node's free slots were last asked about. */
  askedIn: number | undefined;
  /** Succeeded attempts; each has a score of 1. */
  succeeded = 0;
  /** Finished tasks with readers whose output lies here. */
  readonly outputs = new Set<TaskRecord>();

  constructor(node: Node, kinds: readonly SlotKind[]) {
    this.id = node.id;
    this.node = node;
    this.free = kinds.map((kind) => ({ kind, count: 0 }));
  }

  /** Whether an attempt may be launched here now. */
  get usable(): boolean {
    return this.joined && this.silentSince === undefined;
  }
}

export interface RequestRecord extends Request {
  readonly record: TaskRecord;
}
