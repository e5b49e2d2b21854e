import { assert, defined } from "../../base/assert.ts";
import { compact } from "../../base/compact.ts";
import { numbersOf } from "../../base/numbers-of.ts";
import { ascending } from "../../base/order.ts";
import { ATTEMPT_KINDS, type AttemptKind } from "../../model/attempt.ts";
import {
  type AttemptId,
  attemptId,
  instant,
  type NodeId,
  nodeId,
  type RequestId,
  requestId,
  type SlotKind,
  slotKind,
  type TaskId,
  taskId,
} from "../../model/ids.ts";
import type { EvenWork } from "./even-work.ts";
import type { FixedRun } from "./fixed-run.ts";
import type { Arriving, End, LaunchAction, Row, SimAttempt, SimPhase } from "./state.ts";

const ROW_BYTES = 64;

/** The doubles of a row. */
const DOUBLES = ROW_BYTES / 8;
const STARTED_AT = 0;
const TOTAL_MS = 1;
const SPEED = 2;
const BYTES = 3;

/** The integers, behind the doubles. */
const INTEGERS = ROW_BYTES / 4;
const ID = 8;
/** In a free row: the node's next free row. */
const TASK = 9;
const NODE = 10;
const HANDLE = 11;
const REQUEST = 12;
const ORDINAL = 13;
const COPIES = 14;
const NONE = -1;

/** The last four bytes. */
const AS = 60;
const SLOT = 61;
/** An index of `ENDS`. */
const END = 62;
const ENDS: readonly (End | undefined)[] = [undefined, "succeeded", "failed", "killed", "evicted"];
const END_NUMBERS: Readonly<Record<End, number>> = {
  succeeded: 1,
  failed: 2,
  killed: 3,
  evicted: 4,
};
const KIND_NUMBERS = numbersOf(ATTEMPT_KINDS);
const FLAGS = 63;
const ARRIVED = 1;
const BEGUN = 2;
const SLOWED = 4;
const BEHIND = 8;

/**
 * The attempts that hold a slot, from their launch until the scheduler learns of their end: a row
 * for each slot of the cluster. Rows are reused, ids are not. A row holds everything about an
 * attempt whose work is even; any other attempt also has an object.
 */
export class AttemptRows {
  readonly #doubles: Float64Array;
  readonly #integers: Int32Array;
  readonly #bytes: Uint8Array;
  /** The first row of each node; the last item is the number of rows. */
  readonly #firsts: readonly number[];
  /** The first free row of each node. */
  readonly #free: Int32Array;
  readonly #phases: (SimPhase | undefined)[];
  readonly #behind: (FixedRun | SimAttempt | undefined)[];

  /** `slots`: the slots of each node, in the order of the nodes' ids. */
  constructor(slots: readonly number[]) {
    let rows = 0;
    this.#firsts = [0, ...slots.map((count) => (rows += count))];
    const buffer = new ArrayBuffer(rows * ROW_BYTES);
    this.#doubles = new Float64Array(buffer);
    this.#integers = new Int32Array(buffer);
    this.#bytes = new Uint8Array(buffer);
    this.#phases = new Array<undefined>(rows).fill(undefined);
    this.#behind = new Array<undefined>(rows).fill(undefined);
    this.#free = new Int32Array(slots.length).fill(NONE);
    for (const node of slots.keys()) {
      const { first, end } = this.#rowsOf(node);
      for (let row = end - 1; row >= first; row -= 1) {
        this.#put(row, NODE, node);
        this.#release(row);
      }
    }
  }

  /** Gives a launched attempt one of its node's rows. */
  enter({ attempt, task, as, node, request, slot }: LaunchAction, phase: SimPhase): Row {
    const row = this.#free[node] ?? NONE;
    assert(row !== NONE, "a node has a row for each of its slots");
    this.#free[node] = this.#get(row, TASK);
    this.#put(row, ID, attempt);
    this.#put(row, TASK, task);
    this.#put(row, HANDLE, NONE);
    this.#put(row, REQUEST, request ?? NONE);
    const bytes = row * ROW_BYTES;
    this.#bytes[bytes + AS] = KIND_NUMBERS[as];
    this.#bytes[bytes + SLOT] = slot;
    this.#bytes[bytes + END] = 0;
    this.#bytes[bytes + FLAGS] = 0;
    this.#phases[row] = phase;
    return row;
  }

  leave(row: Row): void {
    assert(this.#get(row, ID) !== NONE, "an attempt leaves its node once");
    if (this.#has(row, BEHIND)) this.#behind[row] = undefined;
    this.#release(row);
  }

  #release(row: Row): void {
    const node = this.#get(row, NODE);
    this.#put(row, ID, NONE);
    this.#put(row, TASK, this.#free[node] ?? NONE);
    this.#free[node] = row;
  }

  /**
   * Visits the attempts on a node in the order of their launches, except those that are gone when
   * their turn comes. COST: O(slots of the node).
   */
  each(node: NodeId, visit: (row: Row) => void): void {
    const live: { readonly id: AttemptId; readonly row: Row }[] = [];
    const { first, end } = this.#rowsOf(node);
    for (let row = first; row < end; row += 1) {
      if (this.#get(row, ID) !== NONE) live.push({ id: this.id(row), row });
    }
    live.sort(byId);
    for (const { id, row } of live) if (this.id(row) === id) visit(row);
  }

  /** COST: O(slots of the node). */
  find(node: NodeId, id: AttemptId): Row | undefined {
    const { first, end } = this.#rowsOf(node);
    for (let row = first; row < end; row += 1) if (this.#get(row, ID) === id) return row;
    return undefined;
  }

  #rowsOf(node: number): { readonly first: number; readonly end: number } {
    const first = defined(this.#firsts[node], "a node");
    return { first, end: defined(this.#firsts[node + 1], "the end of a node's rows") };
  }

  id(row: Row): AttemptId {
    return attemptId(this.#get(row, ID));
  }

  task(row: Row): TaskId {
    return taskId(this.#get(row, TASK));
  }

  node(row: Row): NodeId {
    return nodeId(this.#get(row, NODE));
  }

  as(row: Row): AttemptKind {
    return defined(ATTEMPT_KINDS[this.#byte(row, AS)], "a kind of attempt");
  }

  slot(row: Row): SlotKind {
    return slotKind(this.#byte(row, SLOT));
  }

  request(row: Row): RequestId | undefined {
    const request = this.#get(row, REQUEST);
    return request === NONE ? undefined : requestId(request);
  }

  phase(row: Row): SimPhase {
    return defined(this.#phases[row], "the phase of an attempt");
  }

  /** The attempt comes to its node; `before` counts the task's earlier attempts and copies. */
  arrive(row: Row, before: Pick<Arriving, "ordinal" | "copies">): void {
    this.#put(row, ORDINAL, before.ordinal);
    this.#put(row, COPIES, before.copies);
    this.#set(row, ARRIVED);
  }

  hasArrived(row: Row): boolean {
    return this.#has(row, ARRIVED);
  }

  arriving(row: Row): Arriving {
    return {
      index: this.#get(row, TASK) - this.phase(row).first,
      ordinal: this.#get(row, ORDINAL),
      as: this.as(row),
      copies: this.#get(row, COPIES),
    };
  }

  /** The attempt's entry in the agenda: its beginning while it waits on its node, then its end. */
  handle(row: Row): number | undefined {
    const handle = this.#get(row, HANDLE);
    return handle === NONE ? undefined : handle;
  }

  setHandle(row: Row, handle: number | undefined): void {
    this.#put(row, HANDLE, handle ?? NONE);
  }

  /**
   * The attempt runs from now on; an object beside its row describes the run. See also `goEvenly`.
   */
  begin(row: Row): void {
    this.#set(row, BEGUN);
  }

  goEvenly(row: Row, work: EvenWork): void {
    const doubles = row * DOUBLES;
    this.#doubles[doubles + STARTED_AT] = work.startedAt;
    this.#doubles[doubles + TOTAL_MS] = work.totalMs;
    this.#doubles[doubles + SPEED] = work.speed;
    this.#doubles[doubles + BYTES] = work.bytesRead;
    if (work.slowedByNode) this.#set(row, SLOWED);
  }

  evenWork(row: Row): EvenWork {
    return {
      startedAt: instant(this.#double(row, STARTED_AT)),
      totalMs: this.#double(row, TOTAL_MS),
      speed: this.#double(row, SPEED),
      slowedByNode: this.#has(row, SLOWED),
      bytesRead: this.bytes(row),
    };
  }

  /** The size of the attempt's output, if it succeeds. */
  bytes(row: Row): number {
    return compact(this.#double(row, BYTES));
  }

  setBytes(row: Row, bytes: number): void {
    this.#doubles[row * DOUBLES + BYTES] = bytes;
  }

  /** The run of an attempt whose work is fixed but not even; an attempt whose work flows. */
  behind(row: Row): FixedRun | SimAttempt | undefined {
    return this.#has(row, BEHIND) ? this.#behind[row] : undefined;
  }

  setBehind(row: Row, behind: FixedRun | SimAttempt): void {
    this.#behind[row] = behind;
    this.#set(row, BEHIND);
  }

  end(row: Row, how: End): void {
    const behind = this.behind(row);
    if (behind?.kind === "flowing") behind.end = how;
    this.#bytes[row * ROW_BYTES + END] = END_NUMBERS[how];
  }

  /** undefined: the attempt has not ended. */
  ended(row: Row): End | undefined {
    return ENDS[this.#byte(row, END)];
  }

  isRunning(row: Row): boolean {
    return this.#has(row, BEGUN) && this.#byte(row, END) === 0;
  }

  #double(row: Row, cell: number): number {
    return this.#doubles[row * DOUBLES + cell]!;
  }

  #get(row: Row, cell: number): number {
    return this.#integers[row * INTEGERS + cell]!;
  }

  #put(row: Row, cell: number, value: number): void {
    this.#integers[row * INTEGERS + cell] = value;
  }

  #byte(row: Row, cell: number): number {
    return this.#bytes[row * ROW_BYTES + cell]!;
  }

  #has(row: Row, flag: number): boolean {
    return (this.#byte(row, FLAGS) & flag) !== 0;
  }

  #set(row: Row, flag: number): void {
    this.#bytes[row * ROW_BYTES + FLAGS] = this.#byte(row, FLAGS) | flag;
  }
}

const byId = ascending<{ readonly id: AttemptId }>(({ id }) => id);
