import { addMoment, deviationOf, type Moments, meanOf, noMoments } from "../../../base/moments.ts";
import { ascending } from "../../../base/order.ts";
import type { Instant, JobId, NodeId, PhaseId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import type { Context } from "../../policy.ts";
import type { EsplashParams } from "./params.ts";

/** The memory of eSplash. A type of task is a phase of a job. */
export interface EsplashMemory {
  /** Times of finished tasks by type and node, in ms: their means are the performance vectors. */
  readonly times: Map<PhaseId, Map<NodeId, Moments>>;
  /** The same times by level: the table of statistics, ST. */
  readonly table: Map<PhaseId, Map<number, Moments>>;
  readonly nodes: Map<NodeId, NodeMemory>;
  /** The tasks that each node has finished in the present epoch. */
  readonly finished: Map<NodeId, Finished[]>;
  /** Whether any node has a level. */
  hasLevels: boolean;
  clusteredAt: Instant | undefined;
  /** The beginning of the present epoch. */
  epochFrom: Instant | undefined;
  /** Nodes whose straggler value is above tau. */
  readonly stragglers: Set<NodeId>;
  /** Jobs that have made a request, and the time until which they make no other. */
  readonly pausedUntil: Map<JobId, Instant>;
}

export type EsplashContext = Context<EsplashParams, EsplashMemory>;

export interface NodeMemory {
  /** 1 is the slowest; undefined while the level is unknown. */
  level: number | undefined;
  stragglerValue: number;
}

export interface Finished {
  readonly type: PhaseId;
  readonly ms: number;
}

export const remember = (): EsplashMemory => ({
  times: new Map(),
  table: new Map(),
  nodes: new Map(),
  finished: new Map(),
  hasLevels: false,
  clusteredAt: undefined,
  epochFrom: undefined,
  stragglers: new Set(),
  pausedUntil: new Map(),
});

/**
 * Makes room for the job's types. Called only at submission, so that nothing is kept for attempts
 * that outlive their job.
 */
export function makeRoom({ times, table }: EsplashMemory, { phases }: Job): void {
  for (const { id } of phases) {
    times.set(id, new Map());
    table.set(id, new Map());
  }
}

export function forgetJob({ times, table, pausedUntil }: EsplashMemory, { id, phases }: Job): void {
  for (const phase of phases) {
    times.delete(phase.id);
    table.delete(phase.id);
  }
  pausedUntil.delete(id);
}

/** Adds a node that joins or comes back, with its configured level if it has one. */
export function addNode(memory: EsplashMemory, id: NodeId, configured: number | undefined): void {
  const level = configured ?? memory.nodes.get(id)?.level;
  memory.nodes.set(id, { level, stragglerValue: 0 });
  memory.stragglers.delete(id);
  memory.finished.delete(id);
  memory.hasLevels ||= level !== undefined;
}

/** A node that left may come back, so its level is kept. */
export function leaveNode(memory: EsplashMemory, id: NodeId): void {
  memory.stragglers.delete(id);
  const node = memory.nodes.get(id);
  if (node !== undefined) node.stragglerValue = 0;
}

/** Sets the levels found from performance; nodes not in `levels` keep theirs. */
export function setLevels(memory: EsplashMemory, levels: ReadonlyMap<NodeId, number>): void {
  for (const [id, level] of levels) {
    const node = memory.nodes.get(id);
    if (node !== undefined) node.level = level;
  }
  memory.hasLevels ||= levels.size > 0;
}

/** Records that a task of the type has finished on the node. */
export function addTime(
  memory: EsplashMemory,
  finished: { readonly type: PhaseId; readonly node: NodeId; readonly ms: number },
): void {
  const { type, node, ms } = finished;
  const byNode = memory.times.get(type);
  const byLevel = memory.table.get(type);
  if (byNode === undefined || byLevel === undefined) return;
  addMoment(momentsAt(byNode, node), ms);
  const inEpoch = memory.finished.get(node) ?? [];
  inEpoch.push({ type, ms });
  memory.finished.set(node, inEpoch);
  // The time on a node of unknown level says nothing about the lowest level.
  const level = memory.nodes.get(node)?.level;
  if (level !== undefined) addMoment(momentsAt(byLevel, level), ms);
}

/** undefined: the node is compared with no others, and hosts no copy. */
export function levelOf(
  { nodes, hasLevels }: EsplashMemory,
  node: NodeId,
  newNodesAreLowest: boolean,
): number | undefined {
  return nodes.get(node)?.level ?? (newNodesAreLowest && hasLevels ? 1 : undefined);
}

/** Rebuilds the table after nodes have changed their levels. */
export function fillTable(memory: EsplashMemory): void {
  for (const [type, byNode] of memory.times) {
    const byLevel = new Map<number, Moments>();
    for (const [node, { count, sum, squares }] of byNode) {
      const level = memory.nodes.get(node)?.level;
      if (level === undefined) continue;
      const cell = momentsAt(byLevel, level);
      cell.count += count;
      cell.sum += sum;
      cell.squares += squares;
    }
    memory.table.set(type, byLevel);
  }
}

function momentsAt<K>(moments: Map<K, Moments>, key: K): Moments {
  const found = moments.get(key) ?? noMoments();
  moments.set(key, found);
  return found;
}

/** The levels at which a task of the type has finished, rising. */
export const levelsOf = ({ table }: EsplashMemory, type: PhaseId): readonly number[] =>
  [...(table.get(type)?.keys() ?? [])].sort(ascending((level) => level));

/** A cell of the table; undefined until a task of the type has finished on that level. */
export function cellOf(
  { table }: EsplashMemory,
  type: PhaseId,
  level: number,
): { readonly meanMs: number; readonly deviationMs: number } | undefined {
  const cell = table.get(type)?.get(level);
  return cell && { meanMs: meanOf(cell), deviationMs: deviationOf(cell) };
}

/** The mean of the cell without the node's own tasks; undefined if there are no others. */
export function othersMeanMs(
  { nodes, table, times }: EsplashMemory,
  { type, level, node }: { readonly type: PhaseId; readonly level: number; readonly node: NodeId },
): number | undefined {
  const all = table.get(type)?.get(level);
  if (all === undefined) return undefined;
  const isOfLevel = nodes.get(node)?.level === level;
  const own = (isOfLevel ? times.get(type)?.get(node) : undefined) ?? noMoments();
  const count = all.count - own.count;
  return count <= 0 ? undefined : Math.max(0, all.sum - own.sum) / count;
}
