import type { Attempt } from "../../model/attempt.ts";
import type { TaskId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";

/** The attempts of a task that are starting or running, in launch order; not those being killed. */
export const liveAttempts = (view: View, task: TaskId): readonly Attempt[] =>
  view.attemptsOf(task).filter(({ state }) => state === "running" || state === "assumed");
