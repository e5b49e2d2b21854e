import type { Action } from "../../../model/action.ts";
import { type AttemptId, after, type JobId, type NodeId, type TaskId } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import type { Hears } from "../../policy.ts";
import { countLost, countWritten } from "./losses.ts";
import type { Account, MantriProtectParams, Memory, ProtectContext } from "./params.ts";
import { ranMs, stallMs } from "./redo.ts";

export const noMemory = (): Memory => ({
  losses: new Map(),
  jobs: new Map(),
  onsets: new Map(),
  stallsMs: new Map(),
});

export const hears: Hears<MantriProtectParams, Memory> = {
  "job-submitted"({ memory }, { job }) {
    memory.jobs.set(job.id, { tokenBytes: 0, budgetMs: 0, outputs: new Map() });
  },
  "job-ended"({ memory, view }, { job }) {
    memory.jobs.delete(job);
    for (const { id } of view.job(job).phases) memory.stallsMs.delete(id);
  },
  "attempt-succeeded": (ctx, { attempt }) => recordSuccess(ctx, attempt),
  "output-replicated": (ctx, { node, task }) => keepOutput(ctx, task, node),
  "output-lost": (ctx, { node, task }) => loseOutput(ctx, task, node),
  "fetch-failed"(ctx, { from, output }) {
    if (!ctx.view.outputNodes(output).includes(from)) loseOutput(ctx, output, from);
  },
  "node-lost"(ctx, { node }) {
    for (const { outputs } of ctx.memory.jobs.values()) {
      for (const task of [...(outputs.get(node) ?? [])]) loseOutput(ctx, task, node);
    }
  },
  acted: (ctx, { action }) => charge(ctx, action),
};

function charge(ctx: ProtectContext, action: Action): void {
  const { view } = ctx;
  if (action.kind === "replicate") {
    const job = accountOf(ctx, action.task);
    if (job !== undefined) job.tokenBytes -= view.output(action.task)?.bytes ?? 0;
  } else if (action.kind === "recompute") {
    const job = accountOf(ctx, action.task);
    if (job !== undefined) job.budgetMs -= ranMs(view, action.task);
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
  const recent = before.filter((at) => view.now <= after(at, params.onsetMs));
  memory.onsets.set(node, [...recent, view.now]);
}

const accountOf = ({ memory, view }: ProtectContext, task: TaskId): Account | undefined =>
  memory.jobs.get(jobOf(view, task));

const jobOf = (view: View, task: TaskId): JobId => view.jobOf(view.task(task).phase).id;
