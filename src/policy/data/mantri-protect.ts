import { isClearlyAbove } from "../../base/clearly-below.ts";
import type { Ask } from "../../model/action.ts";
import { after, type JobId, type NodeId, type TaskId } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";
import type { DataPolicy } from "../policy.ts";
import { refuse } from "../refuse.ts";
import { hears, noMemory } from "./mantri-protect/memory.ts";
import {
  type MantriProtectParams,
  type Memory,
  PROTECT_PARAMS,
  type ProtectContext,
} from "./mantri-protect/params.ts";
import { ranMs, redoMs } from "./mantri-protect/redo.ts";

/**
 * Copies outputs that would be costly to recompute to another machine of their rack. Recomputes
 * outputs that a machine has lost or is about to lose, before a reader misses them.
 */
export const mantriProtect: DataPolicy<MantriProtectParams, Memory> = {
  name: "mantri-protect",
  source:
    "Ananthanarayanan, Kandula, Greenberg, Stoica, Lu, Saha, Harris: Reining in the Outliers in " +
    "Map-Reduce Clusters using Mantri, MSR-TR-2010-69, 2010, §5.3",
  params: PROTECT_PARAMS,
  needs: [],
  wants: ["replicate", "recompute", "prefer"],
  remember: noMemory,
  hears,

  onOutput(ctx, task) {
    const { params, view } = ctx;
    const [node, ...others] = view.outputNodes(task);
    const bytes = view.output(task)?.bytes ?? 0;
    if (node === undefined || others.length > 0 || bytes === 0 || !ctx.has("replicate")) return [];
    // Replicate if t_redo > t_rep, the time to move the data to another machine of the rack.
    const costs = { redoMs: redoMs(ctx, task), replicateMs: bytes / params.rackBytesPerMs };
    if (!isClearlyAbove(costs.redoMs, costs.replicateMs))
      return refuse(ctx, "cheap-to-redo", () => costs, task);
    // Copy only if the tokens cover the output's bytes, with the tokens that this task has earned.
    const job = ctx.memory.jobs.get(view.jobOf(view.task(task).phase).id);
    const tokenBytes = (job?.tokenBytes ?? 0) + params.replicationBudget * view.inputBytes(task);
    if (bytes > tokenBytes) {
      return refuse(ctx, "no-tokens-left", () => ({ ...costs, bytes, tokenBytes }), task);
    }
    const why = { rule: "costly-to-redo", numbers: { ...costs, bytes, tokenBytes } };
    return [{ kind: "replicate", task, to: view.node(node).rack, why }];
  },

  onOutputLost(ctx, task, how) {
    const { memory, view } = ctx;
    const { recomputeBudget } = ctx.params;
    if (recomputeBudget === 0 || !ctx.has("recompute")) return [];
    const node = lastNodeOf(ctx, task);
    const losing = node !== undefined && isOnset(ctx, node) ? node : undefined;
    // The core recomputes a missed output in any case, with or without an ask.
    const lost: Doomed[] = how === "lost" ? [{ task, rule: "lost-before-missed" }] : [];
    const doomed = [...lost, ...(losing === undefined ? [] : doomedOn(ctx, losing, task))];
    let places: Places | undefined;
    const elsewhere = (one: TaskId): readonly Ask[] => {
      if (losing !== undefined) places ??= placesBut(ctx, losing);
      return places === undefined ? [] : [{ kind: "prefer", task: one, ...places }];
    };
    const spentMs = new Map<JobId, number>();
    const asks = doomed.flatMap(({ task: one, rule }): readonly Ask[] => {
      if (isBeingMade(ctx, one)) return [];
      const job = view.jobOf(view.task(one).phase).id;
      const spent = spentMs.get(job) ?? 0;
      const budgetMs = (memory.jobs.get(job)?.budgetMs ?? 0) - spent;
      const takesMs = ranMs(view, one);
      if (isClearlyAbove(takesMs, budgetMs)) {
        return refuse(ctx, "recompute-budget", () => ({ takesMs, budgetMs }), one);
      }
      spentMs.set(job, spent + takesMs);
      const why = { rule, numbers: { takesMs, budgetMs } };
      return [...elsewhere(one), { kind: "recompute", task: one, why }];
    });
    return how === "missed" ? [...elsewhere(task), ...asks] : asks;
  },
};

interface Doomed {
  readonly task: TaskId;
  readonly rule: "lost-before-missed" | "machine-loses-outputs";
}

/** The node that held the output just lost. */
function lastNodeOf({ view }: ProtectContext, task: TaskId): NodeId | undefined {
  return view.attemptsOf(task).findLast(({ state }) => state === "succeeded")?.node;
}

/** Whether one or a few recomputes are the onset of a temporal problem of the machine. */
function isOnset({ memory, params, view }: ProtectContext, node: NodeId): boolean {
  const onsets = memory.onsets.get(node) ?? [];
  const recent = onsets.filter((at) => view.now <= after(at, params.onsetMs)).length;
  return recent + 1 >= params.recomputesMin;
}

/**
 * Other outputs that only this machine holds and that are still to be read: these will be missed
 * too.
 */
function doomedOn({ memory, view }: ProtectContext, node: NodeId, task: TaskId): readonly Doomed[] {
  const doomed: Doomed[] = [];
  for (const { outputs } of memory.jobs.values()) {
    for (const other of outputs.get(node) ?? []) {
      if (other === task || view.outputNodes(other).length !== 1) continue;
      if (isNeeded(view, other)) doomed.push({ task: other, rule: "machine-loses-outputs" });
    }
  }
  return doomed;
}

type Places = Pick<Ask & { readonly kind: "prefer" }, "nodes" | "racks" | "why">;

/**
 * All other machines, since an output put back on this one will be missed again; undefined if there
 * are none, or the machine is gone. COST: O(nodes) for an onset, O(nodes of a rack) for an output.
 */
function placesBut(ctx: ProtectContext, losing: NodeId): Places | undefined {
  if (!ctx.has("prefer")) return undefined;
  const joined = [...ctx.view.nodes()];
  const node = joined.find(({ id }) => id === losing);
  if (node === undefined || joined.length === 1) return undefined;
  const neighbours = joined.filter(({ id, rack }) => rack === node.rack && id !== losing);
  const racks = new Set(joined.map(({ rack }) => rack));
  racks.delete(node.rack);
  const why = { rule: "not-where-it-was-lost", numbers: { node: node.name } };
  return { nodes: neighbours.map(({ id }) => id), racks: [...racks], why };
}

const isBeingMade = ({ view }: ProtectContext, task: TaskId): boolean =>
  view.isWaiting(task) || view.attemptsOf(task).some(({ endedAt }) => endedAt === undefined);

const isNeeded = (view: View, task: TaskId): boolean =>
  view.readers(task).some(({ id, tasks }) => view.counts(id).done < tasks.length);
