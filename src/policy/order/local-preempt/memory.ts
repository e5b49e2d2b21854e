import type { Action } from "../../../model/action.ts";
import type { Attempt } from "../../../model/attempt.ts";
import type { AttemptId, Instant, JobId, TaskId } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import type { Context } from "../../policy.ts";
import { type Losses, noLosses } from "../../shared/near-data.ts";
import type { LocalPreemptParams } from "./params.ts";

export type PreemptContext = Context<LocalPreemptParams, Memory>;

export interface Memory extends Losses {
  /** The tasks of which a policy has killed an attempt. */
  readonly killed: Map<TaskId, Killed>;
  /** When a slot was last taken for the task. */
  readonly takenAt: Map<TaskId, Instant>;
}

interface Killed {
  /** Pre-emptions, by this policy and by others. */
  readonly yields: number;
  /** The attempt that a policy killed last. */
  readonly last: AttemptId;
}

export const emptyMemory = (): Memory => ({
  ...noLosses(),
  killed: new Map(),
  takenAt: new Map(),
});

/** Remembers a policy's kill. */
export function noteKill({ killed, takenAt }: Memory, view: View, action: Action): void {
  if (action.kind !== "kill") return;
  const { task } = view.attempt(action.attempt);
  const yields = yieldsOf(killed, task) + (action.then === "requeue" ? 1 : 0);
  killed.set(task, { yields, last: action.attempt });
  if (action.for !== undefined) takenAt.set(action.for, view.now);
}

export function forgetJob({ killed, takenAt }: Memory, view: View, job: JobId): void {
  for (const { tasks } of view.job(job).phases) {
    for (const { id } of tasks) {
      killed.delete(id);
      takenAt.delete(id);
    }
  }
}

export const yieldsOf = (killed: Memory["killed"], task: TaskId): number =>
  killed.get(task)?.yields ?? 0;

/**
 * Whether the waiting task has failed, or was lost with its node or its output. A task that waits
 * because a policy has killed its attempt has not.
 */
export function hasFailed({ memory, view }: PreemptContext, task: TaskId): boolean {
  let last: Attempt | undefined;
  for (const attempt of view.attemptsOf(task)) {
    if (attempt.endedAt === undefined) continue;
    if (last?.endedAt === undefined || attempt.endedAt >= last.endedAt) last = attempt;
  }
  return last !== undefined && last.id !== memory.killed.get(task)?.last;
}
