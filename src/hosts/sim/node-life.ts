import { nextFloat, type RandomState } from "../../base/random.ts";
import { instant } from "../../model/ids.ts";
import { SILENCE } from "./agenda.ts";
import { arrive, dropAll, fixedRunOf, isKilled, stopRun } from "./attempts.ts";
import { beat, nextBeat } from "./beat.ts";
import { setMachineSpeed } from "./machine.ts";
import { forgetOutputs } from "./outputs.ts";
import type { KillWhat, SimNode } from "./state.ts";
import type { World } from "./world.ts";

/** Applies a change of the node's speed, or a pause or its end, to everything that runs there. */
export function speedChanged(world: World, node: SimNode): void {
  const running = node.health === "up";
  if (node.machine !== undefined) {
    const { slowness, machineIsOn } = node;
    setMachineSpeed(world.fluid, node.machine, { slowness, running: machineIsOn });
    for (const load of node.loads.values()) load.speedChanged(slowness);
  }
  const { attempts } = world;
  attempts.each(node.id, (row) => {
    if (!attempts.isRunning(row)) return;
    const behind = attempts.behind(row);
    if (behind?.kind === "flowing") {
      behind.run?.speedChanged();
      return;
    }
    const run = fixedRunOf(world, row);
    run.changeSpeed(world.now, node.speed(run.slowedByNode));
    world.awaitEnd(row, run.endsAt);
  });
  if (running) reportProgress(world, node);
}

function reportProgress(world: World, node: SimNode): void {
  const { attempts } = world;
  attempts.each(node.id, (row) => {
    if (!attempts.isRunning(row)) return;
    const behind = attempts.behind(row);
    if (behind?.kind === "flowing") {
      behind.run?.reportProgress();
      return;
    }
    const attempt = attempts.id(row);
    const progress = fixedRunOf(world, row).progress(world.timing.reportEveryMs);
    world.feed({ at: world.now, kind: "attempt-progressed", attempt, progress });
  });
}

/** Pauses the node, heartbeats included. */
export function pause(world: World, node: SimNode, forMs: number): void {
  node.pausedUntil = Math.max(node.pausedUntil, world.now + forMs);
  if (node.health !== "up") return;
  node.health = "paused";
  speedChanged(world, node);
  missHeartbeats(world, node);
}

/** Resumes a paused node where it stopped. */
export function resume(world: World, node: SimNode): void {
  if (node.health !== "paused" || world.now < node.pausedUntil) return;
  node.health = "up";
  if (node.lost) {
    join(world, node);
    speedChanged(world, node);
    return;
  }
  const wasSilent = node.silent;
  node.silent = false;
  if (wasSilent) world.feed({ at: world.now, kind: "node-heard", node: node.id });
  for (const row of node.undelivered.splice(0)) arrive(world, row);
  speedChanged(world, node);
  if (wasSilent || node.unreported.length > 0) beat(world, node);
}

/**
 * Kills the node: its attempts end, and the files that die with it go. The core does not know yet.
 */
export function die(world: World, node: SimNode, what: KillWhat): void {
  // A machine whose tracker is dead may still die entirely.
  if (node.health === "dead" && (node.dead !== "tracker" || what === "tracker")) return;
  const wasUp = node.health === "up";
  world.attempts.each(node.id, (row) => {
    stopRun(world, row);
    world.attempts.end(row, "killed");
  });
  node.health = "dead";
  node.dead = what;
  if (what === "machine") node.emptied = true;
  if (what !== "tracker") for (const load of [...node.loads.keys()]) node.unload(load, world.now);
  speedChanged(world, node);
  for (const { end, run } of world.flowing.concernedBy(node)) {
    if (end === undefined) run?.nodeDied(node);
  }
  if (wasUp) missHeartbeats(world, node);
}

/** Brings the node back: without outputs, and with the input that it still has. */
export function comeBack(world: World, node: SimNode): void {
  if (node.health !== "dead") return;
  node.health = "up";
  node.pausedUntil = world.now;
  const held = node.lost ? [] : [...node.outputs];
  dropAll(world, node);
  forgetOutputs(world, node);
  join(world, node);
  speedChanged(world, node);
  for (const { task } of held) {
    world.feed({ at: world.now, kind: "output-lost", task, node: node.id });
  }
}

/** The node registers and reports its free slots, unless its first slot is still to come. */
export function join(world: World, node: SimNode): void {
  if (world.now < node.joinsAtMs) return;
  node.lost = false;
  node.silent = false;
  node.lastContact = world.now;
  const slots = node.slotsAt(world.now);
  world.feed({ at: world.now, kind: "node-joined", node: { ...node.node, slots } });
  world.offer(node);
}

function missHeartbeats(world: World, node: SimNode): void {
  const { heartbeatMs } = world.timing;
  const at = nextBeat(node, { now: world.now, heartbeatMs, strictly: true });
  world.agenda.enter(at, SILENCE, node.id);
}

/** A heartbeat is missing. */
export function silenceIsDue(world: World, node: SimNode): void {
  if (node.health === "up" || node.silent || node.lost) return;
  const lastBeat = world.now - world.timing.heartbeatMs;
  node.silent = true;
  // An attempt whose kill was ordered counts as killed, since no report of it will come.
  for (const row of node.unreported.filter((row) => isKilled(world, row))) {
    node.dropUnreported(row);
    // The scheduler knows of this end already.
    world.leave(row);
  }
  const since = Math.max(lastBeat, node.lastContact);
  world.feed({ at: world.now, kind: "node-silent", node: node.id, since: instant(since) });
}

/** The scheduler gives the node up. */
export function giveUp(world: World, node: SimNode): void {
  node.lost = true;
  node.silent = false;
  dropAll(world, node);
  forgetOutputs(world, node);
  for (const { run } of world.flowing.concernedBy(node)) run?.nodeGivenUp(node);
}

/**
 * Removes each output on the node with a probability; the node lives. Readers that are fetching a
 * lost output notice, the others are notified.
 */
export function loseOutputs(
  world: World,
  node: SimNode,
  { share, chance }: { readonly share: number; readonly chance: RandomState },
): void {
  const lost = [...node.outputs].filter(() => nextFloat(chance) < share);
  for (const output of lost) node.outputs.delete(output);
  node.hasLostOutputs = true;
  if (lost.length > 0) {
    for (const { run } of world.flowing.concernedBy(node)) run?.outputsGone(node);
  }
  for (const { task } of lost) {
    const fetched = world.phases.ofTask(task).readers.some(({ work }) => work.kind === "reduce");
    if (!fetched) world.feed({ at: world.now, kind: "output-lost", task, node: node.id });
  }
}

export function fillDisk({ attempts }: World, node: SimNode): void {
  node.diskFull = true;
  attempts.each(node.id, (row) => {
    const behind = attempts.behind(row);
    if (behind?.kind === "flowing" && behind.end === undefined) behind.run?.diskFilled();
  });
}
