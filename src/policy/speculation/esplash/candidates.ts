import { mostFirst, onPaper } from "../../../base/on-paper.ts";
import type { Attempt } from "../../../model/attempt.ts";
import { after, type JobId, type NodeId, type TaskId } from "../../../model/ids.ts";
import type { Numbers } from "../../../model/why.ts";
import { fastestFirst, figuresFor, type Hosts, hostsAny } from "./hosts.ts";
import { type EsplashContext, levelOf } from "./memory.ts";
import { findMinLevel, speculativeValue } from "./min-level.ts";

/** The worth of a copy of a running task, or why it gets none. */
export type CopyVerdict =
  | { readonly kind: "worth"; readonly copy: ScoredCopy }
  | { readonly kind: "refused"; readonly rule: string; readonly numbers: () => Numbers };

export interface ScoredCopy {
  readonly task: TaskId;
  readonly minLevel: number;
  /** The expected time of the copy on its least level and above, in ms. */
  readonly expectedMs: number;
  readonly timeLeftMs: number;
  /** The speculative value, in ms. */
  readonly valueMs: number;
  /** The original's node, which hosts no copy. */
  readonly node: NodeId;
  /** The levels from the fastest for its type on; undefined if its hosts are all alike. */
  readonly bestFirst: readonly number[] | undefined;
}

/** §IV-C for one running task: where its copy should run, and what it would save. */
export function worthOf(ctx: EsplashContext, hosts: Hosts, attempt: Attempt): CopyVerdict {
  const { estimate, memory, params, view } = ctx;
  const from = levelOf(memory, attempt.node, params.newNodesAreLowest) ?? 1;
  const figures = figuresFor(hosts, memory, view.phase(view.task(attempt.task).phase));
  const noHost = refused("no-host", () => ({ level: from }));
  if (figures.every((one) => one.level < from || one.containers === 0)) return noHost;
  const found = findMinLevel(figures, from);
  if (found === undefined) return refused("nothing-finished", () => ({ level: from }));
  const { minLevel, expectedMs } = found;
  // A reviewed request may belong to an original whose node has recovered: that node is no host.
  const { node, task } = attempt;
  if (!hostsAny(hosts, { minLevel, node })) return noHost;
  // EstEnd - now, by equation 1 if the estimator is `progress-rate`.
  const timeLeftMs = estimate.timeLeft(attempt.id);
  const valueMs = speculativeValue(figures, { minLevel, timeLeftMs });
  if (onPaper(valueMs) <= 0)
    return refused("no-gain", () => ({ timeLeftMs, expectedMs, minLevel }));
  const bestFirst = params.bestContainer ? fastestFirst(figures) : undefined;
  const copy = { task, node, minLevel, expectedMs, timeLeftMs, valueMs, bestFirst };
  return { kind: "worth", copy };
}

/** The task to copy among a job's tasks on straggler nodes; and why others may not be copied. */
export interface ScoredCandidates {
  readonly best: ScoredCopy | undefined;
  readonly refused: { readonly verdict: Refused; readonly task: TaskId } | undefined;
}

type Refused = CopyVerdict & { readonly kind: "refused" };

/** §IV-C: all running tasks of straggler nodes are candidates; the highest value is chosen. */
export function findCandidates(
  ctx: EsplashContext,
  hosts: Hosts,
  stragglers: ReadonlySet<NodeId>,
): ReadonlyMap<JobId, ScoredCandidates> {
  const best = new Map<JobId, ScoredCopy>();
  const refusals = new Map<JobId, ScoredCandidates["refused"]>();
  for (const node of stragglers) {
    for (const attempt of ctx.view.runningOn(node)) {
      const { task } = attempt;
      const { id: job } = ctx.view.jobOf(ctx.view.task(task).phase);
      const verdict = candidateOf(ctx, hosts, attempt);
      if (verdict.kind === "refused") refusals.set(job, refusals.get(job) ?? { verdict, task });
      else {
        const other = best.get(job);
        if (other === undefined || MOST_WORTH_FIRST(verdict.copy, other) < 0)
          best.set(job, verdict.copy);
      }
    }
  }
  const jobs = new Set([...best.keys(), ...refusals.keys()]);
  return new Map(
    [...jobs].map((job) => [job, { best: best.get(job), refused: refusals.get(job) }]),
  );
}

const MOST_WORTH_FIRST = mostFirst<ScoredCopy>(
  ({ valueMs }) => valueMs,
  ({ task }) => task,
);

function candidateOf(ctx: EsplashContext, hosts: Hosts, attempt: Attempt): CopyVerdict {
  const { params, view } = ctx;
  const { startedAt, state } = attempt;
  if (state !== "running" || startedAt === undefined) return refused("not-running", none);
  // Equation 1 says nothing useful about an attempt that has hardly begun.
  const { epochMs } = params;
  if (view.now < after(startedAt, epochMs)) {
    return refused("too-young", () => ({ ranMs: view.now - startedAt, epochMs }));
  }
  // At most one copy beside an attempt, as in YARN.
  if (!view.isAlone(attempt.id)) return refused("already-speculated", none);
  const { phase } = view.task(attempt.task);
  if (view.phase(phase).speculate === false) return refused("phase-forbids-copies", none);
  const { waiting, requested } = view.counts(phase);
  // A copy could not be launched: its input is being made again.
  if (!view.isReady(phase)) return refused("input-lost", none);
  // As in YARN: no copy while an attempt of this type waits for a container.
  if (!params.whileTasksWait && waiting + requested > 0) {
    return refused("type-waits", () => ({ waiting, requested }));
  }
  if (requested > 0 && isRequested(ctx, attempt.task)) return refused("already-requested", none);
  return worthOf(ctx, hosts, attempt);
}

function isRequested({ view }: EsplashContext, task: TaskId): boolean {
  for (const request of view.requests(view.task(task).phase)) {
    if (request.task === task) return true;
  }
  return false;
}

const none = (): Numbers => ({});

const refused = (rule: string, numbers: () => Numbers): Refused => ({
  kind: "refused",
  rule,
  numbers,
});
