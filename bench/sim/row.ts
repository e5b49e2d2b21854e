import { median, ratioOf, rounded } from "../engine/ratio.ts";

/** A line of the table: the rate of a program, alone or beside a peer. */
export interface Row {
  readonly work: string;
  readonly peer: string;
  /** What is counted. */
  readonly unit: string;
  /** Medians, per second of the whole process's time. */
  readonly ours: number;
  readonly peers: number | null;
  /** Our rate over the peer's, round by round: the median and its interval. */
  readonly ratio: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** The goal: the least ratio or, without a peer, the least rate. */
  readonly goal: number | null;
  /** The median peak memory of our process, MB. */
  readonly mb: number;
}

/** One run of a program. */
export interface Measured {
  readonly seconds: number;
  readonly peakBytes: number;
}

export interface Comparison {
  readonly work: string;
  readonly unit: string;
  /** The number of units in a run. */
  readonly units: number;
  readonly ours: readonly Measured[];
  /** In the order of the rounds, like ours. */
  readonly peer?: { readonly name: string; readonly runs: readonly Measured[] };
  readonly goal?: number;
}

export function rowOf({ work, unit, units, ours, peer, goal }: Comparison): Row {
  const mb = Math.round(median(ours.map(({ peakBytes }) => peakBytes)) / 1e6);
  const row = { work, unit, ours: rateOf(units, ours), goal: goal ?? null, mb };
  if (peer === undefined) {
    return { ...row, peer: "none", peers: null, ratio: null, low: null, high: null };
  }
  // Our rate over the peer's is the peer's time over ours.
  const pairs = ours.flatMap(({ seconds }, i) => {
    const beside = peer.runs[i];
    return beside === undefined ? [] : [{ ours: beside.seconds, peer: seconds }];
  });
  return { ...row, peer: peer.name, peers: rateOf(units, peer.runs), ...ratioOf(pairs) };
}

const rateOf = (units: number, runs: readonly Measured[]): number =>
  rounded(units / median(runs.map(({ seconds }) => seconds)));

const isReached = ({ goal, ours, ratio }: Row): boolean => (ratio ?? ours) >= (goal ?? 0);

export const HEADINGS: string = line([
  "work",
  "peer",
  "ours/s",
  "peer's/s",
  "ratio",
  "between",
  "memory",
  "goal",
  "",
]);

export function rowText(row: Row): string {
  const { work, peer, unit, ours, peers, ratio, low, high, goal, mb } = row;
  return line([
    work,
    peer,
    `${shown(ours)} ${unit}`,
    peers === null ? "" : shown(peers),
    ratio === null ? "" : `${ratio.toFixed(3)} x`,
    low === null || high === null ? "" : `${low.toFixed(3)} to ${high.toFixed(3)}`,
    `${mb} MB`,
    goal === null ? "" : `${goal}${ratio === null ? "" : " x"}`,
    goal === null ? "" : isReached(row) ? "reached" : "missed",
  ]);
}

const shown = (rate: number): string =>
  rate < 100 ? rate.toFixed(1) : Math.round(rate).toLocaleString("en");

function line(cells: readonly string[]): string {
  const widths = [16, 12, 20, 12, 10, 17, 9, 8, 0];
  return cells
    .map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
    .join(" ")
    .trimEnd();
}
