import type { Notice } from "../../../model/action.ts";
import type { ClusterEvent } from "../../../model/event.ts";
import type { AttemptId, JobId, NodeId, TaskId } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import { countLost, countWritten } from "./losses.ts";
import type { Account, Memory, ProtectContext } from "./params.ts";
import { ranMs, stallMs } from "./redo.ts";

export const noMemory = (): Memory => ({
  losses: new Map(),
  jobs: new Map(),
  onsets: new Map(),
  stallsMs: new Map(),
});

export function recordProtection(ctx: ProtectContext, what: ClusterEvent | Notice): void {
  const { memory, view } = ctx;
  switch (what.kind) {
    case "job-submitted":
      memory.jobs.set(what.job.id, { tokenBytes: 0, budgetMs: 0, outputs: new Map() });
      return;
    case "job-ended":
      memory.jobs.delete(what.job);
      for (const { id } of view.job(what.job).phases) memory.stallsMs.delete(id);
      return;
    case "attempt-succeeded":
      recordSuccess(ctx, what.attempt);
      return;
    case "output-replicated":
      keepOutput(ctx, what.task, what.node);
      return;
    case "output-lost":
      loseOutput(ctx, what.task, what.node);
      return;
    case "fetch-failed":
      if (!view.outputNodes(what.output).includes(what.from)) {
        loseOutput(ctx, what.output, what.from);
      }
      return;
    case "node-lost":
      for (const { outputs } of memory.jobs.values()) {
        for (const task of [...(outputs.get(what.node) ?? [])]) loseOutput(ctx, task, what.node);
      }
      return;
    case "acted":
      if (what.action.kind === "replicate") {
        const { task } = what.action;
        const job = accountOf(ctx, task);
        if (job !== undefined) job.tokenBytes -= view.output(task)?.bytes ?? 0;
      } else if (what.action.kind === "recompute") {
        const job = accountOf(ctx, what.action.task);
        if (job !== undefined) job.budgetMs -= ranMs(view, what.action.task);
      }
      return;
    default:
  }
}

/** §5.3: tokens are granted in proportion to the data that each task has processed. */
function recordSuccess(ctx: ProtectContext, id: AttemptId): void {
  const { memory, params, view } = ctx;
  const { node, state, task } = view.attempt(id);
  const job = accountOf(ctx, task);
  if (state !== "succeeded" || job === undefined) return;
  job.tokenBytes += params.replicationBudget * view.inputBytes(task);
  job.budgetMs += params.recomputeBudget * ranMs(view, task);
  if (view.readers(task).length === 0) return;
  const { phase } = view.task(task);
  if (!memory.stallsMs.has(phase)) memory.stallsMs.set(phase, stallMs(ctx, phase));
  keepOutput(ctx, task, node);
}

function keepOutput(ctx: ProtectContext, task: TaskId, node: NodeId): void {
  const { memory, params, view } = ctx;
  const outputs = accountOf(ctx, task)?.outputs;
  if (outputs === undefined) return;
  countWritten(memory.losses, node, view.now, params.lossMemoryMs);
  const tasks = outputs.get(node);
  if (tasks === undefined) outputs.set(node, new Set([task]));
  else tasks.add(task);
}

/** Counts each copy once, however often its loss is reported. */
function loseOutput(ctx: ProtectContext, task: TaskId, node: NodeId): void {
  const { memory, params, view } = ctx;
  if (accountOf(ctx, task)?.outputs.get(node)?.delete(task) !== true) return;
  countLost(memory.losses, node, view.now, params.lossMemoryMs);
  if (view.outputNodes(task).length > 0) return;
  const before = memory.onsets.get(node) ?? [];
  const recent = before.filter((at) => view.now - at <= params.onsetMs);
  memory.onsets.set(node, [...recent, view.now]);
}

const accountOf = ({ memory, view }: ProtectContext, task: TaskId): Account | undefined =>
  memory.jobs.get(jobOf(view, task));

const jobOf = (view: View, task: TaskId): JobId => view.jobOf(view.task(task).phase).id;
