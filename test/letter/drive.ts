import type { Letter } from "./letter.ts";
import { type Difference, nothingShared, Play, type Shared } from "./play.ts";

/** The result of all worlds of a policy. */
export interface Driven {
  readonly policy: string;
  worlds: number;
  decisions: number;
  copies: number;
  restarts: number;
  kills: number;
  requests: number;
  withdrawals: number;
  differing: number;
  readonly shared: Shared;
  /** The first difference of each world that has one. */
  readonly differences: Difference[];
}

const MOMENTS_MAX = 300;
/** The counts of heartbeats, and their titles in a table. */
export const SHARED: readonly (readonly [keyof Shared, string])[] = [
  ...([
    ["several", "2 or more"],
    ["left", "nothing"],
    ["onNode", "on node"],
  ] as const),
  ...([
    ["onRack", "on rack"],
    ["offRack", "off rack"],
    ["anywhere", "no place"],
  ] as const),
  ...([
    ["again", "again"],
    ["reduces", "reduces"],
  ] as const),
];

/** Plays worlds of rising seeds until the given number of decisions has been compared. */
export function drive(letter: Letter, from: number, decisions: number): Driven {
  const driven: Driven = {
    ...{ policy: letter.policy, worlds: 0, decisions: 0, copies: 0, restarts: 0, kills: 0 },
    ...{ requests: 0, withdrawals: 0, differing: 0, differences: [] },
    shared: nothingShared(),
  };
  for (let seed = from; driven.decisions < decisions; seed++) {
    const played = new Play(letter, seed).run(MOMENTS_MAX);
    driven.worlds++;
    driven.decisions += played.decisions;
    driven.copies += played.actions.copies;
    driven.restarts += played.actions.restarts;
    driven.kills += played.actions.kills;
    driven.requests += played.actions.requests;
    driven.withdrawals += played.actions.withdrawals;
    for (const [what] of SHARED) driven.shared[what] += played.shared[what];
    driven.differing += played.differences.length;
    const [first] = played.differences;
    if (first !== undefined) driven.differences.push(first);
  }
  return driven;
}

export const differenceText = (d: Difference): string =>
  `${d.policy}, seed ${d.seed}, at ${d.at} ms, ${d.where}: expected ${d.expected || "nothing"}, ` +
  `found ${d.found || "nothing"}`;
