import { Table } from "../../base/table.ts";
import type { LinkSample } from "../../model/event.ts";
import {
  type Instant,
  instant,
  type JobId,
  type SlotKind,
  slotKind,
  type TaskId,
} from "../../model/ids.ts";
import { NodeScores } from "../statistics/node-scores.ts";
import { Crossings } from "./crossings.ts";
import { FreeLists } from "./free-lists.ts";
import { KnownAttempts } from "./known-attempts.ts";
import type { NodeRecord } from "./node-record.ts";
import { NodeTable } from "./node-table.ts";
import { OfferTally } from "./offer-tally.ts";
import type {
  AttemptRecord,
  JobRecord,
  PhaseRecord,
  RequestRecord,
  TaskRecord,
} from "./records.ts";
import type { Setup } from "./setup.ts";
import { type Share, SlotUse } from "./share.ts";

/** The next free slot of the kind on the node goes to the task, while the task waits. */
export interface KeptSlot {
  readonly task: TaskRecord;
  readonly node: NodeRecord;
  readonly kind: SlotKind;
}

/** Everything that changes, except the policies' memories. */
export class State {
  now: Instant = instant(0);
  readonly setup: Setup;
  /** Whether running tasks keep their records, because policies look at them again and again. */
  keepsRunning = false;
  readonly kinds: readonly SlotKind[];
  readonly jobs = new Map<JobId, JobRecord>();
  /** Jobs that sharing has not admitted yet. */
  readonly outside = new Set<JobRecord>();
  /** Jobs that have not ended. */
  live = 0;
  readonly phases = new Table<PhaseRecord>();
  /** The records that are kept: those that say more than their phase does (task-record.ts). */
  readonly tasks = new Table<TaskRecord>();
  /** Live phases with tasks, in the order of their first tasks' ids. */
  ranges: PhaseRecord[] = [];
  /** The live phase that was found last: tasks of one phase are often asked for in a row. */
  found: PhaseRecord | undefined;
  readonly attempts: KnownAttempts;
  /** Indexed by node id. */
  readonly nodes: (NodeRecord | undefined)[] = [];
  /** Their progress; kept only once a policy asks. */
  readonly nodeScores: NodeScores;
  /** Nodes that have joined and are not lost. */
  joined = 0;
  /** `joined` has changed, and not all jobs may know (cluster-size.ts). */
  hasNewSize = false;
  readonly silent = new Set<NodeRecord>();
  readonly requests = new Map<number, RequestRecord>();
  readonly pools = new Map<string, Share>();
  readonly users = new Map<string, Share>();
  /** Indexed by slot kind. */
  readonly load: SlotUse[];
  /**
   * The nodes' rows. Per kind, they list the nodes with free slots that may be used now, in the
   * order in which they became free.
   */
  readonly nodeTable: NodeTable;
  readonly freeLists: FreeLists;
  /** The free slots of these nodes, per rack and kind. */
  readonly freeCounts: number[][];
  readonly links: (LinkSample | undefined)[] = [];
  /** The steps done. */
  steps = 0;
  nextAttempt = 0;
  nextRequest = 0;
  /**
   * Records that were made in this step, and of tasks whose last attempt has ended: the next step
   * decides what to keep of them.
   */
  readonly touched: TaskRecord[] = [];
  /** Launches that the host refused; forgotten when the next step begins. */
  readonly undone: AttemptRecord[] = [];
  /** Jobs that have ended; forgotten when the next step begins. */
  readonly ended = new Set<JobRecord>();
  /** By task: the slots that waiting tasks get before any policy is asked. */
  readonly keptSlots = new Map<TaskId, KeptSlot>();
  /** Whether a task with replicas has begun to wait since the order last looked. */
  placedBegan = false;
  /** The kinds for which a task has begun to wait since held slots were last asked about. */
  readonly beganToWait = new Set<SlotKind>();
  readonly offered: OfferTally;
  /** The kinds with a slot that was declined in this step: a task prefers another free slot. */
  readonly deferredKinds = new Set<SlotKind>();
  /** Per kind: the time since which a slot has been left although readers hold all others. */
  readonly blockedSince: (Instant | undefined)[] = [];
  /** Live phases whose readers use the same kind of slot. */
  readonly contested = new Set<PhaseRecord>();
  readonly crossings = new Crossings();
  /** Per kind: the time since which all holders of its slots have waited for one another. */
  readonly circleSince: (Instant | undefined)[] = [];
  /** Live phases that wait for the end of their gap. */
  readonly inGap = new Set<PhaseRecord>();

  constructor(setup: Setup) {
    this.setup = setup;
    this.attempts = new KnownAttempts(this);
    this.nodeScores = new NodeScores((id) => {
      const node = this.nodes[id];
      return node === undefined ? undefined : this.attempts.workOn(node);
    });
    this.kinds = setup.slotKinds.map((_, index) => slotKind(index));
    this.load = this.kinds.map(() => new SlotUse());
    this.nodeTable = new NodeTable(this.kinds.length);
    this.freeLists = new FreeLists(this.kinds);
    this.freeCounts = setup.racks.map(() => this.kinds.map(() => 0));
    this.offered = new OfferTally(this.kinds.length);
  }
}
