import { grouped } from "../base/grouped.ts";
import { exp, log } from "../base/math.ts";
import { cell } from "../base/rows.ts";
import { medianOf } from "../diagnose/expect/robust.ts";
import type { JobDigest, NodeInJob } from "./digest.ts";
import { DrawnSums } from "./drawn-sums.ts";
import { Lateness } from "./lateness.ts";

/** A node over all jobs that ran on it. Times in ms. */
export interface FleetNode {
  readonly node: string;
  /** Jobs in which its attempts had peers. */
  readonly jobs: number;
  /** The jobs in which it was rather slow than unlucky, by their ids: the most evident first. */
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

/** The chance that luck alone has any node named. */
const FALSE_CHANCE = 0.05;
/** Fewer jobs may be the bad luck of one evening. */
const JOBS_MIN = 3;

/**
 * Judges nodes over many jobs: a node that is late in three of forty jobs, each time with too few
 * attempts for a verdict, is evidence. The evidence is how much likelier all its jobs are if it is
 * slow in some of them; its chance follows from the jobs of all other nodes, as bad moments that
 * hit several attempts at once hit every node. Slow nodes come first.
 */
export function hurtNodes(
  jobs: readonly JobDigest[],
  { factorMin }: { readonly factorMin: number },
): readonly FleetNode[] {
  const nodes = nodesIn(jobs);
  const chances = chancesAmong(nodes);
  const judged = nodes.map((one, n): Judged => ({ row: rowOf(one), chance: cell(chances[n]) }));
  const named = namedAmong(judged, { factorMin });
  const rows = judged.map((one): FleetNode => ({ ...one.row, isSlow: named.has(one) }));
  return rows.sort(
    (a, b) =>
      Number(b.isSlow) - Number(a.isSlow) ||
      b.slowIn - a.slowIn ||
      Math.sign(b.delayMs - a.delayMs) ||
      (a.node < b.node ? -1 : 1),
  );
}

interface Judged {
  readonly row: Omit<FleetNode, "isSlow">;
  /** That luck makes as much evidence. */
  readonly chance: number;
}

/** The rarest first, as long as each is too rare for luck among those left (Holm, 1979). */
function namedAmong(
  judged: readonly Judged[],
  { factorMin }: { readonly factorMin: number },
): ReadonlySet<Judged> {
  const tried = judged.filter(({ row }) => row.jobs >= JOBS_MIN);
  const rising = tried
    .filter(({ row }) => row.hurt.length >= JOBS_MIN && row.factor >= factorMin)
    .sort((a, b) => Math.sign(a.chance - b.chance) || (a.row.node < b.row.node ? -1 : 1));
  const end = rising.findIndex(({ chance }, n) => chance * (tried.length - n) > FALSE_CHANCE);
  return new Set(end < 0 ? rising : rising.slice(0, end));
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

/** A slow node is slow in about this share of its jobs. */
const SLOW_SHARE = 0.1;
/** A node less likely than this is no measure of luck. */
const SUSPECT = 0.005;
/** Each makes further suspects visible; few do after the first. */
const ROUNDS = 5;

/** ln of how much likelier a job is on a node that is slow in some of its jobs. */
const evidenceOf = (score: number): number => log(1 - SLOW_SHARE + SLOW_SHARE * exp(score));

/** For each node, the chance that jobs of nodes that are no suspects make its evidence. */
function chancesAmong(nodes: readonly NodeOfFleet[]): readonly number[] {
  let kept = nodes;
  for (let round = 0; ; round++) {
    const chances = chancesIn(nodes, kept);
    const left = nodes.filter((_, n) => cell(chances[n]) >= SUSPECT);
    // Half of the nodes are no exception.
    if (left.length === kept.length || 2 * left.length < nodes.length) return chances;
    if (round === ROUNDS) return chances;
    kept = left;
  }
}

function chancesIn(nodes: readonly NodeOfFleet[], luck: readonly NodeOfFleet[]): readonly number[] {
  const drawn = luck.flatMap(({ places }) => places.map(({ score }) => score));
  // How rare a higher one is, nobody knows.
  const most = drawn.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const sums = new DrawnSums(drawn.map(evidenceOf));
  return nodes.map(({ places }) => {
    const evidence = places.map(({ score }) => evidenceOf(Math.min(score, most)));
    return sums.chanceOf(
      places.length,
      evidence.reduce((a, b) => a + b, 0),
    );
  });
}

/** As many attempts of the fleet stand behind the sigma of a job with few. */
const PRIOR = 24;

/** A job with few attempts knows its own sigma badly. */
function sigmaOf({ sigma, nodes }: JobDigest, usual: number): number {
  const attempts = nodes.reduce((sum, own) => sum + own.attempts, 0);
  const squares = attempts * sigma * sigma + PRIOR * usual * usual;
  return Math.sqrt(squares / (attempts + PRIOR));
}

function rowOf({ node, places }: NodeOfFleet): Judged["row"] {
  const hurt = places.slice(0, hurtIn(places));
  return {
    node,
    jobs: places.length,
    hurt: hurt.map(({ id }) => id),
    slowIn: places.filter(({ isSlow }) => isSlow).length,
    factor: hurt.length === 0 ? 1 : medianOf(hurt.map(({ factor }) => factor)),
    delayMs: hurt.reduce((sum, { delayMs }) => sum + delayMs, 0),
  };
}

/** Steps after which a node's share of slow jobs hardly changes. */
const STEPS = 30;

/** In how many of its jobs a node was rather slow than unlucky, by the share that fits all best. */
function hurtIn(places: readonly Place[]): number {
  let share = SLOW_SHARE;
  const chanceIn = ({ score }: Place): number => 1 / (1 + ((1 - share) / share) * exp(-score));
  for (let step = 0; step < STEPS && share > 0; step++) {
    share = places.reduce((sum, place) => sum + chanceIn(place), 0) / places.length;
  }
  return places.filter((place) => chanceIn(place) > 0.5).length;
}
