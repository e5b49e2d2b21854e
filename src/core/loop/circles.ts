import { after, instant, type SlotKind } from "../../model/ids.ts";
import { rule } from "../../model/why.ts";
import type { AttemptRecord, PhaseRecord } from "../state/records.ts";
import { kill } from "./attempts.ts";
import type { Core } from "./core.ts";
import { attemptsIfAllHold, hasTaskFor, isSlotComing, newestOf } from "./holding.ts";
import { isHeldBack, sourceWaits, takes } from "./may-run.ts";

const WAITS_IN_A_CIRCLE = rule("waits-in-a-circle");

/** The owner of the wakes at which a circle has lasted long enough. */
export const CIRCLES = "circles";

/** A circle has to last for this many times `askAgainMs`. */
const ASKS_MIN = 2;

/**
 * Readers of one job may hold every slot of a kind for which a map of another job waits, while
 * readers of that job hold the slots that the first one's maps need. One reader is then requeued:
 * on a node where a waiting task may run and, if possible, a reader that leaves the slot to a phase
 * that it reads. Otherwise the oldest reader is requeued, so that each has its turn, because a
 * reader of the first job takes the slot again.
 */
export function breakCircles(core: Core): void {
  const { state } = core;
  if (state.crossings.readers.size === 0) return;
  let looksAt = Number.POSITIVE_INFINITY;
  for (const kind of state.kinds) {
    const since = state.circleSince[kind] ?? core.now;
    state.circleSince[kind] = undefined;
    if (!state.crossings.meet(kind)) continue;
    const sources = waitingFor(core, kind);
    const held = sources.length === 0 ? undefined : heldInCircle(core, kind, sources);
    if (held === undefined) continue;
    const dueAt = after(since, ASKS_MIN * state.setup.askAgainMs);
    if (core.now < dueAt) {
      state.circleSince[kind] = since;
      looksAt = Math.min(looksAt, dueAt);
      continue;
    }
    const why = core.why(WAITS_IN_A_CIRCLE, () => ({ held: held.length }));
    kill(core, toGo(core, held, { sources, kind }), "requeue", why);
  }
  if (looksAt === Number.POSITIVE_INFINITY) core.wakes.clear(CIRCLES);
  else core.wakes.set(CIRCLES, instant(looksAt));
}

function waitingFor(core: Core, kind: SlotKind): readonly PhaseRecord[] {
  const sources: PhaseRecord[] = [];
  for (const source of core.state.crossings.read) {
    if (source.waiting > 0 && takes(source, kind) && !isHeldBack(core, source)) {
      sources.push(source);
    }
  }
  return sources;
}

/** The attempts that hold the kind's slots, if all of them wait for a waiting task. */
function heldInCircle(
  core: Core,
  kind: SlotKind,
  sources: readonly PhaseRecord[],
): readonly AttemptRecord[] | undefined {
  const holders = new Set<PhaseRecord>();
  for (const { holders: near } of sources) {
    for (const holder of near) if (holder.running > 0) holders.add(holder);
  }
  for (const reader of core.state.crossings.readers) {
    if (reader.running > 0 && takes(reader, kind) && waitsForOthers(reader)) holders.add(reader);
  }
  const held = holders.size === 0 ? undefined : attemptsIfAllHold(core, kind, holders);
  return held === undefined || held.length === 0 || isSlotComing(core, kind) ? undefined : held;
}

function waitsForOthers({ ancestors }: PhaseRecord): boolean {
  for (const { waiting } of ancestors) if (waiting > 0) return true;
  return false;
}

function toGo(
  core: Core,
  held: readonly AttemptRecord[],
  { sources, kind }: { readonly sources: readonly PhaseRecord[]; readonly kind: SlotKind },
): AttemptRecord {
  const onFitting = held.filter(({ host }) => hasTaskFor(core, sources, { node: host, kind }));
  const choice = onFitting.length > 0 ? onFitting : held;
  const yielding = newestOf(choice.filter(({ phase }) => sourceWaits(phase)));
  return yielding ?? choice.reduce((oldest, one) => (one.id < oldest.id ? one : oldest));
}
