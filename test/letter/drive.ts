import type { Letter } from "./letter.ts";
import { type Difference, nothingShared, Play, type Shared } from "./play.ts";

/** The result of all worlds of a policy. */
export interface Driven {
  readonly policy: string;
  worlds: number;
  decisions: number;
  /** How often each of the letter's acts was compared. */
  readonly acts: Map<string, number>;
  /** What the policy did though its letter does not list it. */
  readonly unlisted: Set<string>;
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

/** Worlds after which a rule that has not acted often enough counts as one that does not act. */
const worldsMax = (actions: number): number => 100 + 40 * actions;

/**
 * Plays worlds of rising seeds until each rule of the policy has acted so often, and each action
 * and each refusal on the way has been compared.
 */
export function drive(letter: Letter, from: number, actions: number): Driven {
  const driven: Driven = {
    ...{ policy: letter.policy, worlds: 0, decisions: 0, differing: 0, differences: [] },
    acts: new Map(letter.acts.map((act) => [act, 0])),
    unlisted: new Set(),
    shared: nothingShared(),
  };
  do play(driven, letter, from + driven.worlds);
  while (rare(driven, actions).length > 0 && driven.worlds < worldsMax(actions));
  return driven;
}

/** Plays one world. */
export function driveOne(letter: Letter, seed: number): Driven {
  return drive(letter, seed, 0);
}

/** The acts that have not happened so often. */
export const rare = ({ acts }: Driven, actions: number): readonly string[] =>
  [...acts].filter(([, count]) => count < actions).map(([act]) => act);

function play(driven: Driven, letter: Letter, seed: number): void {
  const played = new Play(letter, seed).run(MOMENTS_MAX);
  driven.worlds++;
  driven.decisions += played.decisions;
  for (const [act, count] of played.acts) {
    const before = driven.acts.get(act);
    if (before === undefined) driven.unlisted.add(act);
    else driven.acts.set(act, before + count);
  }
  for (const [what] of SHARED) driven.shared[what] += played.shared[what];
  driven.differing += played.differences.length;
  const [first] = played.differences;
  if (first !== undefined) driven.differences.push(first);
}

export const differenceText = (d: Difference): string =>
  `${d.policy}, seed ${d.seed}, at ${d.at} ms, ${d.where}: expected ${d.expected || "nothing"}, ` +
  `found ${d.found || "nothing"}`;

/** What is wrong with the result, a line each. */
export const faultsOf = (driven: Driven, actions: number): readonly string[] => [
  ...driven.differences.map(differenceText),
  ...[...driven.unlisted].map((act) => `${driven.policy}: its letter does not list "${act}"`),
  ...rare(driven, actions).map(
    (act) =>
      `${driven.policy}: "${act}" happened less than ${actions} times in ${driven.worlds} worlds`,
  ),
];
