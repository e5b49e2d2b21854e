import { BEAT } from "./agenda.ts";
import type { End, Row, SimAttempt, SimEnd, SimNode } from "./state.ts";
import type { World } from "./world.ts";

/** The time of the node's next heartbeat: now or later, or strictly after now. */
export function nextBeat(
  node: SimNode,
  from: { readonly now: number; readonly heartbeatMs: number; readonly strictly: boolean },
): number {
  const { now, heartbeatMs, strictly } = from;
  if (heartbeatMs === 0 || now < node.firstBeat) return Math.max(now, node.firstBeat);
  const beats = Math.ceil((now - node.firstBeat) / heartbeatMs);
  const at = node.firstBeat + beats * heartbeatMs;
  return at < now || (strictly && at === now) ? at + heartbeatMs : at;
}

/** Makes the node report at its next heartbeat, or at once if it need not wait for one. */
export function reportSoon(world: World, node: SimNode, what: "finished" | "killed"): void {
  if (node.health !== "up") return;
  if (reportsAtOnce(world, what)) {
    beat(world, node);
  } else if (!node.beatPending) {
    node.beatPending = true;
    world.beatsPending += 1;
    const { heartbeatMs } = world.timing;
    const at = nextBeat(node, { now: world.now, heartbeatMs, strictly: false });
    world.agenda.enter(at, BEAT, node.id);
  }
}

const reportsAtOnce = ({ timing }: World, what: "finished" | "killed"): boolean =>
  timing.heartbeatMs === 0 || (timing.outOfBandHeartbeat && what === "finished");

/**
 * Reports all attempts that have ended, then offers all free slots. `first` has ended now, and is
 * not on the list of unreported attempts.
 */
export function beat(world: World, node: SimNode, first?: Row): void {
  node.lastContact = world.now;
  if (first !== undefined) world.reportEnd(first);
  for (let row = node.takeUnreported(); row !== undefined; row = node.takeUnreported()) {
    world.reportEnd(row);
  }
  world.offer(node);
}

/** A heartbeat of the agenda is due. A heartbeat with nothing to report is no event. */
export function beatIsDue(world: World, node: SimNode): void {
  node.beatPending = false;
  world.beatsPending -= 1;
  if (node.health === "up" && node.unreported.length > 0) beat(world, node);
}

/** An attempt whose work flows has ended. */
export function endAttempt(world: World, { row }: SimAttempt, end: SimEnd): void {
  if (end.how === "succeeded") world.attempts.setBytes(row, end.bytes);
  endOnNode(world, row, end.how);
}

/** The attempt has ended on its node; the scheduler learns of the end at the next heartbeat. */
export function endOnNode(world: World, row: Row, how: End): void {
  const node = world.node(world.attempts.node(row));
  world.attempts.end(row, how);
  if (node.health === "up" && node.unreported.length === 0 && reportsAtOnce(world, "finished")) {
    beat(world, node, row);
    return;
  }
  node.addUnreported(row);
  reportSoon(world, node, "finished");
}
