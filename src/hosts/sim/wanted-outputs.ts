import { type NodeId, nodeId } from "../../model/ids.ts";
import { NONE } from "./ready-outputs.ts";

// What a reader knows about an output.
const UNKNOWN = 0;
const QUEUED = 1;
/** A fetch is under way or has ended. */
const TAKEN = 2;

// The fields of an output, by its place.
const STATE = 0;
/** The entry by which the reader knows the output, and the node at which it is queued. */
const ENTRY = 1;
const NODE = 2;
/** The next output in the same queue or fetch. */
const NEXT = 3;

// The fields of a node.
/** The first and the last output queued there, and whether any ever was. */
const HEAD = 0;
const TAIL = 1;
const KNOWN = 2;

/** Four fields of four bytes: an output or a node lies within one line of the processor's cache. */
const BITS = 2;

/**
 * The outputs that a reader wants, and the nodes at which they are queued: rows without an object
 * for each, since there may be thousands of readers, each of thousands of outputs.
 */
export class WantedOutputs {
  readonly #outputs: Int32Array;
  readonly #nodes: Int32Array;

  constructor(count: number, nodes: number) {
    this.#outputs = new Int32Array(count << BITS);
    this.#nodes = new Int32Array(nodes << BITS).fill(NONE);
  }

  /** Whether a fetch of the output is under way or has ended. */
  isTaken(place: number): boolean {
    return this.#outputs[(place << BITS) + STATE] === TAKEN;
  }

  entry(place: number): number {
    return this.#outputs[(place << BITS) + ENTRY]!;
  }

  /** Whether an output was queued at the node since the node was last forgotten. */
  isKnown(node: NodeId): boolean {
    return this.#nodes[(node << BITS) + KNOWN] !== NONE;
  }

  hasQueued(node: NodeId): boolean {
    return this.#nodes[(node << BITS) + HEAD] !== NONE;
  }

  /** The outputs that are queued at the node, in order. */
  queuedAt(node: NodeId): number[] {
    return this.chainOf(this.#nodes[(node << BITS) + HEAD]!);
  }

  queue(node: NodeId, place: number, entry: number): void {
    const outputs = this.#outputs;
    const nodes = this.#nodes;
    const row = place << BITS;
    outputs[row + STATE] = QUEUED;
    outputs[row + ENTRY] = entry;
    outputs[row + NODE] = node;
    outputs[row + NEXT] = NONE;
    const at = node << BITS;
    if (nodes[at + HEAD] === NONE) nodes[at + HEAD] = place;
    else outputs[(nodes[at + TAIL]! << BITS) + NEXT] = place;
    nodes[at + TAIL] = place;
    nodes[at + KNOWN] = 1;
  }

  /** Takes an output out of its queue. Returns the node, or undefined if it is in no queue. */
  unqueue(place: number): NodeId | undefined {
    const outputs = this.#outputs;
    const nodes = this.#nodes;
    const row = place << BITS;
    if (outputs[row + STATE] !== QUEUED) return undefined;
    const node = nodeId(outputs[row + NODE]!);
    const at = node << BITS;
    let before = NONE;
    for (let other = nodes[at + HEAD]!; other !== place; other = this.next(other)) before = other;
    const next = outputs[row + NEXT]!;
    if (before === NONE) nodes[at + HEAD] = next;
    else outputs[(before << BITS) + NEXT] = next;
    if (next === NONE) nodes[at + TAIL] = before;
    outputs[row + STATE] = UNKNOWN;
    return node;
  }

  /** Takes all outputs from the node's queue. Returns the first of their chain. */
  take(node: NodeId): number {
    const at = node << BITS;
    const first = this.#nodes[at + HEAD]!;
    for (let place = first; place !== NONE; place = this.next(place)) {
      this.#outputs[(place << BITS) + STATE] = TAKEN;
    }
    this.#nodes[at + HEAD] = NONE;
    return first;
  }

  /** The next output of a chain. */
  next(place: number): number {
    return this.#outputs[(place << BITS) + NEXT]!;
  }

  chainOf(first: number): number[] {
    const chain: number[] = [];
    for (let place = first; place !== NONE; place = this.next(place)) chain.push(place);
    return chain;
  }

  /** Makes a chain of outputs that are in no queue. Returns the first. */
  chain(places: readonly number[]): number {
    for (const [i, place] of places.entries()) {
      this.#outputs[(place << BITS) + NEXT] = places[i + 1] ?? NONE;
    }
    return places[0] ?? NONE;
  }

  /** Forgets that a fetch of an output was under way, or that a node was known. */
  lose(place: number): void {
    this.#outputs[(place << BITS) + STATE] = UNKNOWN;
  }

  forget(node: NodeId): void {
    this.#nodes[(node << BITS) + KNOWN] = NONE;
  }
}
