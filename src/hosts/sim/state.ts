import { assert } from "../../base/assert.ts";
import type { RandomState } from "../../base/random.ts";
import type { Action } from "../../model/action.ts";
import type { AttemptKind } from "../../model/attempt.ts";
import type { Node, SlotCounts } from "../../model/cluster.ts";
import type { Kill } from "../../model/fault.ts";
import type { AttemptId, Instant, NodeId, SlotKind, TaskId } from "../../model/ids.ts";
import type { Phase, Task, TaskList } from "../../model/job.ts";
import type { ProgressCurve } from "../../model/progress.ts";
import { FreeSlots } from "./free-slots.ts";
import type { RunningLoad } from "./load.ts";
import type { Machine } from "./machine.ts";
import type { Profile } from "./profile.ts";
import { ReadyOutputs } from "./ready-outputs.ts";
import type { MapWork, ReduceWork } from "./scenario.ts";
import type { SlotLife } from "./slot-life.ts";

export type KillWhat = NonNullable<Kill["what"]>;

const NO_ROWS: readonly Row[] = [];

/** The true state of a node, whether the scheduler knows it or not. */
export class SimNode {
  // The fields that each attempt touches come first, to lie together in memory.
  readonly id: NodeId;
  health: "up" | "paused" | "dead" = "up";
  diskFull = false;
  /** The time of the node's last message to the scheduler. */
  lastContact = 0;
  /** Free slots, as the scheduler may know them. */
  #free: number;
  readonly #offers: FreeSlots;
  /**
   * The attempts that have ended since the last heartbeat; they still hold slots. All nodes share
   * one empty list: `addUnreported` makes the node's own.
   */
  unreported: readonly Row[] = NO_ROWS;
  /** Present only where slots come and go. */
  readonly life: SlotLife | undefined;
  /** The node, with the most slots of each kind that it has at one time. */
  readonly node: Node;
  /** How many times slower than normal the node is by nature. */
  readonly factor: number;
  slow = 1;
  stress = 1;

  /** The node's share of a machine; present only where tasks read, compute and write. */
  readonly machine: Machine | undefined;
  /** The time of the first heartbeat; others follow at each interval. */
  readonly firstBeat: number;
  /** Which part of the node is dead; meaningful while `health` is `dead`. */
  dead: KillWhat = "machine";
  /** Whether the machine has died with its files: its input replicas are gone for ever. */
  emptied = false;
  pausedUntil = 0;
  /** Whether the scheduler knows the node as silent. */
  silent = false;
  /** Whether the scheduler has given the node up. */
  lost = false;
  /** Attempts launched while the node did not listen. */
  readonly undelivered: Row[] = [];
  beatPending = false;
  /** The outputs that really are on the node's disk. */
  readonly outputs = new Set<StoredOutput>();
  /** Whether the node has lost outputs that readers may still ask for. */
  hasLostOutputs = false;
  /** The attempts that read an input block from the node, or write an output block to it. */
  readonly serves = new Set<SimAttempt>();
  /** Copies of outputs on their way to the node. */
  copiesComing = 0;
  /** Other programs on the node, by the fault that started them. */
  readonly loads = new Map<object, RunningLoad>();
  /** Tasks whose first attempt must run here, and has not been launched. */
  readonly awaited = new Set<TaskId>();

  constructor(
    node: Node,
    nature: {
      readonly factor: number;
      readonly firstBeat: number;
      readonly machine: Machine | undefined;
      readonly life?: SlotLife | undefined;
      /** Shared by all nodes with the same slots; if left out, the node has its own. */
      readonly offers?: FreeSlots;
    },
  ) {
    this.id = node.id;
    this.node = node;
    this.factor = nature.factor;
    this.firstBeat = nature.firstBeat;
    this.machine = nature.machine;
    this.life = nature.life;
    this.#offers = nature.offers ?? new FreeSlots(node.slots);
    // The scheduler does not know the node before its first slot comes.
    this.lost = this.joinsAtMs > 0;
    this.#free = this.#offers.all;
  }

  /** Input blocks being read from the node, and output blocks being written to it. */
  get blocksServed(): number {
    return this.serves.size;
  }

  /** How many times slower than normal the node is now, if it runs. */
  get slowness(): number {
    return this.factor * this.slow * this.stress;
  }

  /** Whether the machine works: it still does where only its tracker is dead. */
  get machineIsOn(): boolean {
    return this.health === "up" || (this.health === "dead" && this.dead === "tracker");
  }

  /** Whether the node still has its input replicas, even if it may be slow to answer. */
  get hasInput(): boolean {
    return !this.emptied && (this.health !== "dead" || this.dead === "tracker");
  }

  /** A launch takes a slot. */
  take(kind: SlotKind): void {
    assert(this.#offers.count(this.#free, kind) > 0, "a launch is on a node with a free slot");
    this.#free -= this.#offers.unit(kind);
  }

  /** A slot is free again. */
  give(kind: SlotKind): void {
    this.#free += this.#offers.unit(kind);
  }

  addUnreported(row: Row): void {
    this.unreported = [...this.unreported, row];
  }

  /** Takes the first attempt off the list of unreported attempts. */
  takeUnreported(): Row | undefined {
    const [first] = this.unreported;
    if (first !== undefined) this.dropUnreported(first);
    return first;
  }

  /** Takes the attempt off the list of unreported attempts. */
  dropUnreported(row: Row): void {
    const left = this.unreported.filter((other) => other !== row);
    this.unreported = left.length === 0 ? NO_ROWS : left;
  }

  clearUnreported(): void {
    this.unreported = NO_ROWS;
  }

  unload(startedBy: object, now: number): void {
    this.loads.get(startedBy)?.stop(now);
    this.loads.delete(startedBy);
  }

  /** The amount of fixed work done per millisecond. */
  speed(slowed: boolean): number {
    if (this.health !== "up") return 0;
    return slowed ? 1 / this.slowness : 1;
  }

  freeAll(): void {
    this.#free = this.#offers.all;
  }

  get joinsAtMs(): number {
    return this.life?.joinsAtMs ?? 0;
  }

  /** The slots that exist now. */
  slotsAt(now: number): SlotCounts {
    const { awaited, life, node } = this;
    if (life === undefined) return node.slots;
    return node.slots.map(({ kind }) => {
      return { kind, count: life.present(kind, now, awaited.size > 0) };
    });
  }

  freeSlots(now: number): SlotCounts {
    const { node } = this;
    if (this.life === undefined) return this.#offers.list(this.#free);
    return this.slotsAt(now).map(({ kind, count: present }) => {
      const most = node.slots.find((slots) => slots.kind === kind)?.count ?? 0;
      const held = most - this.#offers.count(this.#free, kind);
      return { kind, count: Math.max(0, present - held) };
    });
  }
}

/** The output of a finished task of a phase with readers. */
export interface StoredOutput {
  readonly task: TaskId;
  readonly bytes: number;
  /**
   * Nodes that the scheduler believes to hold the output; `SimNode.outputs` says which really do.
   */
  readonly believed: SimNode[];
}

/** One attempt of a task, when it comes to its node. */
export interface Arriving {
  /** The task's index within its phase. */
  readonly index: number;
  /** The number of the task's attempts that came to their nodes before, copies among them. */
  readonly ordinal: number;
  readonly as: AttemptKind;
  /** The number of copies among these attempts. */
  readonly copies: number;
}

/** The work of a phase's tasks. */
export type PhaseWork =
  | {
      readonly kind: "fixed";
      /** Drawn when the attempt begins. */
      profile(attempt: Arriving): Profile;
      /** Milliseconds on the node before the attempt begins; none if left out. */
      waitMs?(attempt: Arriving, now: Instant): number;
    }
  | { readonly kind: "map"; readonly spec: MapWork; readonly inputBytes: readonly number[] }
  | { readonly kind: "reduce"; readonly spec: ReduceWork; readonly shares: readonly number[] };

/** A phase with the simulator's own records of it. */
export class SimPhase {
  readonly phase: Phase;
  readonly work: PhaseWork;
  readonly upstream: readonly SimPhase[];
  readonly readers: SimPhase[] = [];
  readonly failureProbability: number;
  /** The random stream from which the streams of the phase's attempts are split. */
  readonly stream: RandomState;
  /** Attempts launched so far, by the task's index. */
  readonly launches: Uint16Array;
  /**
   * Speculative attempts launched so far, by the task's index; tasks without copies are missing.
   */
  readonly copies = new Map<number, number>();
  /** The id of the first task; the other tasks' ids follow. */
  readonly first: number;
  /** The tasks whose first attempt may run on one node only. */
  readonly pinned: readonly Task[];
  /** Tasks that have not finished once. */
  unfinished: number;
  /** Attempts that hold a slot until all that the phase reads is done. */
  readonly held = new Set<Row>();
  /** The attempts that fetch. */
  readonly fetching = new Set<FlowingRun>();
  /** The outputs that these attempts may fetch; present only in phases that fetch. */
  readonly ready: ReadyOutputs<StoredOutput> | undefined;

  constructor(made: {
    readonly phase: Phase;
    readonly work: PhaseWork;
    readonly upstream: readonly SimPhase[];
    readonly failureProbability: number;
    readonly stream: RandomState;
  }) {
    this.phase = made.phase;
    this.work = made.work;
    this.upstream = made.upstream;
    this.failureProbability = made.failureProbability;
    this.stream = made.stream;
    const { tasks } = made.phase;
    this.launches = new Uint16Array(tasks.length);
    this.unfinished = tasks.length;
    this.first = tasks.at(0)?.id ?? 0;
    this.pinned = pinnedOf(tasks);
    const { upstream, work } = made;
    if (work.kind === "reduce") this.ready = new ReadyOutputs(upstream.map(tasksOf));
    for (const phase of made.upstream) phase.readers.push(this);
  }

  has(task: TaskId): boolean {
    return task >= this.first && task < this.first + this.launches.length;
  }
}

const tasksOf = ({ phase }: SimPhase): TaskList => phase.tasks;

const pinnedOf = (tasks: TaskList): readonly Task[] =>
  tasks.areUnplaced === true ? [] : [...tasks].filter(({ firstOn }) => firstOn !== undefined);

export type LaunchAction = Extract<Action, { readonly kind: "launch" }>;

/** How an attempt ended on its node: `killed` by the scheduler's order, `evicted` by the host. */
export type End = "succeeded" | "failed" | "killed" | "evicted";

/** The row of an attempt that holds a slot: see `AttemptRows`. */
export type Row = number;

/** An attempt whose work flows, from its launch until the scheduler learns of its end. */
export class SimAttempt {
  readonly id: AttemptId;
  readonly row: Row;
  readonly task: Task;
  readonly phase: SimPhase;
  readonly node: SimNode;
  /** The attempt's index among those whose work flows: the subject of its entries in the agenda. */
  place = 0;
  startedAt = 0;
  /** Undefined until the attempt begins. */
  run: FlowingRun | undefined = undefined;
  end: End | undefined = undefined;

  constructor(from: Pick<SimAttempt, "id" | "row" | "task" | "phase" | "node">) {
    this.id = from.id;
    this.row = from.row;
    this.task = from.task;
    this.phase = from.phase;
    this.node = from.node;
  }

  get kind(): "flowing" {
    return "flowing";
  }
}

/** How work that flows ends by itself. */
export type SimEnd =
  | { readonly how: "succeeded"; readonly bytes: number }
  | { readonly how: "failed" };

/** An attempt that reads, computes and writes on shared disks, links and cores. */
export interface FlowingRun {
  /** Its progress so far, and at its current rate. */
  curve(): ProgressCurve;
  begin(): void;
  report(): void;
  retry(): void;
  outputIsReady(): void;
  nodeDied(node: SimNode): void;
  nodeGivenUp(node: SimNode): void;
  outputsGone(node: SimNode): void;
  diskFilled(): void;
  speedChanged(): void;
  reportProgress(): void;
  stop(): void;
}
