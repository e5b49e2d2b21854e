import type { Comparison } from "./contest.ts";
import type { Measured } from "./contestant.ts";
import { median, ratioOf, rounded } from "./ratio.ts";

/** A line of the table. Seconds are medians, `low` and `high` the interval of the ratio. */
export interface Row {
  readonly work: string;
  readonly peer: string;
  readonly ours_s: number;
  readonly peer_s: number | null;
  readonly ratio: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** The largest acceptable ratio or, without a peer, the most acceptable seconds. */
  readonly goal: number | null;
  /** Medians of peak memory, where memory was measured. */
  readonly ours_mb?: number;
  readonly peer_mb?: number;
}

/** Undefined if one of the two did not run. */
export function rowOf(
  { work, ours, peer, goal = Number.NaN }: Comparison,
  runs: ReadonlyMap<string, readonly Measured[]>,
): Row | undefined {
  const own = runs.get(ours);
  const other = peer === undefined ? [] : runs.get(peer);
  if (own === undefined || other === undefined) return undefined;
  const goalOrNull = Number.isNaN(goal) ? null : goal;
  const ours_s = secondsOf(own);
  if (peer === undefined) {
    const none = { peer_s: null, ratio: null, low: null, high: null };
    return { work, peer: "none", ours_s, ...none, goal: goalOrNull };
  }
  const pairs = own.flatMap(({ seconds }, i) => {
    const beside = other[i];
    return beside === undefined ? [] : [{ ours: seconds, peer: beside.seconds }];
  });
  const peer_s = secondsOf(other);
  const row = { work, peer, ours_s, peer_s, ...ratioOf(pairs), goal: goalOrNull };
  const ours_mb = megabytesOf(own);
  const peer_mb = megabytesOf(other);
  if (ours_mb === undefined || peer_mb === undefined) return row;
  return { ...row, ours_mb, peer_mb };
}

const secondsOf = (runs: readonly Measured[]): number =>
  rounded(median(runs.map(({ seconds }) => seconds)));

function megabytesOf(runs: readonly Measured[]): number | undefined {
  const peaks = runs.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes / 1e6]));
  return peaks.length === 0 ? undefined : Math.round(median(peaks));
}

export const isReached = ({ ours_s, ratio, goal }: Row): boolean =>
  goal === null || (ratio ?? ours_s) <= goal;

export const HEADINGS: string = line([
  "work",
  "peer",
  "ours",
  "peer's",
  "ratio",
  "between",
  "goal",
  "",
]);

export function rowText(row: Row): string {
  const { work, peer, ours_s, peer_s, ratio, low, high, goal, ours_mb, peer_mb } = row;
  const unit = ratio === null ? " s" : " x";
  const text = line([
    work,
    peer,
    `${ours_s.toFixed(2)} s`,
    peer_s === null ? "" : `${peer_s.toFixed(2)} s`,
    ratio === null ? "" : `${ratio.toFixed(3)} x`,
    low === null || high === null ? "" : `${low.toFixed(3)} to ${high.toFixed(3)}`,
    goal === null ? "" : `${goal}${unit}`,
    goal === null ? "" : isReached(row) ? "reached" : "missed",
  ]);
  return ours_mb === undefined ? text : `${text}; at most ${ours_mb} MB, ${peer_mb} MB`;
}

function line(cells: readonly string[]): string {
  const widths = [18, 14, 10, 10, 10, 17, 8, 0];
  return cells
    .map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
    .join(" ")
    .trimEnd();
}
