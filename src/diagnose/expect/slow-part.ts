import { exp } from "../../base/math.ts";
import { cell } from "../../base/rows.ts";
import type { ScoredPart } from "./node-scores.ts";
import { medianOf } from "./robust.ts";

/** The time in which a node was slow, where it was not so all the time. */
export interface SlowPart {
  /** -Infinity if it was slow from the start. */
  readonly from: number;
  /** Infinity if it was slow to the end. */
  readonly until: number;
}

interface Timed {
  /** log(net duration / expected). */
  readonly r: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A part, and the residuals of the attempts that ran in it alone. */
interface Found {
  readonly part: SlowPart;
  readonly residuals: readonly number[];
}

/**
 * The part of a node's attempts that scores highest, as a time: `at` it became slow, or ceased to
 * be. undefined unless attempts of the part are above `slowFrom`, those beside it below, and both
 * ran at several times.
 */
export function slowPartOf(
  own: readonly Timed[],
  { at, isFirst }: ScoredPart,
  slowFrom: number,
): Found | undefined {
  const { startedAt } = cell(own[at]);
  const [before, after] = [own.slice(0, at), own.slice(at)];
  const [slow, usual] = isFirst ? [before, after] : [after, before];
  // Attempts that ran at the same time share their luck.
  if (!areApart(usual) || !areApart(slow)) return undefined;
  const inPart = slow.filter(({ endedAt }) => !isFirst || endedAt <= startedAt);
  if (middle(inPart) < slowFrom || middle(usual) >= slowFrom) return undefined;
  const changedAt = momentOf(own, startedAt, [middle(before), middle(after)]);
  const part = isFirst
    ? { from: Number.NEGATIVE_INFINITY, until: changedAt }
    : { from: changedAt, until: Number.POSITIVE_INFINITY };
  return { part, residuals: inPart.map(({ r }) => r) };
}

/** How many times longer an attempt took that was slowed by the factor while the part lasted. */
export function slowedBy(
  factor: number,
  { from, until }: SlowPart,
  { startedAt, endedAt }: Pick<Timed, "startedAt" | "endedAt">,
): number {
  const tookMs = endedAt - startedAt;
  const slowMs = Math.max(0, Math.min(endedAt, until) - Math.max(startedAt, from));
  return tookMs > 0 ? tookMs / (tookMs - slowMs + slowMs / factor) : 1;
}

const middle = (own: readonly Timed[]): number => medianOf(own.map(({ r }) => r));

const areApart = (own: readonly Timed[]): boolean => {
  const ended = own.reduce((at, { endedAt }) => Math.min(at, endedAt), Number.POSITIVE_INFINITY);
  return own.some(({ startedAt }) => startedAt >= ended);
};

/**
 * An attempt that ran across the change took the longer the earlier the node turned slow, or the
 * later it ceased to be: such attempts tell the moment, each its own, of which the median is taken.
 */
function momentOf(
  own: readonly Timed[],
  changedAt: number,
  [before, after]: readonly [number, number],
): number {
  const [rate, rateAfter] = [exp(-before), exp(-after)];
  const moments = own
    .filter(({ startedAt, endedAt }) => startedAt <= changedAt && endedAt > changedAt)
    .map(({ r, startedAt, endedAt }) => {
      // The work of its time, at the usual rate of 1.
      const work = (endedAt - startedAt) * exp(-r);
      const sinceStart = (work - (endedAt - startedAt) * rateAfter) / (rate - rateAfter);
      return Math.min(endedAt, Math.max(startedAt, startedAt + sinceStart));
    });
  return moments.length === 0 ? changedAt : medianOf(moments);
}
