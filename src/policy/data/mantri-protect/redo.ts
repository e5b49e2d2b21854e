import { mostFirst } from "../../../base/on-paper.ts";
import type { PhaseId, TaskId } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import { lossProbability } from "./losses.ts";
import type { ProtectContext } from "./params.ts";

/**
 * §5.3 and Figure 12: t_redo, the probability that an output is lost times the time to recompute
 * the output, which allows for lost inputs of its own.
 */
export function redoMs(ctx: ProtectContext, task: TaskId): number {
  const { phase } = ctx.view.task(task);
  return lossOf(ctx, task) * (ranMs(ctx.view, task) + stallMs(ctx, phase));
}

/** Figure 12(b): an output is lost when all its replicas are lost. */
function lossOf({ memory, params, view }: ProtectContext, task: TaskId): number {
  let probability = 1;
  for (const node of view.outputNodes(task)) {
    probability *= lossProbability(memory.losses, node, params.lossProbability);
  }
  return probability;
}

/**
 * How long a task of the phase would have to wait for lost inputs, in ms; 0 for a phase that reads
 * from a reliable store. COST: O(tasks read, log) for the first task of a phase to finish, then
 * O(1).
 */
export function stallMs(ctx: ProtectContext, phase: PhaseId): number {
  const { memory, view } = ctx;
  const known = memory.stallsMs.get(phase);
  if (known !== undefined) return known;
  const inputs: Input[] = [];
  for (const { id, tasks } of view.upstream(phase)) {
    const stall = stallMs(ctx, id);
    for (const { id: task } of tasks) {
      if (!view.isDone(task)) continue;
      inputs.push({ task, loss: lossOf(ctx, task), takesMs: ranMs(view, task) + stall });
    }
  }
  return longestLost(inputs);
}

interface Input {
  readonly task: TaskId;
  readonly loss: number;
  readonly takesMs: number;
}

/**
 * Figure 12(c): lost inputs are recomputed in parallel, so a reader waits for the longest
 * recompute: the expected longest, since a loss is likelier with more inputs.
 */
export function longestLost(inputs: readonly Input[]): number {
  let noneLonger = 1;
  let expectedMs = 0;
  for (const { loss, takesMs } of [...inputs].sort(LONGEST_FIRST)) {
    expectedMs += noneLonger * loss * takesMs;
    noneLonger *= 1 - loss;
  }
  return expectedMs;
}

const LONGEST_FIRST = mostFirst<Input>(
  ({ takesMs }) => takesMs,
  ({ task }) => task,
);

/** How long the attempt that wrote the output ran, in ms. */
export function ranMs(view: View, task: TaskId): number {
  const last = view.attemptsOf(task).findLast(({ state }) => state === "succeeded");
  if (last?.startedAt === undefined || last.endedAt === undefined) return 0;
  return last.endedAt - last.startedAt;
}
