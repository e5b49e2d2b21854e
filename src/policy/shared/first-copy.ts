import { defined } from "../../base/assert.ts";
import { isClearlyBelow } from "../../base/clearly-below.ts";
import type { Ask } from "../../model/action.ts";
import type { Attempt } from "../../model/attempt.ts";
import { after, type NodeId, type PhaseId, type TaskId } from "../../model/ids.ts";
import { AttemptList, PlacedShortlist, Shortlist } from "../../model/shortlist.ts";
import { mayBeCopiedTo } from "../../model/tried-before.ts";
import type { View } from "../../model/view.ts";
import type { Why } from "../../model/why.ts";
import type { Sought } from "../shortcuts.ts";

/** Which of a phase's running attempts a policy copies: a rank, and conditions. */
export interface Search {
  /**
   * The attempts in the order in which they are copied. Where `sought` is given, attempts beyond
   * these bounds may be left out.
   */
  readonly ranked: (sought?: Sought) => Iterable<Attempt>;
  /** The attempt with the smallest key is copied first; among equal ones, the first of `ranked`. */
  readonly key?: (attempt: Attempt) => number;
  /**
   * Whether an attempt ranks as high as the first. Of the attempts at the front that do, the one
   * with data on the node is copied, then the one with data on its rack.
   */
  readonly isTied?: (attempt: Attempt, first: Attempt) => boolean;
  /** What an attempt must fulfil to be copied, in the order in which it is tested. */
  readonly only?: readonly Condition[];
  /**
   * If no attempt is copied, there is one refusal: of the first attempt that is not being
   * speculated, or of the attempt that fulfils the most conditions.
   */
  readonly refusal: "first" | "furthest";
}

/** `rule`: the reason against an attempt that does not fulfil it. */
export type Condition = readonly [rule: string, bound: Test | Bound];

type Test = (attempt: Attempt) => boolean;

/** The least time that it has run, in milliseconds; or what its rate is below, per millisecond. */
type Bound = { readonly ranMsMin: number } | { readonly rateBelow: number };

export type Choice =
  | { readonly kind: "copy"; readonly attempt: Attempt }
  /** Without an attempt if none runs. */
  | { readonly kind: "none"; readonly rule: string; readonly attempt?: Attempt };

/**
 * The first attempt of the phase that runs alone, fulfils all conditions and may be copied to the
 * node; or why there is none. A discipline has one policy that searches, and it searches a phase in
 * one way: its list is held between looks. COST: one pass over the running attempts per look; a
 * refusal is computed only if the scheduler explains.
 */
export function firstCopy(
  ctx: { readonly view: View; readonly explains: boolean },
  phase: PhaseId,
  node: NodeId,
  search: Search,
): Choice {
  const { explains, view } = ctx;
  const looks = view.held(phase, "shortlist", () => new Looks());
  const attempt = looks.firstFor(view, node, (most) => lookAt(view, search, most));
  if (attempt !== undefined) return { kind: "copy", attempt };
  return explains ? whyNone(view, node, search) : NOTHING_RUNS;
}

/** Whether an attempt fulfils all these conditions. */
export function fulfils(view: View, only: readonly Condition[]): Test {
  const tests = only.map(([, bound]) => testOf(view, bound));
  // A loop without an iterator of pairs: it runs for every running attempt.
  return (attempt) => {
    for (const test of tests) if (!test(attempt)) return false;
    return true;
  };
}

/** The launch of a copy. */
export const copyOn = (node: NodeId, task: TaskId, why: Why): Ask => ({
  kind: "launch",
  task,
  as: "speculative",
  node,
  why,
});

function testOf(view: View, bound: Test | Bound): Test {
  if (typeof bound === "function") return bound;
  if ("rateBelow" in bound) return ({ id }) => isClearlyBelow(view.rate(id), bound.rateBelow);
  // An attempt that has run for no time has no rate.
  return ({ startedAt }) =>
    startedAt !== undefined && view.now > startedAt && view.now >= after(startedAt, bound.ranMsMin);
}

interface Look {
  readonly list: Shortlist | PlacedShortlist;
  /** Whether the look stopped at its limit of attempts. */
  readonly isCut: boolean;
}

const LISTED_FIRST = 256;

/**
 * The attempts that a policy has found in a phase. Few of them are copied before the policy looks
 * again, so a look stops once it has found some. If these do not suffice, the policy looks again
 * for twice as many.
 */
class Looks {
  #most = LISTED_FIRST;
  #last: Look | undefined;

  firstFor(view: View, node: NodeId, lookFor: (most: number) => Look): Attempt | undefined {
    for (;;) {
      this.#last ??= lookFor(this.#most);
      const { isCut, list } = this.#last;
      const attempt = list.firstFor(view, node);
      if (attempt !== undefined || !isCut) return attempt;
      this.#most *= 2;
      this.#last = undefined;
    }
  }
}

/** COST: O(running attempts) with a key or if all are tied; else it ends once enough are found. */
function lookAt(view: View, search: Search, most: number): Look {
  const { isTied, key, only = [], ranked } = search;
  const isSought = fulfils(view, only);
  const attempts = new AttemptList();
  const keys: number[] = [];
  let first: Attempt | undefined;
  let tied = 0;
  for (const attempt of ranked(boundsOf(only))) {
    if (!isSought(attempt) || !view.isAlone(attempt.id)) continue;
    first ??= attempt;
    if (tied === attempts.length && isTied?.(attempt, first) === true) tied += 1;
    attempts.add(attempt);
    if (key !== undefined) keys.push(key(attempt));
    else if (attempts.length >= most && tied < attempts.length) {
      return { list: listOf(view, attempts, tied), isCut: true };
    }
  }
  const ordered = key === undefined ? attempts : attempts.sortedBy(keys);
  return { list: listOf(view, ordered, tied), isCut: false };
}

const listOf = (view: View, attempts: AttemptList, tied: number): Look["list"] =>
  tied === 0 ? new Shortlist(attempts) : new PlacedShortlist(view, attempts, tied);

const UNBOUNDED: Sought = { rateBelow: Number.POSITIVE_INFINITY, ranMsMin: 0 };

function boundsOf(only: readonly Condition[]): Sought {
  let bounds = UNBOUNDED;
  for (const [, one] of only) if (typeof one !== "function") bounds = { ...bounds, ...one };
  return bounds;
}

const NOTHING_RUNS: Choice = { kind: "none", rule: "nothing-running" };

function whyNone(view: View, node: NodeId, search: Search): Choice {
  const conditions: readonly Condition[] = [
    ["already-speculated", ({ id }) => view.isAlone(id)],
    ...(search.only ?? []),
    ["has-run-here", ({ task }) => mayBeCopiedTo(view, task, node)],
    // The attempt began, or became slow, after the look whose list is held.
    ["waits-for-next-look", () => false],
  ];
  const tests = conditions.map(([, bound]) => testOf(view, bound));
  let refused: { readonly place: number; readonly attempt: Attempt } | undefined;
  for (const attempt of search.ranked()) {
    const place = tests.findIndex((test) => !test(attempt));
    const isNearer =
      refused === undefined ||
      (search.refusal === "first" ? refused.place === 0 : place > refused.place);
    if (isNearer) refused = { place, attempt };
  }
  if (refused === undefined) return NOTHING_RUNS;
  const [rule] = defined(conditions[refused.place], "a condition that is not fulfilled");
  return { kind: "none", rule, attempt: refused.attempt };
}
