import { type NodeId, nodeId, type SlotKind } from "../../model/ids.ts";

// A row: three numbers, then three for each kind of slot, then the rows of the running attempts.
const ASKED_IN = 0;
const SUCCEEDED = 1;
const RUNNING = 2;
const KINDS_FROM = 3;
const FREE = 0;
const BEFORE = 1;
const AFTER = 2;
const PER_KIND = 3;

const NODES_MIN = 16;
const RUNNING_MIN = 10;

/** Stands for "no node". */
export const NO_NODE = -1;

/**
 * The fields of nodes that many steps change: a row for each node id. For each kind of slot, a list
 * of nodes runs through the rows, in the order in which the nodes were listed. Only this file knows
 * where a field lies.
 */
export class NodeTable {
  readonly #kinds: number;
  readonly #runningFrom: number;
  #cells = new Int32Array(0);
  #nodes = 0;
  /** The most attempts that a row has room for. */
  #width = RUNNING_MIN;
  #stride: number;
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #listed: Int32Array;

  constructor(kinds: number) {
    this.#kinds = kinds;
    this.#runningFrom = KINDS_FROM + PER_KIND * kinds;
    this.#stride = this.#runningFrom + this.#width;
    this.#first = new Int32Array(kinds).fill(NO_NODE);
    this.#last = new Int32Array(kinds).fill(NO_NODE);
    this.#listed = new Int32Array(kinds);
  }

  add(node: NodeId): void {
    if (node >= this.#nodes) this.#relay(Math.max(NODES_MIN, 2 * node + 1), this.#width);
  }

  /** Whether the node is asked for the first time in the round, and notes it. */
  askIn(node: NodeId, round: number): boolean {
    const at = node * this.#stride + ASKED_IN;
    if (this.#cells[at] === round) return false;
    this.#cells[at] = round;
    return true;
  }

  succeeded(node: NodeId): number {
    return this.#cells[node * this.#stride + SUCCEEDED]!;
  }

  setSucceeded(node: NodeId, count: number): void {
    this.#cells[node * this.#stride + SUCCEEDED] = count;
  }

  countSuccess(node: NodeId): void {
    this.#cells[node * this.#stride + SUCCEEDED]! += 1;
  }

  free(node: NodeId, kind: SlotKind): number {
    return this.#cells[this.#at(node, kind) + FREE]!;
  }

  setFree(node: NodeId, kind: SlotKind, count: number): void {
    this.#cells[this.#at(node, kind) + FREE] = count;
  }

  /** The first node in the kind's list, or -1. */
  first(kind: SlotKind): number {
    return this.#first[kind]!;
  }

  /** The next node in the kind's list, or -1. */
  after(node: number, kind: SlotKind): number {
    return this.#cells[this.#at(node, kind) + AFTER]!;
  }

  /** How many nodes the kind's list has. */
  listed(kind: SlotKind): number {
    return this.#listed[kind]!;
  }

  /** The nodes in the kind's list; a loop's current node may be removed. */
  *each(kind: SlotKind): Generator<NodeId, void> {
    for (let node = this.first(kind); node !== NO_NODE; ) {
      const next = this.after(node, kind);
      yield nodeId(node);
      node = next;
    }
  }

  /** Adds the node at the end of the kind's list. */
  list(node: NodeId, kind: SlotKind): void {
    const cells = this.#cells;
    const last = this.#last[kind]!;
    const at = this.#at(node, kind);
    cells[at + BEFORE] = last;
    cells[at + AFTER] = NO_NODE;
    if (last === NO_NODE) this.#first[kind] = node;
    else cells[this.#at(last, kind) + AFTER] = node;
    this.#last[kind] = node;
    this.#listed[kind] = this.#listed[kind]! + 1;
  }

  takeOut(node: NodeId, kind: SlotKind): void {
    const cells = this.#cells;
    const at = this.#at(node, kind);
    const before = cells[at + BEFORE]!;
    const after = cells[at + AFTER]!;
    if (before === NO_NODE) this.#first[kind] = after;
    else cells[this.#at(before, kind) + AFTER] = after;
    if (after === NO_NODE) this.#last[kind] = before;
    else cells[this.#at(after, kind) + BEFORE] = before;
    this.#listed[kind] = this.#listed[kind]! - 1;
  }

  /** The rows of the attempts that hold a slot of the node, in launch order. */
  running(node: NodeId): readonly number[] {
    const from = node * this.#stride + this.#runningFrom;
    const end = from + this.#cells[node * this.#stride + RUNNING]!;
    const rows: number[] = [];
    for (let at = from; at < end; at += 1) rows.push(this.#cells[at]!);
    return rows;
  }

  launched(node: NodeId, row: number): void {
    const count = this.#cells[node * this.#stride + RUNNING]!;
    if (count === this.#width) this.#relay(this.#nodes, this.#width * 2);
    const at = node * this.#stride;
    this.#cells[at + this.#runningFrom + count] = row;
    this.#cells[at + RUNNING] = count + 1;
  }

  ended(node: NodeId, row: number): void {
    const cells = this.#cells;
    const at = node * this.#stride;
    const left = cells[at + RUNNING]! - 1;
    cells[at + RUNNING] = left;
    let place = at + this.#runningFrom;
    const end = place + left;
    while (cells[place] !== row) place += 1;
    for (; place < end; place += 1) cells[place] = cells[place + 1]!;
  }

  #at(node: number, kind: SlotKind): number {
    return node * this.#stride + KINDS_FROM + PER_KIND * kind;
  }

  /** Lays the rows out again for `nodes` nodes with room for `width` attempts each. */
  #relay(nodes: number, width: number): void {
    const stride = KINDS_FROM + PER_KIND * this.#kinds + width;
    const cells = new Int32Array(nodes * stride);
    const filled = this.#runningFrom + this.#width;
    for (let node = 0; node < this.#nodes; node += 1) {
      const from = node * this.#stride;
      cells.set(this.#cells.subarray(from, from + filled), node * stride);
    }
    this.#cells = cells;
    this.#nodes = nodes;
    this.#width = width;
    this.#stride = stride;
  }
}
