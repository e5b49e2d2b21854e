import { after, type SlotKind } from "../../model/ids.ts";
import { rule } from "../../model/why.ts";
import type { AttemptRecord, PhaseRecord } from "../state/records.ts";
import { kill } from "./attempts.ts";
import type { Core } from "./core.ts";
import { attemptsIfAllHold, hasTaskFor, isSlotComing, newestOf } from "./holding.ts";
import { isHeldBack } from "./may-run.ts";

const UPSTREAM_NEEDS_SLOT = rule("upstream-needs-slot");

/**
 * A slot may be left by a sharing policy for this many times `askAgainMs` before readers make room.
 */
const LEFT_ASKS_MAX = 2;

/**
 * Where readers and the phases they read share a kind of slot, readers may come to hold every slot
 * while a task that they need waits. The newest reader is then requeued: at once if no slot is left
 * for the task, or after a while if a slot is left but not given to it.
 */
export function unblock(core: Core): void {
  const { state } = core;
  if (state.contested.size === 0) return;
  for (const kind of state.kinds) {
    const newest = holderToGo(core, kind);
    if (newest === undefined) continue;
    const why = core.why(UPSTREAM_NEEDS_SLOT, () => ({ held: state.load[kind]!.running }));
    kill(core, newest, "requeue", why);
  }
}

/** Returns undefined if no task is blocked, or not for long enough. */
function holderToGo(core: Core, kind: SlotKind): AttemptRecord | undefined {
  const { state } = core;
  const since = state.blockedSince[kind] ?? core.now;
  state.blockedSince[kind] = undefined;
  if (state.load[kind]!.running === 0) return undefined;
  const sources: PhaseRecord[] = [];
  let most = 0;
  for (const source of state.contested) {
    if (source.waiting === 0 || !source.phase.slots.includes(kind)) continue;
    if (isHeldBack(core, source)) continue;
    sources.push(source);
    for (const { running } of source.holders) most += running;
  }
  // Mostly other phases hold slots, too, which counts show, even if some holders count twice.
  if (most < state.load[kind]!.running) return undefined;
  const held = attemptsIfAllHold(core, kind, new Set(sources.flatMap(({ holders }) => holders)));
  const newest = held && newestOf(held);
  if (newest === undefined || isSlotComing(core, kind)) return undefined;
  if (!isSlotFor(core, kind, sources)) return newest;
  state.blockedSince[kind] = since;
  const isLong = core.now >= after(since, LEFT_ASKS_MAX * state.setup.askAgainMs);
  return isLong ? newest : undefined;
}

/** Whether a slot is free on which some waiting task of the phases may run. */
function isSlotFor(core: Core, kind: SlotKind, sources: readonly PhaseRecord[]): boolean {
  for (const id of core.state.nodeTable.each(kind)) {
    if (hasTaskFor(core, sources, { node: core.view.nodeRecord(id), kind })) return true;
  }
  return false;
}
