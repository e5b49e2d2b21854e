import { FINISH } from "./agenda.ts";
import type { SimAttempt, SimPhase } from "./state.ts";
import type { World } from "./world.ts";

/** Whether the phases that this one reads have all finished once. */
export const isPassed = ({ upstream }: SimPhase): boolean =>
  upstream.every(({ unfinished }) => unfinished === 0);

/** A task has finished for the first time: the last one lets the readers begin their work. */
export function taskDone(world: World, phase: SimPhase): void {
  phase.unfinished -= 1;
  if (phase.unfinished > 0) return;
  for (const reader of phase.readers) {
    if (!isPassed(reader)) continue;
    for (const attempt of reader.held) goOn(world, attempt);
    reader.held.clear();
  }
}

function goOn(world: World, { end, id, node, place, run }: SimAttempt): void {
  if (run?.kind !== "fixed" || end !== undefined) return;
  run.release(world.now, node.speed(run.slowedByNode));
  const entry = { handle: run.handle, time: run.endsAt, kind: FINISH, subject: place };
  run.handle = world.agenda.reschedule(entry);
  if (node.health !== "up") return;
  const progress = run.progress(world.timing.reportEveryMs);
  world.feed({ at: world.now, kind: "attempt-progressed", attempt: id, progress });
}
