import { addMoment, deviationOf, type Moments, meanOf, noMoments } from "../../../base/moments.ts";
import { ascending } from "../../../base/order.ts";
import type { Instant, JobId, NodeId, PhaseId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import type { Context } from "../../policy.ts";
import type { EsplashParams } from "./params.ts";

/** What eSplash keeps. A type of task is a phase of a job. */
export interface EsplashMemory {
  /** Times of finished tasks by type and node, ms: the means are the performance vectors. */
  readonly times: Map<PhaseId, Map<NodeId, Moments>>;
  /** The same by level: the table of statistics, ST. */
  readonly table: Map<PhaseId, Map<number, Moments>>;
  readonly nodes: Map<NodeId, NodeMemory>;
  /** What each node has finished in the running epoch. */
  readonly finished: Map<NodeId, Finished[]>;
  /** Whether any node has a level. */
  hasLevels: boolean;
  clusteredAt: Instant | undefined;
  /** When the running epoch began. */
  epochFrom: Instant | undefined;
  /** Nodes whose straggler value is above tau. */
  readonly stragglers: Set<NodeId>;
  /** Jobs that have made a request, and until when they make no other. */
  readonly pausedUntil: Map<JobId, Instant>;
}

export type EsplashContext = Context<EsplashParams, EsplashMemory>;

export interface NodeMemory {
  /** 1 is the slowest; undefined while it is not known. */
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

/** Room is made at submission only, so that nothing is kept of attempts that outlive their job. */
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

/** A node joins, or comes back; it may have been given a level. */
export function addNode(memory: EsplashMemory, id: NodeId, configured: number | undefined): void {
  const level = configured ?? memory.nodes.get(id)?.level;
  memory.nodes.set(id, { level, stragglerValue: 0 });
  memory.stragglers.delete(id);
  memory.finished.delete(id);
  memory.hasLevels ||= level !== undefined;
}

/** It may come back: only its level is kept. */
export function leaveNode(memory: EsplashMemory, id: NodeId): void {
  memory.stragglers.delete(id);
  const node = memory.nodes.get(id);
  if (node !== undefined) node.stragglerValue = 0;
}

/** Levels that were found by performance; the others keep theirs. */
export function setLevels(memory: EsplashMemory, levels: ReadonlyMap<NodeId, number>): void {
  for (const [id, level] of levels) {
    const node = memory.nodes.get(id);
    if (node !== undefined) node.level = level;
  }
  memory.hasLevels ||= levels.size > 0;
}

/** A task of the type has finished on the node. */
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
  // What a node of unknown level takes says nothing of the lowest.
  const level = memory.nodes.get(node)?.level;
  if (level !== undefined) addMoment(momentsAt(byLevel, level), ms);
}

/** undefined: nothing is compared with it, and it hosts no copy. */
export function levelOf(
  { nodes, hasLevels }: EsplashMemory,
  node: NodeId,
  newNodesAreLowest: boolean,
): number | undefined {
  return nodes.get(node)?.level ?? (newNodesAreLowest && hasLevels ? 1 : undefined);
}

/** The table anew, after nodes have changed their levels. */
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

/** The mean of the cell without what the node itself has finished; undefined if nothing is left. */
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
