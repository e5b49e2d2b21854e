import { type NodeId, nodeId } from "../../model/ids.ts";
import { NONE } from "./ready-outputs.ts";

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
  /** By place. */
  readonly #states: Uint8Array;
  /** The entry by which the reader knows the output, and the node at which it is queued. */
  readonly #entries: Int32Array;
  readonly #nodes: Int32Array;
  /** The next output in the same queue or fetch. */
  readonly #nexts: Int32Array;
  /** By node: the first and the last output queued there, and whether any ever was. */
  readonly #heads: Int32Array;
  readonly #tails: Int32Array;
  readonly #known: Uint8Array;
  #missing: number;

  constructor(count: number, nodes: number) {
    this.#states = new Uint8Array(count);
    this.#entries = new Int32Array(count);
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

  isMissing(place: number): boolean {
    return this.#states[place] !== FETCHED;
  }

  /** Whether the output is there already, or a fetch of it is under way. */
  isComing(place: number): boolean {
    return this.#states[place]! >= COMING;
  }

  entry(place: number): number {
    return this.#entries[place]!;
  }

  /** Whether an output was ever queued at the node, since the node was last forgotten. */
  isKnown(node: NodeId): boolean {
    return this.#known[node] === 1;
  }

  hasQueued(node: NodeId): boolean {
    return this.#heads[node] !== NONE;
  }

  /** The outputs that are queued at the node, in order. */
  queuedAt(node: NodeId): number[] {
    return this.chainOf(this.#heads[node]!);
  }

  queue(node: NodeId, place: number, entry: number): void {
    this.#states[place] = QUEUED;
    this.#entries[place] = entry;
    this.#nodes[place] = node;
    this.#nexts[place] = NONE;
    const tail = this.#tails[node]!;
    if (tail === NONE) this.#heads[node] = place;
    else this.#nexts[tail] = place;
    this.#tails[node] = place;
    this.#known[node] = 1;
  }

  /** Takes an output out of its queue. Returns the node, or undefined if it is in no queue. */
  unqueue(place: number): NodeId | undefined {
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

  /** Takes all outputs from the node's queue: they are coming. Returns the first of their chain. */
  take(node: NodeId): number {
    const first = this.#heads[node]!;
    for (let at = first; at !== NONE; at = this.#nexts[at]!) this.#states[at] = COMING;
    this.#heads[node] = NONE;
    this.#tails[node] = NONE;
    return first;
  }

  /** The next output of a chain. */
  next(place: number): number {
    return this.#nexts[place]!;
  }

  chainOf(first: number): number[] {
    const chain: number[] = [];
    for (let at = first; at !== NONE; at = this.#nexts[at]!) chain.push(at);
    return chain;
  }

  /** Makes a chain of outputs that are in no queue. Returns the first. */
  chain(places: readonly number[]): number {
    for (const [i, place] of places.entries()) this.#nexts[place] = places[i + 1] ?? NONE;
    return places[0] ?? NONE;
  }

  /** Forgets that an output was coming, or that a node was known. */
  lose(place: number): void {
    this.#states[place] = UNKNOWN;
  }

  forget(node: NodeId): void {
    this.#known[node] = 0;
  }

  /** All outputs of a chain are there. */
  fetched(first: number): void {
    for (let at = first; at !== NONE; at = this.#nexts[at]!) {
      if (this.#states[at] !== FETCHED) this.#missing -= 1;
      this.#states[at] = FETCHED;
    }
  }
}
