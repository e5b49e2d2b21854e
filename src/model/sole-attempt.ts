import type { Attempt } from "./attempt.ts";
import type { TaskId } from "./ids.ts";
import type { Listings } from "./view.ts";

/**
 * The task's one attempt that has not ended; undefined if there are several, since such a task is
 * already being speculated. COST: O(attempts of the task).
 */
export function soleAttempt(view: Pick<Listings, "attemptsOf">, task: TaskId): Attempt | undefined {
  const attempts = view.attemptsOf(task);
  const first = attempts[0];
  if (attempts.length === 1 && first !== undefined) return isUnended(first) ? first : undefined;
  let sole: Attempt | undefined;
  for (const attempt of attempts) {
    if (!isUnended(attempt)) continue;
    if (sole !== undefined) return undefined;
    sole = attempt;
  }
  return sole;
}

/** Whether the attempt holds its slot, or is about to. */
export const isUnended = ({ state }: Attempt): boolean =>
  state === "running" || state === "assumed" || state === "dying";
