import { grouped } from "../base/grouped.ts";
import { cell } from "../base/rows.ts";
import { CAUSES, type Cause } from "../diagnose/cause.ts";
import { tookBy } from "../diagnose/compare/compare.ts";
import { medianOf } from "../diagnose/expect/robust.ts";
import { PARTS, type Part } from "../diagnose/response/part.ts";
import type { JobDigest } from "./digest.ts";

/** A job that takes longer since one of its runs. Times in ms. */
export interface Grown {
  /** Its name; numbers in it, such as dates, are `#`. */
  readonly name: string;
  /** The first and the last run of those that take longer, by their ids. */
  readonly since: string;
  readonly last: string;
  /** When the first was submitted, ms since 1970 UTC. */
  readonly sinceAt: number;
  /** Runs that take longer. */
  readonly runs: number;
  /** Good runs before, at most ten. */
  readonly before: number;
  /** Medians of the response. */
  readonly beforeMs: number;
  readonly afterMs: number;
  /** The changes of the medians, what grew most first; parts of the usual time, too. */
  readonly causes: readonly { readonly cause: Cause | Part; readonly changeMs: number }[];
  /** Medians of the number of attempts. */
  readonly attemptsBefore: number;
  readonly attemptsAfter: number;
}

/** Good runs that are looked back at, and the fewest that show what is usual. */
const LOOKED_BACK = 10;
const BEFORE_MIN = 5;
/** One long run may be bad luck, or another piece of work under the same name. */
const AFTER_MIN = 2;
/** Runs that take longer are this much above the median before, in robust sigmas and as a share. */
const SIGMAS = 4;
const SHARE = 0.1;
/** A median absolute deviation times this is a normal distribution's sigma. */
const SIGMA_OF_MAD = 1.4826;

/**
 * The jobs whose latest runs, two at least and without exception, take longer than all good runs
 * before: by name, numbers aside. What grew most comes first.
 */
export function grownJobs(jobs: readonly JobDigest[]): readonly Grown[] {
  const good = jobs.filter(({ outcome }) => outcome === "succeeded");
  return [...grouped(good, ({ name }) => name.replace(/\d[\d\-_:.TZ]*/g, "#"))]
    .flatMap(([name, runs]) => grown(name, runs))
    .sort((a, b) => Math.sign(gain(b) - gain(a)) || (a.name < b.name ? -1 : 1));
}

const gain = ({ beforeMs, afterMs, runs }: Grown): number => runs * (afterMs - beforeMs);

function grown(name: string, all: readonly JobDigest[]): readonly Grown[] {
  const runs = all.toSorted(
    (a, b) => Math.sign(a.submittedAt - b.submittedAt) || (a.id < b.id ? -1 : 1),
  );
  for (let first = BEFORE_MIN; first <= runs.length - AFTER_MIN; first++) {
    const before = runs.slice(Math.max(0, first - LOOKED_BACK), first);
    const after = runs.slice(first);
    const limit = limitOf(before.map(({ responseMs }) => responseMs));
    if (!after.every(({ responseMs }) => responseMs > limit)) continue;
    const [since, last] = [cell(after[0]), cell(after.at(-1))];
    return [
      {
        name,
        since: since.id,
        last: last.id,
        sinceAt: since.submittedAt,
        runs: after.length,
        before: before.length,
        beforeMs: medianOf(before.map(({ responseMs }) => responseMs)),
        afterMs: medianOf(after.map(({ responseMs }) => responseMs)),
        causes: changesOf(before, after),
        attemptsBefore: medianOf(before.map(({ attempts }) => attempts)),
        attemptsAfter: medianOf(after.map(({ attempts }) => attempts)),
      },
    ];
  }
  return [];
}

function limitOf(before: readonly number[]): number {
  const median = medianOf(before);
  const mad = medianOf(before.map((each) => Math.abs(each - median)));
  return Math.max(median + SIGMAS * SIGMA_OF_MAD * mad, (1 + SHARE) * median, ...before);
}

function changesOf(before: readonly JobDigest[], after: readonly JobDigest[]): Grown["causes"] {
  return [...CAUSES, ...PARTS]
    .map((cause) => ({ cause, changeMs: medianIn(after, cause) - medianIn(before, cause) }))
    .filter(({ changeMs }) => changeMs !== 0)
    .sort((a, b) => Math.sign(b.changeMs - a.changeMs));
}

const medianIn = (jobs: readonly JobDigest[], of: Cause | Part): number =>
  medianOf(jobs.map((job) => tookBy(job, of)));
