import { reportSoon } from "./beat.ts";
import type { AttemptEnd, SimAttempt } from "./state.ts";
import type { World } from "./world.ts";

/** The attempt has ended on its node; the scheduler hears of it at the next heartbeat. */
export function endAttempt(world: World, attempt: SimAttempt, how: AttemptEnd): void {
  attempt.end = how;
  attempt.endedAt = world.now;
  attempt.node.unreported.push(attempt);
  reportSoon(world, attempt.node, "finished");
}
