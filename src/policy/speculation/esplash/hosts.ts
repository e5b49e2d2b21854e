import { assert } from "../../../base/assert.ts";
import { leastFirst } from "../../../base/on-paper.ts";
import { ascending } from "../../../base/order.ts";
import type { NodeId, SlotKind } from "../../../model/ids.ts";
import type { Phase } from "../../../model/job.ts";
import type { View } from "../../../model/view.ts";
import { cellOf, type EsplashMemory, levelOf, levelsOf } from "./memory.ts";
import type { LevelFigures } from "./min-level.ts";
import type { EsplashParams } from "./params.ts";

interface LevelHosts {
  readonly level: number;
  readonly nodes: NodeId[];
  /** The number of containers by slot kind. */
  readonly slots: Map<SlotKind, number>;
}

/** The nodes that may host a copy, in order of rising level. */
export type Hosts = readonly LevelHosts[];

/** §IV-D: straggler nodes host no copies. Silent nodes host none either. COST: O(nodes). */
export function findHosts(
  view: View,
  memory: EsplashMemory,
  params: Pick<EsplashParams, "newNodesAreLowest">,
  stragglers: ReadonlySet<NodeId>,
): Hosts {
  const byLevel = new Map<number, LevelHosts>();
  for (const { id, slots } of view.nodes()) {
    const level = levelOf(memory, id, params.newNodesAreLowest);
    if (level === undefined || stragglers.has(id) || view.silentSince(id) !== undefined) continue;
    const hosts: LevelHosts = byLevel.get(level) ?? { level, nodes: [], slots: new Map() };
    byLevel.set(level, hosts);
    hosts.nodes.push(id);
    for (const { kind, count } of slots) {
      hosts.slots.set(kind, (hosts.slots.get(kind) ?? 0) + count);
    }
  }
  return [...byLevel.values()].sort(ascending(({ level }) => level));
}

/**
 * C(m) and EstT(m) of each level for a type of task. A level where no such task has finished takes
 * the figures of the next lower level where one has: by the definition of levels that level is
 * slower, if anything. COST: O(levels).
 */
export function figuresFor(
  hosts: Hosts,
  memory: EsplashMemory,
  { id: type, slots: kinds }: Phase,
): readonly LevelFigures[] {
  const known = levelsOf(memory, type);
  return hosts.map(({ level, slots }) => {
    let containers = 0;
    for (const kind of kinds) containers += slots.get(kind) ?? 0;
    const nearest = known.findLast((one) => one <= level);
    const cell = nearest === undefined ? undefined : cellOf(memory, type, nearest);
    return { level, containers, meanMs: cell?.meanMs };
  });
}

interface Wanted {
  readonly minLevel: number;
  /** The original's node, which hosts no copy. */
  readonly node: NodeId;
  /** The levels from the most appropriate for the type of task on; undefined: all alike. */
  readonly bestFirst: readonly number[] | undefined;
}

/**
 * All hosts on the least level or above. §V, "the most appropriate container": where levels are
 * ranked, the nodes of the best come first. COST: O(nodes log nodes).
 */
export function nodesFrom(hosts: Hosts, { bestFirst, minLevel, node }: Wanted): readonly NodeId[] {
  const rank = (level: number): number => {
    if (bestFirst === undefined) return 0;
    const place = bestFirst.indexOf(level);
    assert(place >= 0, "each level that has hosts is ranked");
    return place;
  };
  return hosts
    .flatMap(({ level, nodes }) => (level < minLevel ? [] : nodes.map((id) => ({ level, id }))))
    .filter(({ id }) => id !== node)
    .sort(
      ascending(
        ({ level }) => rank(level),
        ascending(({ id }) => id),
      ),
    )
    .map(({ id }) => id);
}

/** The levels by the EstT of a type of task, the least first; of equal ones the highest. */
export const fastestFirst = (figures: readonly LevelFigures[]): readonly number[] =>
  [...figures].sort(FASTEST_FIRST).map(({ level }) => level);

const FASTEST_FIRST = leastFirst<LevelFigures>(
  ({ meanMs = Number.POSITIVE_INFINITY }) => meanMs,
  ({ level }) => -level,
);

/** Whether there is such a host. COST: O(levels). */
export const hostsAny = (
  hosts: Hosts,
  { minLevel, node }: Pick<Wanted, "minLevel" | "node">,
): boolean =>
  hosts.some(({ level, nodes }) => level >= minLevel && (nodes.length > 1 || nodes[0] !== node));
