import { grouped } from "../base/grouped.ts";
import { exp, log } from "../base/math.ts";
import { cell } from "../base/rows.ts";
import { medianOf } from "../diagnose/expect/robust.ts";
import type { JobDigest, NodeInJob } from "./digest.ts";
import { logBinomialTail, logGammaTail } from "./tails.ts";

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

/**
 * The chance, over all nodes, that luck gives some node as much evidence from a number of jobs. Of
 * 60 fleets of 200 equal nodes, none had a slow one; where each node takes twice as long in 2 % of
 * its turns, 6 had.
 */
const CHANCE_MAX = 0.005;
/** Fewer jobs may be the bad luck of one evening. */
const JOBS_MIN = 3;
/** A node that hurts more jobs than this is as evident. */
const JOBS_LOOKED_AT = 20;

/**
 * Judges nodes over many jobs: a node that is late in three of forty jobs, each time with too few
 * attempts for a verdict, is evidence. Its chance in a job is that of so late attempts among all
 * attempts of the fleet, but at least how often most nodes are as unlikely in some job: bad
 * moments hit several attempts at once, and hit every node. The evidence against a node is the
 * most unlikely number of its jobs (Berk and Jones, 1979). Slow nodes come first.
 */
export function hurtNodes(
  jobs: readonly JobDigest[],
  { factorMin }: { readonly factorMin: number },
): readonly FleetNode[] {
  const compared = jobs.filter(({ nodes }) => nodes.length > 1);
  const usual = compared.length === 0 ? 1 : medianOf(compared.map(({ sigma }) => sigma));
  const places = compared.flatMap((job) => {
    const sigma = sigmaOf(job, usual);
    return job.nodes.map((own) => {
      const lateness = own.lateness.map((late) => late / sigma);
      return { ...own, id: job.id, lateness };
    });
  });
  const chances = chancesOf(places);
  const all = places.map((place, n) => ({ ...place, chance: cell(chances[n]) }));
  const byNode = grouped(all, ({ node }) => node);
  const limit = -log(CHANCE_MAX / byNode.size);
  const others = chancesOfMost(byNode);
  const rows = Array.from(byNode, ([node, own]): FleetNode => {
    const { evidence, row } = judgedNode(node, own, others);
    return { ...row, isSlow: evidence > limit && row.factor >= factorMin };
  });
  return rows.sort(
    (a, b) =>
      Number(b.isSlow) - Number(a.isSlow) ||
      b.slowIn - a.slowIn ||
      Math.sign(b.delayMs - a.delayMs) ||
      (a.node < b.node ? -1 : 1),
  );
}

/** What the most suspicious nodes did is no measure of luck: this share of them is left out. */
const TRIMMED = 0.04;

/** The chances of the other nodes, ascending. */
function chancesOfMost(byNode: ReadonlyMap<string, readonly Place[]>): Float64Array {
  const judged = Array.from(byNode.values(), (places) => {
    const chances = Float64Array.from(places, ({ chance }) => chance).sort();
    return { chances, evidence: evidenceOf([...chances]).evidence };
  });
  const most = judged.sort((a, b) => Math.sign(b.evidence - a.evidence));
  const kept = most.slice(Math.ceil(TRIMMED * most.length));
  return Float64Array.from(kept.flatMap(({ chances }) => [...chances])).sort();
}

/** As many attempts of the fleet stand behind the sigma of a job with few. */
const PRIOR = 24;

/** A job with few attempts knows its own sigma badly. */
function sigmaOf({ sigma, nodes }: JobDigest, usual: number): number {
  const attempts = nodes.reduce((sum, own) => sum + own.attempts, 0);
  const squares = attempts * sigma * sigma + PRIOR * usual * usual;
  return Math.sqrt(squares / (attempts + PRIOR));
}

type Place = NodeInJob & {
  /** Of its job. */
  readonly id: string;
  readonly chance: number;
};

function judgedNode(
  node: string,
  places: readonly Place[],
  others: Float64Array,
): { readonly evidence: number; readonly row: Omit<FleetNode, "isSlow"> } {
  const own = places.toSorted((a, b) => Math.sign(a.chance - b.chance));
  const chances = own.map(({ chance }) => {
    const asUnlikely = others.length - countFrom(others, chance, "above");
    return Math.max(chance, (asUnlikely + 1) / (others.length + 1));
  });
  const { evidence, count } = evidenceOf(chances);
  const hurt = own.slice(0, count);
  const row = {
    node,
    jobs: own.length,
    hurt: hurt.map(({ id }) => id),
    slowIn: own.filter(({ isSlow }) => isSlow).length,
    factor: count === 0 ? 1 : medianOf(hurt.map(({ factor }) => factor)),
    delayMs: hurt.reduce((sum, { delayMs }) => sum + delayMs, 0),
  };
  return { evidence, row };
}

/** Of each node in each job: the chance that as many attempts of the fleet are as late. */
function chancesOf(all: readonly NodeInJob[]): Float64Array {
  const fleet = Float64Array.from(all.flatMap(({ lateness }) => lateness)).sort();
  return Float64Array.from(all, ({ lateness }) =>
    exp(logChance(lateness.map((late) => countFrom(fleet, late, "at") / fleet.length))),
  );
}

/** How many of the sorted values are at least this one, or above it. */
function countFrom(sorted: Float64Array, value: number, from: "at" | "above"): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = cell(sorted[middle]);
    if (one < value || (from === "above" && one === value)) low = middle + 1;
    else high = middle;
  }
  return sorted.length - low;
}

/** On a slow node, nearly all attempts are late: this share of them is looked at. */
const NEARLY_ALL = 0.8;

/**
 * ln of the chance of attempts with these shares beside them, which descend: as late together
 * (Fisher's method), or nearly all of them late.
 */
function logChance(shares: readonly number[]): number {
  const count = shares.length;
  const score = shares.reduce((sum, share) => sum - log(share), 0);
  const late = Math.ceil(NEARLY_ALL * count);
  const together = logGammaTail(count, score);
  const nearlyAll = logBinomialTail(count, late, cell(shares[count - late]));
  return Math.min(0, Math.min(together, nearlyAll) + log(2));
}

/** How unlikely a node's best number of jobs is; `count` of them. `chances` ascend. */
function evidenceOf(chances: readonly number[]): {
  readonly evidence: number;
  readonly count: number;
} {
  let [evidence, count] = [0, 0];
  const most = Math.min(chances.length, JOBS_LOOKED_AT);
  for (let jobs = JOBS_MIN; jobs <= most; jobs++) {
    const chance = cell(chances[jobs - 1]);
    // As many jobs as that are expected: no evidence.
    if (chance * chances.length >= jobs) break;
    const own = -logBinomialTail(chances.length, jobs, chance);
    if (own > evidence) [evidence, count] = [own, jobs];
  }
  return { evidence, count };
}
