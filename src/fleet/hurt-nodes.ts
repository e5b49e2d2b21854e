import { grouped } from "../base/grouped.ts";
import { cell } from "../base/rows.ts";
import { medianOf } from "../diagnose/expect/robust.ts";
import { chanceOfEvidence, evidenceOf } from "./berk-jones.ts";
import type { JobDigest, NodeInJob } from "./digest.ts";
import { Lateness } from "./lateness.ts";

/** A node over all jobs that ran on it. Times in ms. */
export interface FleetNode {
  readonly node: string;
  /** Jobs in which its attempts had peers. */
  readonly jobs: number;
  /** The jobs that make the evidence, by their ids: those in which it was latest. */
  readonly hurt: readonly string[];
  /** Jobs whose own diagnosis calls it slow. */
  readonly slowIn: number;
  /** The median, over the jobs it hurt, of its attempts' time over their expected time. */
  readonly factor: number;
  /** Response time that its attempts cost the jobs it hurt. */
  readonly delayMs: number;
  /** Whether it was late in more jobs than chance explains. */
  readonly isSlow: boolean;
}

/** The share of false ones among the nodes that are called slow (Benjamini and Hochberg, 1995). */
const FALSE_SHARE = 0.02;

/**
 * Judges nodes over many jobs: a node that is late in three of forty jobs, each time with too few
 * attempts for a verdict, is evidence. Its chance in a job is how often nodes of the fleet are as
 * late in some job: bad moments hit several attempts at once, and hit every node. The evidence
 * against a node is the most unlikely number of its jobs. Slow nodes come first.
 */
export function hurtNodes(
  jobs: readonly JobDigest[],
  { factorMin }: { readonly factorMin: number },
): readonly FleetNode[] {
  const nodes = nodesIn(jobs);
  const luck = luckAmong(nodes);
  const judged = nodes.map((one) => judgedNode(one, luck));
  const isSlower = ({ row }: Judged): boolean => row.factor >= factorMin;
  const limit = limitOf(judged.filter(isSlower).map(chanceOf), nodes.length);
  const rows = judged.map((one): FleetNode => {
    return { ...one.row, isSlow: isSlower(one) && chanceOf(one) <= limit };
  });
  return rows.sort(
    (a, b) =>
      Number(b.isSlow) - Number(a.isSlow) ||
      b.slowIn - a.slowIn ||
      Math.sign(b.delayMs - a.delayMs) ||
      (a.node < b.node ? -1 : 1),
  );
}

const chanceOf = ({ row, evidence }: Judged): number => chanceOfEvidence(row.jobs, evidence);

/** The largest chance of which the named nodes hold at most this share of false ones. */
function limitOf(chances: readonly number[], nodes: number): number {
  const named = chances
    .toSorted((a, b) => Math.sign(a - b))
    .filter((chance, n) => chance <= ((n + 1) * FALSE_SHARE) / nodes);
  return Math.max(0, ...named);
}

/** A node's places, the latest first. */
interface NodeOfFleet {
  readonly node: string;
  readonly places: readonly Place[];
}

type Place = NodeInJob & {
  /** Of its job. */
  readonly id: string;
  /** ln of how much likelier its attempts are on a slow node than by luck. */
  readonly score: number;
};

function nodesIn(jobs: readonly JobDigest[]): readonly NodeOfFleet[] {
  const compared = jobs.filter(({ nodes }) => nodes.length > 1);
  const usual = compared.length === 0 ? 1 : medianOf(compared.map(({ sigma }) => sigma));
  const places = compared.flatMap((job) => {
    const sigma = sigmaOf(job, usual);
    return job.nodes.map((own) => {
      const lateness = own.lateness.map((late) => late / sigma);
      return { ...own, id: job.id, lateness };
    });
  });
  const fleet = new Lateness(places.flatMap(({ lateness }) => lateness));
  const scored = places.map((place) => ({ ...place, score: fleet.logRatio(place.lateness) }));
  return Array.from(
    grouped(scored, ({ node }) => node),
    ([node, own]) => ({ node, places: own.toSorted((a, b) => Math.sign(b.score - a.score)) }),
  );
}

/** A node less likely than this is no measure of luck. */
const SUSPECT = 0.005;
/** Each makes further suspects visible; few do after the first. */
const ROUNDS = 5;

/** The scores of all nodes but suspects, ascending. */
function luckAmong(nodes: readonly NodeOfFleet[]): Float64Array {
  let kept = nodes;
  for (let round = 0; ; round++) {
    const luck = scoresOf(kept);
    const left = kept.filter((one) => chanceOf(judgedNode(one, luck)) >= SUSPECT);
    // Half of the nodes are no exception.
    if (left.length === kept.length || 2 * left.length < nodes.length) return luck;
    if (round === ROUNDS) return luck;
    kept = left;
  }
}

const scoresOf = (nodes: readonly NodeOfFleet[]): Float64Array =>
  Float64Array.from(nodes.flatMap(({ places }) => places.map(({ score }) => score))).sort();

/** As many attempts of the fleet stand behind the sigma of a job with few. */
const PRIOR = 24;

/** A job with few attempts knows its own sigma badly. */
function sigmaOf({ sigma, nodes }: JobDigest, usual: number): number {
  const attempts = nodes.reduce((sum, own) => sum + own.attempts, 0);
  const squares = attempts * sigma * sigma + PRIOR * usual * usual;
  return Math.sqrt(squares / (attempts + PRIOR));
}

interface Judged {
  readonly evidence: number;
  readonly row: Omit<FleetNode, "isSlow">;
}

function judgedNode({ node, places }: NodeOfFleet, luck: Float64Array): Judged {
  const chances = places.map(({ score }) => (countFrom(luck, score) + 1) / (luck.length + 1));
  const { evidence, count } = evidenceOf(chances);
  const hurt = places.slice(0, count);
  const row = {
    node,
    jobs: places.length,
    hurt: hurt.map(({ id }) => id),
    slowIn: places.filter(({ isSlow }) => isSlow).length,
    factor: count === 0 ? 1 : medianOf(hurt.map(({ factor }) => factor)),
    delayMs: hurt.reduce((sum, { delayMs }) => sum + delayMs, 0),
  };
  return { evidence, row };
}

/** How many of the sorted values are at least this one. */
function countFrom(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cell(sorted[middle]) < value) low = middle + 1;
    else high = middle;
  }
  return sorted.length - low;
}
