import { assert, defined } from "../../base/assert.ts";
import { nextFloat, type RandomState, shuffle } from "../../base/random.ts";
import { takeOut } from "../../base/take-out.ts";
import type { Action } from "../../model/action.ts";
import type { ForeseenProgress } from "../../model/progress.ts";
import { BEGIN } from "./agenda.ts";
import { isPassed } from "./barrier.ts";
import { endOnNode, reportSoon } from "./beat.ts";
import { endOf, evenWork, lineOf, runOf } from "./even-work.ts";
import { FixedRun } from "./fixed-run.ts";
import { chanceOf, failurePoint } from "./own-draws.ts";
import { pinnedCame } from "./pins.ts";
import { type LaunchAction, type PhaseWork, type Row, SimAttempt, type SimNode } from "./state.ts";
import type { World } from "./world.ts";

export function launch(world: World, action: LaunchAction): void {
  const phase = world.phases.ofTask(action.task);
  const node = world.node(action.node);
  node.take(action.slot);
  const row = world.attempts.enter(action, phase);
  const index = action.task - phase.first;
  if (phase.work.kind !== "fixed") {
    const task = defined(phase.phase.tasks.at(index), "a task of the phase");
    world.enterFlowing(new SimAttempt({ id: action.attempt, row, task, phase, node }));
  }
  if (node.health === "up") arrive(world, row);
  else node.undelivered.push(row);
  if (phase.pinned.length > 0) pinnedCame(world, phase, index);
}

/** The launch reaches the node, where the attempt may have to wait before it begins. */
export function arrive(world: World, row: Row): void {
  const { attempts } = world;
  if (!attempts.hasArrived(row)) {
    countArrival(world, row);
    const { work } = attempts.phase(row);
    if (work.kind === "fixed" && work.waitMs !== undefined) {
      const waitMs = work.waitMs(attempts.arriving(row), world.now);
      if (waitMs > 0) {
        attempts.setHandle(row, world.agenda.enter(world.now + waitMs, BEGIN, row));
        return;
      }
    }
  }
  begin(world, row);
}

function countArrival({ attempts }: World, row: Row): void {
  const { copies, first, launches } = attempts.phase(row);
  const index = attempts.task(row) - first;
  const ordinal = launches[index] ?? 0;
  launches[index] = ordinal + 1;
  const copied = copies.size === 0 ? 0 : (copies.get(index) ?? 0);
  if (attempts.as(row) === "speculative") copies.set(index, copied + 1);
  attempts.arrive(row, { ordinal, copies: copied });
}

/** The attempt's wait on its node has ended. */
export function waitIsOver(world: World, row: Row): void {
  world.attempts.setHandle(row, undefined);
  const node = world.node(world.attempts.node(row));
  if (node.health === "up") arrive(world, row);
  else node.undelivered.push(row);
}

/** Starts the attempt and reports the start to the scheduler. */
function begin(world: World, row: Row): void {
  const { attempts, now } = world;
  const { work } = attempts.phase(row);
  const node = world.node(attempts.node(row));
  node.lastContact = now;
  attempts.begin(row);
  const progress =
    work.kind === "fixed" ? beginFixed(world, row, node, work) : beginFlowing(world, row);
  const started = {
    at: now,
    kind: "attempt-started",
    attempt: attempts.id(row),
    task: attempts.task(row),
    node: node.id,
    as: attempts.as(row),
    progress,
  } as const;
  const request = attempts.request(row);
  world.feed(request === undefined ? started : { ...started, request });
}

/** Even work needs only the attempt's row. */
function beginFixed(world: World, row: Row, node: SimNode, work: FixedWork): ForeseenProgress {
  const { attempts, now, timing } = world;
  const phase = attempts.phase(row);
  const arriving = attempts.arriving(row);
  const failsAt = failurePoint(phase, arriving.index, arriving.ordinal);
  const profile = work.profile(arriving);
  const isHeld = profile.heldByReads === true && !isPassed(phase);
  const speed = node.speed(profile.slowedByNode);
  attempts.setBytes(row, profile.bytesRead);
  const even =
    isHeld || failsAt !== undefined ? undefined : evenWork(profile, { startedAt: now, speed });
  if (even !== undefined) {
    attempts.goEvenly(row, even);
    world.awaitEnd(row, endOf(even));
    return lineOf(even, timing.reportEveryMs);
  }
  if (isHeld) phase.held.add(row);
  const run = new FixedRun(profile, { failsAt, at: now, speed, isHeld });
  attempts.setBehind(row, run);
  world.awaitEnd(row, run.endsAt);
  return run.progress(timing.reportEveryMs);
}

type FixedWork = Extract<PhaseWork, { readonly kind: "fixed" }>;

function beginFlowing(world: World, row: Row): ForeseenProgress {
  const { attempts } = world;
  const makeRun = defined(world.makeRun, "a way to run work that flows");
  const attempt = attempts.behind(row);
  assert(attempt?.kind === "flowing", "an attempt of a phase whose work flows");
  const { phase } = attempt;
  const { index, ordinal } = attempts.arriving(row);
  const failsAt = failurePoint(phase, index, ordinal);
  attempt.startedAt = world.now;
  const run = makeRun(world, attempt, { failsAt, chance: chanceOf(phase, index, ordinal) });
  attempt.run = run;
  const curve = run.curve();
  run.begin();
  return curve;
}

/** Fixed work ends as its profile says, or fails on a full disk. */
export function fixedWorkEnds(world: World, row: Row): void {
  const { attempts } = world;
  const run = attempts.behind(row);
  assert(run?.kind !== "flowing", "a finish in the agenda is of fixed work");
  attempts.setHandle(row, undefined);
  const { diskFull } = world.node(attempts.node(row));
  const ended = diskFull ? "failed" : (run?.ends ?? "succeeded");
  endOnNode(world, row, ended);
}

/** The run of fixed work, for a change: even work gets its object now. */
export function fixedRunOf({ attempts }: World, row: Row): FixedRun {
  const known = attempts.behind(row);
  if (known?.kind === "fixed") return known;
  const run = runOf(attempts.evenWork(row));
  attempts.setBehind(row, run);
  return run;
}

/** Stops the attempt's run. */
export function stopRun({ agenda, attempts }: World, row: Row): void {
  const handle = attempts.handle(row);
  if (handle !== undefined) agenda.remove(handle);
  attempts.setHandle(row, undefined);
  attempts.phase(row).held.delete(row);
  const behind = attempts.behind(row);
  if (behind?.kind === "flowing" && attempts.isRunning(row)) behind.run?.stop();
}

export function kill(world: World, action: Extract<Action, { readonly kind: "kill" }>): void {
  const { attempts } = world;
  const node = world.node(world.scheduler.view.attempt(action.attempt).node);
  const row = attempts.find(node.id, action.attempt);
  if (row === undefined || isKilled(world, row)) return;
  const waitsToBeTold = attempts.ended(row) !== undefined;
  stopRun(world, row);
  attempts.end(row, "killed");
  takeOut(node.undelivered, row);
  if (node.silent) {
    node.dropUnreported(row);
    // The scheduler knows of this end already.
    world.leave(row);
    return;
  }
  if (!waitsToBeTold) node.addUnreported(row);
  reportSoon(world, node, "killed");
}

export function isKilled({ attempts }: World, row: Row): boolean {
  const ended = attempts.ended(row);
  return ended === "killed" || ended === "evicted";
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
  const { attempts } = world;
  const { chance } = which;
  const running: Row[] = [];
  attempts.each(node.id, (row) => {
    if (attempts.isRunning(row)) running.push(row);
  });
  const evicted =
    "count" in which
      ? shuffle(chance, running).slice(0, which.count)
      : running.filter(() => nextFloat(chance) < which.share);
  for (const row of evicted) {
    stopRun(world, row);
    attempts.end(row, "evicted");
    node.addUnreported(row);
  }
  if (evicted.length > 0) reportSoon(world, node, "killed");
}

/**
 * Ends all attempts that the node held when the scheduler gave it up, or when it came back empty.
 */
export function dropAll(world: World, node: SimNode): void {
  world.attempts.each(node.id, (row) => {
    stopRun(world, row);
    world.attempts.end(row, "killed");
    // The scheduler knows of this end already.
    world.leave(row);
  });
  node.clearUnreported();
  node.undelivered.length = 0;
  node.freeAll();
}
