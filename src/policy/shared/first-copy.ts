import { defined } from "../../base/assert.ts";
import { ascending } from "../../base/order.ts";
import type { Ask } from "../../model/action.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { NodeId, PhaseId, TaskId } from "../../model/ids.ts";
import type { Task } from "../../model/job.ts";
import { PlacedShortlist, Shortlist } from "../../model/shortlist.ts";
import { soleAttempt } from "../../model/sole-attempt.ts";
import { mayBeCopiedTo } from "../../model/tried-before.ts";
import type { View } from "../../model/view.ts";
import type { Why } from "../../model/why.ts";

/** Whom of a phase's running attempts a policy copies. */
export interface Search {
  /** The list is held under this name, which is unique: it begins with the policy's. */
  readonly name: string;
  /** The attempts in the order in which they are copied; where it is left out, `byLaunch`. */
  readonly among?: () => Iterable<Attempt>;
  /** Where fewer can pass the tests than run: all that can, in the same order. */
  readonly within?: () => Iterable<Attempt>;
  /** The smallest is copied first; of equal ones, the first of `among`. */
  readonly key?: (attempt: Attempt) => number;
  /** Whether those with data on the node come before those on its rack, and these before others. */
  readonly nearest?: boolean;
  /** Why an attempt is not copied: rules, in the order in which they are tested. */
  readonly unless?: readonly Unless[];
  /**
   * Where none is copied, one refusal is given: that of the first attempt which is not being
   * speculated on, or that of the attempt which came furthest in the tests.
   */
  readonly tells: "first" | "furthest";
}

export type Unless = readonly [rule: string, applies: (attempt: Attempt) => boolean];

export type Choice =
  | { readonly kind: "copy"; readonly attempt: Attempt }
  /** Without an attempt where none runs. */
  | { readonly kind: "none"; readonly rule: string; readonly attempt?: Attempt };

/**
 * The first attempt of the phase that runs alone, passes all tests and may be copied to the node,
 * or why there is none. COST: a look at all is held; a refusal is worked
 * out only if the scheduler explains.
 */
export function firstCopy(
  ctx: { readonly view: View; readonly explains: boolean },
  phase: PhaseId,
  node: NodeId,
  search: Search,
): Choice {
  const { explains, view } = ctx;
  const list = view.held(phase, search.name, () => listOf(view, phase, search));
  const attempt = list.firstFor(view, node);
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

/** The first live attempt of each task that runs, in the order of their launch. */
export const byLaunch = (view: View, phase: PhaseId): Iterable<Attempt> =>
  firstLive(view, view.runningTasks(phase));

/**
 * Hadoop 1.2.1 (JobInProgress.runningMapCache, runningReduces): a task keeps its place until its
 * last attempt has ended, so that a copy that is left alone stands where its original stood.
 */
export const byTask = (view: View, phase: PhaseId): Iterable<Attempt> =>
  firstLive(view, view.tasksAtWork(phase));

function firstLive(view: View, tasks: Iterable<Task>): readonly Attempt[] {
  const firsts: Attempt[] = [];
  for (const { id } of tasks) {
    for (const attempt of view.attemptsOf(id)) {
      if (!isLive(attempt)) continue;
      firsts.push(attempt);
      break;
    }
  }
  return firsts;
}

const isLive = ({ state }: Attempt): boolean => state === "running" || state === "assumed";

function listOf(view: View, phase: PhaseId, search: Search): Shortlist | PlacedShortlist {
  const { key, nearest = false, unless = [], within } = search;
  const attempts: Attempt[] = [];
  for (const attempt of within?.() ?? amongOf(view, phase, search)) {
    if (isAlone(view, attempt) && !isRefused(attempt, unless)) attempts.push(attempt);
  }
  const ordered = key === undefined ? attempts : sorted(attempts, key);
  return nearest ? new PlacedShortlist(view, ordered) : new Shortlist(ordered);
}

// No iterator of the pair: this is asked of every running attempt.
function isRefused(attempt: Attempt, tests: readonly Unless[]): boolean {
  for (const test of tests) if (test[1](attempt)) return true;
  return false;
}

const amongOf = (view: View, phase: PhaseId, { among }: Search): Iterable<Attempt> =>
  among?.() ?? byLaunch(view, phase);

/** Whether it is the one attempt of its task that has not ended. */
export const isAlone = (view: View, { task }: Attempt): boolean =>
  soleAttempt(view, task) !== undefined;

function sorted(attempts: readonly Attempt[], key: (attempt: Attempt) => number): Attempt[] {
  const ranked = attempts.map((attempt) => ({ attempt, rank: key(attempt) }));
  ranked.sort(ascending(({ rank }) => rank));
  return ranked.map(({ attempt }) => attempt);
}

const NOTHING_RUNS: Choice = { kind: "none", rule: "nothing-running" };

function whyNone(view: View, phase: PhaseId, node: NodeId, search: Search): Choice {
  const tests: readonly Unless[] = [
    ["already-speculated", (attempt) => !isAlone(view, attempt)],
    ...(search.unless ?? []),
    ["has-run-here", ({ task }) => !mayBeCopiedTo(view, task, node)],
    // It has begun, or become slow, since the look whose list is held.
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
