import { assert, defined } from "../../base/assert.ts";
import { nextFloat, type RandomState, shuffle } from "../../base/random.ts";
import { takeOut } from "../../base/take-out.ts";
import type { Action } from "../../model/action.ts";
import type { ForeseenProgress } from "../../model/progress.ts";
import { BEGIN, FINISH } from "./agenda.ts";
import { isPassed } from "./barrier.ts";
import { endAttempt, reportSoon } from "./beat.ts";
import { FixedRun } from "./fixed-run.ts";
import { FluidRun } from "./fluid-run.ts";
import { pinnedCame } from "./pins.ts";
import { chanceOf, failurePoint } from "./scenario-workload.ts";
import {
  type Arriving,
  type LaunchAction,
  SimAttempt,
  type SimNode,
  type SimPhase,
} from "./state.ts";
import type { World } from "./world.ts";

export function launch(world: World, action: LaunchAction): void {
  const phase = world.phases.ofTask(action.task);
  const task = defined(phase.phase.tasks.at(action.task - phase.first), "a task of the phase");
  const node = world.node(action.node);
  const free = node.free[action.slot] ?? 0;
  assert(free > 0, "a launch is on a node with a free slot");
  node.free[action.slot] = free - 1;
  const attempt = new SimAttempt(action, { task, phase }, node);
  world.enter(attempt);
  if (node.health === "up") arrive(world, attempt);
  else node.undelivered.push(attempt);
  pinnedCame(world, attempt);
}

/** The launch reaches the node, where the attempt may have to wait before it begins. */
export function arrive(world: World, attempt: SimAttempt): void {
  const { work } = attempt.phase;
  if (attempt.arriving === undefined) {
    attempt.arriving = countArrival(attempt);
    const waitMs = work.kind === "fixed" ? (work.waitMs?.(attempt.arriving) ?? 0) : 0;
    if (waitMs > 0) {
      attempt.begins = world.agenda.enter(world.now + waitMs, BEGIN, attempt.place);
      return;
    }
  }
  begin(world, attempt, attempt.arriving);
}

function countArrival({ as, phase, task: { index } }: SimAttempt): Arriving {
  const ordinal = phase.launches[index] ?? 0;
  phase.launches[index] = ordinal + 1;
  const copies = phase.copies.get(index) ?? 0;
  if (as === "speculative") phase.copies.set(index, copies + 1);
  return { index, ordinal, as, copies };
}

/** The attempt has waited on its node. */
export function waitIsOver(world: World, attempt: SimAttempt): void {
  attempt.begins = undefined;
  const { node } = attempt;
  if (node.health === "up") arrive(world, attempt);
  else node.undelivered.push(attempt);
}

/** The attempt runs, and the scheduler is told. */
function begin(world: World, attempt: SimAttempt, arriving: Arriving): void {
  const { phase, task, node, request } = attempt;
  const { ordinal } = arriving;
  node.lastContact = world.now;
  attempt.startedAt = world.now;
  const failsAt = failurePoint(phase, task.index, ordinal);
  const progress =
    phase.work.kind === "fixed"
      ? beginFixed(world, attempt, phase.work, { arriving, failsAt })
      : beginFluid(world, attempt, { ordinal, failsAt });
  const started = {
    at: world.now,
    kind: "attempt-started",
    attempt: attempt.id,
    task: task.id,
    node: node.node.id,
    as: attempt.as,
    progress,
  } as const;
  world.feed(request === undefined ? started : { ...started, request });
}

function beginFixed(
  world: World,
  attempt: SimAttempt,
  work: Extract<SimPhase["work"], { readonly kind: "fixed" }>,
  { arriving, failsAt }: { readonly arriving: Arriving; readonly failsAt: number | undefined },
): ForeseenProgress {
  const { node, phase, place } = attempt;
  const profile = work.profile(arriving);
  const isHeld = profile.heldByReads === true && !isPassed(phase);
  if (isHeld) phase.held.add(attempt);
  const speed = node.speed(profile.slowedByNode);
  const run = new FixedRun(profile, { failsAt, at: world.now, speed, isHeld });
  attempt.run = run;
  const entry = { handle: undefined, time: run.endsAt, kind: FINISH, subject: place };
  run.handle = world.agenda.reschedule(entry);
  return run.progress(world.timing.reportEveryMs);
}

function beginFluid(
  world: World,
  attempt: SimAttempt,
  { ordinal, failsAt }: { readonly ordinal: number; readonly failsAt: number | undefined },
): ForeseenProgress {
  const chance = chanceOf(attempt.phase, attempt.task.index, ordinal);
  const run = new FluidRun(world, attempt, { failsAt, chance });
  attempt.run = run;
  const curve = run.curve();
  run.begin();
  return curve;
}

/** A fixed run ends, by success or failure. */
export function fixedRunEnds(world: World, attempt: SimAttempt): void {
  const { run, node } = attempt;
  assert(run?.kind === "fixed", "a finish in the agenda is of a fixed run");
  run.handle = undefined;
  const failed = run.fails || node.diskFull;
  endAttempt(
    world,
    attempt,
    failed ? { how: "failed" } : { how: "succeeded", bytes: run.bytesRead },
  );
}

/** Stops the attempt's run. */
export function stopRun(world: World, attempt: SimAttempt): void {
  const { run } = attempt;
  if (attempt.begins !== undefined) world.agenda.remove(attempt.begins);
  attempt.begins = undefined;
  attempt.phase.held.delete(attempt);
  if (attempt.end !== undefined || run === undefined) return;
  attempt.endedAt = world.now;
  if (run.kind === "fluid") run.stop();
  else if (run.handle !== undefined) world.agenda.remove(run.handle);
  if (run.kind === "fixed") run.handle = undefined;
}

export function kill(world: World, action: Extract<Action, { readonly kind: "kill" }>): void {
  const node = world.node(world.scheduler.view.attempt(action.attempt).node);
  const attempt = node.attempts.find(({ id }) => id === action.attempt);
  if (attempt === undefined || attempt.end?.how === "killed") return;
  const waitsToBeTold = attempt.end !== undefined;
  stopRun(world, attempt);
  attempt.end = { how: "killed", by: "us" };
  takeOut(node.undelivered, attempt);
  if (node.silent) {
    takeOut(node.unreported, attempt);
    // The scheduler knows of this end already.
    world.leave(attempt);
    return;
  }
  if (!waitsToBeTold) node.unreported.push(attempt);
  reportSoon(world, node, "killed");
}

/**
 * Ends attempts on the node as the host would: a given number, or each with a probability. The node
 * reports them at its next heartbeat.
 */
export function evict(
  world: World,
  node: SimNode,
  which: ({ readonly count: number } | { readonly share: number }) & {
    readonly chance: RandomState;
  },
): void {
  if (node.health !== "up") return;
  const { chance } = which;
  const running = node.attempts.filter(({ run, end }) => run !== undefined && end === undefined);
  const evicted =
    "count" in which
      ? shuffle(chance, running).slice(0, which.count)
      : running.filter(() => nextFloat(chance) < which.share);
  for (const attempt of evicted) {
    stopRun(world, attempt);
    attempt.end = { how: "killed", by: "host" };
    node.unreported.push(attempt);
  }
  if (evicted.length > 0) reportSoon(world, node, "killed");
}

/**
 * Ends all attempts that the node held when the scheduler gave it up, or when it came back empty.
 */
export function dropAll(world: World, node: SimNode): void {
  for (const attempt of [...node.attempts]) {
    stopRun(world, attempt);
    attempt.end = { how: "killed", by: "us" };
    // The scheduler knows of this end already.
    world.leave(attempt);
  }
  node.unreported.length = 0;
  node.undelivered.length = 0;
  node.freeAll();
}
