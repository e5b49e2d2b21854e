import type { Row, SimPhase } from "./state.ts";
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
    for (const row of reader.held) goOn(world, row);
    reader.held.clear();
  }
}

function goOn(world: World, row: Row): void {
  const { attempts } = world;
  const run = attempts.behind(row);
  if (run?.kind !== "fixed" || !attempts.isRunning(row)) return;
  const node = world.node(attempts.node(row));
  run.release(world.now, node.speed(run.slowedByNode));
  world.awaitEnd(row, run.endsAt);
  if (node.health !== "up") return;
  const progress = run.progress(world.timing.reportEveryMs);
  world.feed({
    at: world.now,
    kind: "attempt-progressed",
    attempt: attempts.id(row),
    progress,
  });
}
