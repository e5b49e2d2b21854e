import { assert, defined } from "../../base/assert.ts";
import { type NodeId, nodeId, type TaskId } from "../../model/ids.ts";
import type { TaskList } from "../../model/job.ts";
import type { StoredOutput } from "./state.ts";

/** No output, no place. */
const NONE = -1;

// What a reader knows of an output.
const UNKNOWN = 0;
const QUEUED = 1;
const COMING = 2;
const FETCHED = 3;

/**
 * The outputs that a reader wants, and the nodes at which they are queued, in columns: a reader of
 * thousands of outputs on thousands of nodes has no object for each.
 */
export class WantedOutputs {
  /** The first task of each phase that is read; the ids of a phase's tasks follow one another. */
  readonly #firsts: readonly number[];
  /** Where each phase's outputs begin in the columns, and at last how many there are. */
  readonly #offsets: readonly number[];
  readonly #states: Uint8Array;
  readonly #outputs: (StoredOutput | undefined)[];
  /** The node at which an output is queued, and the next output there. */
  readonly #nodes: Int32Array;
  readonly #nexts: Int32Array;
  /** By node: the first and the last output queued there, and whether any ever was. */
  readonly #heads: Int32Array;
  readonly #tails: Int32Array;
  readonly #known: Uint8Array;
  #missing: number;

  constructor(upstream: readonly TaskList[], nodes: number) {
    const lists = upstream.filter(({ length }) => length > 0);
    const offsets = [0];
    for (const { length } of lists) offsets.push((offsets.at(-1) ?? 0) + length);
    const count = offsets.at(-1) ?? 0;
    this.#firsts = lists.map(firstOf);
    this.#offsets = offsets;
    this.#states = new Uint8Array(count);
    this.#outputs = new Array<StoredOutput | undefined>(count);
    this.#nodes = new Int32Array(count);
    this.#nexts = new Int32Array(count);
    this.#heads = new Int32Array(nodes).fill(NONE);
    this.#tails = new Int32Array(nodes).fill(NONE);
    this.#known = new Uint8Array(nodes);
    this.#missing = count;
  }

  get count(): number {
    return this.#states.length;
  }

  /** The number of outputs that are not fetched yet. */
  get missing(): number {
    return this.#missing;
  }

  isMissing(task: TaskId): boolean {
    const place = this.#placeOf(task);
    return place !== NONE && this.#states[place] !== FETCHED;
  }

  isComing(task: TaskId): boolean {
    return this.#states[this.#placeOf(task)] === COMING;
  }

  /** Whether an output was ever queued at the node, since the node was last forgotten. */
  isKnown(node: NodeId): boolean {
    return this.#known[node] === 1;
  }

  hasQueued(node: NodeId): boolean {
    return this.#heads[node] !== NONE;
  }

  /** The outputs that are queued at the node, in order. */
  queuedAt(node: NodeId): StoredOutput[] {
    const queued: StoredOutput[] = [];
    for (let place = this.#heads[node]!; place !== NONE; place = this.#nexts[place]!) {
      queued.push(this.#outputs[place]!);
    }
    return queued;
  }

  queue(node: NodeId, output: StoredOutput): void {
    const place = this.#placeOf(output.task);
    this.#states[place] = QUEUED;
    this.#outputs[place] = output;
    this.#nodes[place] = node;
    this.#nexts[place] = NONE;
    const tail = this.#tails[node]!;
    if (tail === NONE) this.#heads[node] = place;
    else this.#nexts[tail] = place;
    this.#tails[node] = place;
    this.#known[node] = 1;
  }

  /** Takes an output out of its queue. Returns the node, or undefined if it is in no queue. */
  unqueue(task: TaskId): NodeId | undefined {
    const place = this.#placeOf(task);
    if (this.#states[place] !== QUEUED) return undefined;
    const node = nodeId(this.#nodes[place]!);
    let before = NONE;
    for (let at = this.#heads[node]!; at !== place; at = this.#nexts[at]!) before = at;
    const next = this.#nexts[place]!;
    if (before === NONE) this.#heads[node] = next;
    else this.#nexts[before] = next;
    if (next === NONE) this.#tails[node] = before;
    this.#states[place] = UNKNOWN;
    return node;
  }

  /** Takes all outputs from the node's queue: they are coming. */
  take(node: NodeId): StoredOutput[] {
    const taken = this.queuedAt(node);
    for (const { task } of taken) this.#states[this.#placeOf(task)] = COMING;
    this.#heads[node] = NONE;
    this.#tails[node] = NONE;
    return taken;
  }

  /** Forgets that an output was coming, or that a node was known. */
  lose(task: TaskId): void {
    this.#states[this.#placeOf(task)] = UNKNOWN;
  }

  forget(node: NodeId): void {
    this.#known[node] = 0;
  }

  fetched(task: TaskId): void {
    const place = this.#placeOf(task);
    if (this.#states[place] !== FETCHED) this.#missing -= 1;
    this.#states[place] = FETCHED;
    this.#outputs[place] = undefined;
  }

  #placeOf(task: TaskId): number {
    for (let phase = 0; phase < this.#firsts.length; phase += 1) {
      const offset = this.#offsets[phase]!;
      const place = task - this.#firsts[phase]! + offset;
      if (place >= offset && place < this.#offsets[phase + 1]!) return place;
    }
    return NONE;
  }
}

function firstOf(tasks: TaskList): TaskId {
  const first = defined(tasks.at(0), "a first task").id;
  const last = defined(tasks.at(tasks.length - 1), "a last task").id;
  assert(last - first === tasks.length - 1, "the ids of a phase's tasks follow one another");
  return first;
}
