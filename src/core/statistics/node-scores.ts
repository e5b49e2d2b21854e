import { defined } from "../../base/assert.ts";
import { select } from "../../base/select.ts";
import { percentileOf } from "../../base/stats.ts";
import { type Instant, type NodeId, nodeId } from "../../model/ids.ts";
import { type EvenGrowth, growthAt, type Observed, scoreAt } from "./progress.ts";

/** Far more than rounding may add to a score that is carried on from an earlier look. */
const ROUNDING = 1e-9;
const CHANGED = Number.NEGATIVE_INFINITY;

/** The parts of a node's progress. */
export interface NodeWork {
  readonly joined: boolean;
  /** Succeeded attempts; each has a score of 1. */
  readonly succeeded: number;
  /** The attempts that hold a slot. */
  readonly attempts: readonly Observed[];
}

/** The sum of the scores of all attempts that succeeded or run on the node. */
export function nodeScore({ attempts, succeeded }: NodeWork, now: Instant): number {
  let sum = succeeded;
  for (const attempt of attempts) sum += scoreAt(attempt, now);
  return sum;
}

/**
 * Percentiles of the nodes' progress. A node's progress grows evenly between changes. A look
 * therefore carries most nodes on from their last change, with one addition each, and recomputes
 * only nodes that have changed since. The carried scores show which nodes are near the wanted rank,
 * and only these nodes' scores are computed exactly.
 */
export class NodeScores {
  readonly #workOf: (node: NodeId) => NodeWork | undefined;
  /** By node id: the score at an instant, its growth, and the instant until which it grows so. */
  #score = new Float64Array(0);
  #at = new Float64Array(0);
  #perMs = new Float64Array(0);
  #until = new Float64Array(0);
  #joined = new Uint8Array(0);
  /** For a look: the joined nodes, and their carried scores, also in the order of a search. */
  readonly #nodes: NodeId[] = [];
  #carried = new Float64Array(0);
  #search = new Float64Array(0);

  constructor(workOf: (node: NodeId) => NodeWork | undefined) {
    this.#workOf = workOf;
  }

  /** Call this after each change of the node, of an attempt on it, or of their count. */
  changed(node: NodeId): void {
    if (node < this.#until.length) this.#until[node] = CHANGED;
  }

  /**
   * The q-th percentile over the joined nodes, whose ids are all below `nodes`. COST: an addition
   * for each node, and a look at the attempts of each node that has changed.
   */
  percentile(q: number, nodes: number, now: Instant): number {
    this.#makeRoom(nodes);
    this.#carryOn(nodes, now);
    const count = this.#nodes.length;
    const search = this.#search.subarray(0, count);
    search.set(this.#carried.subarray(0, count));
    return percentileOf(count, q, (rank) => this.#exact(rank, select(search, rank), now));
  }

  #carryOn(nodes: number, now: Instant): void {
    this.#nodes.length = 0;
    for (let id = 0; id < nodes; id++) {
      if (now >= this.#until[id]!) this.#lookAt(nodeId(id), now);
      if (this.#joined[id] === 0) continue;
      const since = now - this.#at[id]!;
      this.#carried[this.#nodes.length] = this.#score[id]! + this.#perMs[id]! * since;
      this.#nodes.push(nodeId(id));
    }
  }

  #lookAt(node: NodeId, now: Instant): void {
    const work = this.#workOf(node);
    const { score, perMs, until } = work === undefined ? NOTHING : growthOf(work, now);
    this.#joined[node] = work?.joined ? 1 : 0;
    this.#at[node] = now;
    this.#score[node] = score;
    this.#perMs[node] = perMs;
    this.#until[node] = until;
  }

  /** The score of this rank. `near`: the score of the rank among the carried scores. */
  #exact(rank: number, near: number, now: Instant): number {
    const slack = ROUNDING * (1 + Math.abs(near));
    const around: number[] = [];
    let below = 0;
    this.#nodes.forEach((node, i) => {
      const score = this.#carried[i]!;
      if (score < near - slack) below++;
      else if (score <= near + slack) around.push(nodeScore(this.#known(node), now));
    });
    return Float64Array.from(around).sort()[rank - below]!;
  }

  #known(node: NodeId): NodeWork {
    return defined(this.#workOf(node), "the work of a node of a look");
  }

  #makeRoom(nodes: number): void {
    if (nodes <= this.#until.length) return;
    const room = 2 * nodes;
    this.#score = new Float64Array(room);
    this.#at = new Float64Array(room);
    this.#perMs = new Float64Array(room);
    this.#until = new Float64Array(room).fill(CHANGED);
    this.#joined = new Uint8Array(room);
    this.#carried = new Float64Array(room);
    this.#search = new Float64Array(room);
  }
}

const NOTHING: EvenGrowth = { score: 0, perMs: 0, until: Number.POSITIVE_INFINITY };

function growthOf({ attempts, succeeded }: NodeWork, now: Instant): EvenGrowth {
  let score = succeeded;
  let perMs = 0;
  let until = Number.POSITIVE_INFINITY;
  for (const attempt of attempts) {
    const growth = growthAt(attempt, now);
    score += growth.score;
    perMs += growth.perMs;
    until = Math.min(until, growth.until);
  }
  return { score, perMs, until };
}
