import { grouped } from "../../base/grouped.ts";
import { nextFloat, type RandomState, randomState } from "../../base/random.ts";
import { cell } from "../../base/rows.ts";

/** An attempt on a node: `r` is log(net duration / expected). */
interface Scored {
  readonly node: number;
  readonly phase: number;
  readonly r: number;
}

/** Shuffles; fewer where a job has very many attempts. */
const SHUFFLES = 199;
const SHUFFLES_MIN = 39;
const VALUES_SHUFFLED = 10_000_000;
/** In none of so many a part of a node scores as high as one that is called slow. */
const PART_SHUFFLES = 999;
/** Attempts in a part of a node, and beside it. */
const PART_MIN = 3;
/** In at most this share of shuffles any node scores as high as one that is called slow. */
const CHANCE = 0.025;
/** Of r: an attempt that took 7.4 times as long says no less than one that took a hundred times. */
const MOST = 2;

export interface ScoredPart {
  /** The node's attempts from this one on; those before it if `isFirst`. */
  readonly at: number;
  readonly isFirst: boolean;
  readonly score: number;
}

/**
 * How much slower each node's attempts are than those of their phases, as a whole: the sum of their
 * residuals over its standard deviation if it were chance which of a phase's attempts are whose.
 */
export class NodeScores {
  readonly #byNode: ReadonlyMap<number, readonly number[]>;
  readonly #phases: readonly (readonly number[])[];
  readonly #nodes: readonly number[];
  /** By attempt: the place of its node, and its residual less the mean of its phase. */
  readonly #place: Int32Array;
  readonly #values: Float64Array;
  /** By place: 1 / the deviation; 0 if the node is not judged, or ran whole phases alone. */
  readonly #scale: Float64Array;
  /** By attempt: the variance of its phase's values. */
  readonly #variance: Float64Array;

  /** `byNode`: the places of each node's residuals; `attemptsMin`: fewer of them score 0. */
  constructor(
    residuals: readonly Scored[],
    byNode: ReadonlyMap<number, readonly number[]>,
    attemptsMin: number,
  ) {
    this.#byNode = byNode;
    const nodes = [...byNode.keys()];
    const places = new Map(nodes.map((node, place) => [node, place]));
    this.#nodes = nodes;
    this.#place = Int32Array.from(residuals, ({ node }) => cell(places.get(node)));
    this.#phases = [...grouped([...residuals.keys()], (i) => cell(residuals[i]).phase).values()];
    this.#values = Float64Array.from(residuals, ({ r }) => Math.max(-MOST, Math.min(MOST, r)));
    this.#variance = new Float64Array(residuals.length);
    const variance = new Float64Array(nodes.length);
    for (const members of this.#phases) {
      centre(this.#values, members);
      this.#addVariance(members, variance);
    }
    const counts = [...byNode.values()].map((own) => own.length);
    this.#scale = variance.map((each, place) =>
      each > 0 && cell(counts[place]) >= attemptsMin ? 1 / Math.sqrt(each) : 0,
    );
  }

  /** By node. */
  recorded(): ReadonlyMap<number, number> {
    const scores = this.#scoresOf(this.#values);
    return new Map(this.#nodes.map((node, place) => [node, cell(scores[place])]));
  }

  /**
   * The score that the best of all nodes exceeds in hardly any shuffle. Shuffling ends as soon as
   * so many have reached `most`, the record's highest score, that no node can be slow.
   */
  limit({ seed, most }: { readonly seed: number; readonly most: number }): number {
    const random = randomState(seed, "node-shuffles");
    const rounds = this.#affordable(SHUFFLES);
    const kept = Math.max(1, Math.floor(CHANCE * (rounds + 1)));
    // Of the highest scores so far, the highest first.
    let highest: readonly number[] = new Array<number>(kept).fill(0);
    for (let round = 0; round < rounds && cell(highest[kept - 1]) < most; round++) {
      const best = this.#scoresOf(this.#shuffled(random)).reduce((a, b) => Math.max(a, b), 0);
      highest = [...highest, best].sort((a, b) => Math.sign(b - a)).slice(0, kept);
    }
    return cell(highest[kept - 1]);
  }

  /** Of each node: the attempts before or after one of its own that score highest together. */
  parts(): ReadonlyMap<number, ScoredPart> {
    return this.#partsOf(this.#values);
  }

  /** Whether a part of a node scores as high as `most` in hardly any shuffle. */
  isPartRare({ seed, most }: { readonly seed: number; readonly most: number }): boolean {
    const random = randomState(seed, "part-shuffles");
    for (let round = this.#affordable(PART_SHUFFLES); round > 0; round--) {
      for (const { score } of this.#partsOf(this.#shuffled(random)).values()) {
        if (score >= most) return false;
      }
    }
    return true;
  }

  #partsOf(values: Float64Array): ReadonlyMap<number, ScoredPart> {
    const value = (i: number): number => cell(values[i]);
    const variance = (i: number): number => cell(this.#variance[i]);
    const parts = new Map<number, ScoredPart>();
    for (const [node, own] of this.#byNode) {
      if (own.length >= 2 * PART_MIN) parts.set(node, highestPart(own, value, variance));
    }
    return parts;
  }

  #affordable(most: number): number {
    const affordable = Math.round(VALUES_SHUFFLED / Math.max(1, this.#values.length));
    return Math.max(SHUFFLES_MIN, Math.min(most, affordable));
  }

  #shuffled(random: RandomState): Float64Array {
    const values = this.#values.slice();
    for (const members of this.#phases) shuffleAmong(values, members, random);
    return values;
  }

  #scoresOf(values: Float64Array): Float64Array {
    const sums = new Float64Array(this.#nodes.length);
    for (let i = 0; i < values.length; i++) {
      const place = cell(this.#place[i]);
      sums[place] = cell(sums[place]) + cell(values[i]);
    }
    return sums.map((sum, place) => sum * cell(this.#scale[place]));
  }

  /** Of the sums of the nodes' values, each drawn from the phase without replacement. */
  #addVariance(members: readonly number[], variance: Float64Array): void {
    const all = members.length;
    if (all < 2) return;
    let squares = 0;
    for (const i of members) squares += cell(this.#values[i]) * cell(this.#values[i]);
    for (const i of members) this.#variance[i] = squares / (all - 1);
    for (const [place, own] of grouped(members, (i) => cell(this.#place[i]))) {
      const drawn = (own.length * (all - own.length)) / all;
      variance[place] = cell(variance[place]) + (squares / (all - 1)) * drawn;
    }
  }
}

function highestPart(
  own: readonly number[],
  value: (i: number) => number,
  variance: (i: number) => number,
): ScoredPart {
  const sum = (of: (i: number) => number): number => own.reduce((total, i) => total + of(i), 0);
  const [all, allVariance] = [sum(value), sum(variance)];
  let best: ScoredPart = { at: 0, isFirst: true, score: 0 };
  let [first, firstVariance] = [0, 0];
  for (const [at, i] of own.entries()) {
    if (at >= PART_MIN && at <= own.length - PART_MIN) {
      const before = first / Math.sqrt(firstVariance);
      const after = (all - first) / Math.sqrt(allVariance - firstVariance);
      if (before > best.score) best = { at, isFirst: true, score: before };
      if (after > best.score) best = { at, isFirst: false, score: after };
    }
    first += value(i);
    firstVariance += variance(i);
  }
  return best;
}

function centre(values: Float64Array, places: readonly number[]): void {
  const mean = places.reduce((sum, i) => sum + cell(values[i]), 0) / places.length;
  for (const i of places) values[i] = cell(values[i]) - mean;
}

/** Permutes the values at these places. */
function shuffleAmong(values: Float64Array, places: readonly number[], random: RandomState): void {
  for (let i = places.length - 1; i > 0; i--) {
    const j = Math.floor(nextFloat(random) * (i + 1));
    const [a, b] = [cell(places[i]), cell(places[j])];
    const kept = cell(values[a]);
    values[a] = cell(values[b]);
    values[b] = kept;
  }
}
