import { defined } from "../../base/assert.ts";
import type { Ask } from "../../model/action.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { NodeId, PhaseId, TaskId } from "../../model/ids.ts";
import { AttemptList, PlacedShortlist, Shortlist } from "../../model/shortlist.ts";
import { mayBeCopiedTo } from "../../model/tried-before.ts";
import type { View } from "../../model/view.ts";
import type { Why } from "../../model/why.ts";

/** Which of a phase's running attempts a policy copies. */
export interface Search {
  /** The name under which the list is held; unique, since it begins with the policy's name. */
  readonly name: string;
  /** The attempts in the order in which they are copied; `byLaunch` if left out. */
  readonly among?: () => Iterable<Attempt>;
  /** All attempts that can pass the tests, in the same order; for policies where these are few. */
  readonly within?: () => Iterable<Attempt>;
  /** The attempt with the smallest key is copied first; among equal ones, the first of `among`. */
  readonly key?: (attempt: Attempt) => number;
  /**
   * Whether attempts with data on the node come before those with data on its rack, and these
   * before others.
   */
  readonly nearest?: boolean;
  /** Rules against copying an attempt, in the order in which they are tested. */
  readonly unless?: readonly Unless[];
  /**
   * If no attempt is copied, there is one refusal: for the first attempt that is not being
   * speculated, or for the attempt that passed the most tests.
   */
  readonly tells: "first" | "furthest";
}

export type Unless = readonly [rule: string, applies: (attempt: Attempt) => boolean];

export type Choice =
  | { readonly kind: "copy"; readonly attempt: Attempt }
  /** Without an attempt if none runs. */
  | { readonly kind: "none"; readonly rule: string; readonly attempt?: Attempt };

/**
 * The first attempt of the phase that runs alone, passes all tests and may be copied to the node;
 * or why there is none. COST: one pass over the running attempts per look, whose list is held; a
 * refusal is computed only if the scheduler explains.
 */
export function firstCopy(
  ctx: { readonly view: View; readonly explains: boolean },
  phase: PhaseId,
  node: NodeId,
  search: Search,
): Choice {
  const { explains, view } = ctx;
  const looks = view.held(phase, search.name, () => new Looks());
  const attempt = looks.firstFor(view, node, (most) => listOf(view, phase, search, most));
  if (attempt !== undefined) return { kind: "copy", attempt };
  return explains ? whyNone(view, phase, node, search) : NOTHING_RUNS;
}

/** The launch of a copy. */
export const copyOn = (node: NodeId, task: TaskId, why: Why): Ask => ({
  kind: "launch",
  task,
  as: "speculative",
  node,
  why,
});

/** The oldest live attempt of each running task, in launch order. */
export const byLaunch = (view: View, phase: PhaseId): Iterable<Attempt> =>
  view.oldestRunning(phase, "launch");

/**
 * Hadoop 1.2.1 (JobInProgress.runningMapCache, runningReduces): a task keeps its place until its
 * last attempt has ended, so that a copy left alone takes its original's place.
 */
export const byTask = (view: View, phase: PhaseId): Iterable<Attempt> =>
  view.oldestRunning(phase, "work");

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

/** COST: O(running attempts) where `key` or `nearest` orders them; else until enough are found. */
function listOf(view: View, phase: PhaseId, search: Search, most: number): Look {
  const { key, nearest = false, unless = [], within } = search;
  const isOrdered = key === undefined && !nearest;
  const attempts = new AttemptList();
  const keys: number[] = [];
  let isCut = false;
  for (const attempt of within?.() ?? amongOf(view, phase, search)) {
    if (isRefused(attempt, unless) || !view.isAlone(attempt.id)) continue;
    attempts.add(attempt);
    if (key !== undefined) keys.push(key(attempt));
    isCut = isOrdered && attempts.length === most;
    if (isCut) break;
  }
  const ordered = key === undefined ? attempts : attempts.sortedBy(keys);
  return { list: nearest ? new PlacedShortlist(view, ordered) : new Shortlist(ordered), isCut };
}

// A loop without an iterator of pairs: it runs for every running attempt.
function isRefused(attempt: Attempt, tests: readonly Unless[]): boolean {
  for (const test of tests) if (test[1](attempt)) return true;
  return false;
}

const amongOf = (view: View, phase: PhaseId, { among }: Search): Iterable<Attempt> =>
  among?.() ?? byLaunch(view, phase);

const NOTHING_RUNS: Choice = { kind: "none", rule: "nothing-running" };

function whyNone(view: View, phase: PhaseId, node: NodeId, search: Search): Choice {
  const tests: readonly Unless[] = [
    ["already-speculated", (attempt) => !view.isAlone(attempt.id)],
    ...(search.unless ?? []),
    ["has-run-here", ({ task }) => !mayBeCopiedTo(view, task, node)],
    // The attempt began, or became slow, after the look whose list is held.
    ["waits-for-next-look", () => true],
  ];
  let told: { readonly place: number; readonly attempt: Attempt } | undefined;
  for (const attempt of amongOf(view, phase, search)) {
    const place = tests.findIndex(([, applies]) => applies(attempt));
    const isTold = search.tells === "first" ? told?.place === 0 : place > (told?.place ?? 0);
    if (told === undefined || isTold) told = { place, attempt };
  }
  if (told === undefined) return NOTHING_RUNS;
  const [rule] = defined(tests[told.place], "a test that applies");
  return { kind: "none", rule, attempt: told.attempt };
}
