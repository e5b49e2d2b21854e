import { ascending, descending } from "../../../base/order.ts";
import { mean } from "../../../base/stats.ts";
import type { NodeId } from "../../../model/ids.ts";
import { groupVectors, type PerformanceVector } from "./grouping.ts";
import { clusterGroups, nearest, type TaskCluster } from "./k-means.ts";

export interface LevelParams {
  readonly k: number;
  readonly starts: number;
  readonly coverage: number;
  readonly scaled: boolean;
}

/** For one type of task, the mean time of each node, in ms. */
export type TypeTimes = ReadonlyMap<NodeId, number>;

/**
 * §IV-A: the level of each node that has finished a task of the types that determine levels; 1 is
 * the slowest. undefined while there is no such type.
 */
export function findLevels(
  types: readonly TypeTimes[],
  nodes: readonly NodeId[],
  params: LevelParams,
  chance: { random(): number },
): ReadonlyMap<NodeId, number> | undefined {
  // The paper leaves the dimensions open; here they are the types that enough nodes have finished.
  const wide = types.filter(
    (times) => times.size > 0 && times.size >= params.coverage * nodes.length,
  );
  const table = params.scaled ? wide.map(dividedByMean) : wide;
  const complete = nodes.flatMap((node) => vectorOf(node, table) ?? []);
  if (table.length === 0 || complete.length === 0) return undefined;
  const clusters = [...clusterGroups(groupVectors(complete), params, chance)].sort(slowestFirst);
  const levels = new Map<NodeId, number>();
  clusters.forEach(({ members }, index) => {
    for (const { node } of members) levels.set(node, index + 1);
  });
  for (const node of nodes) {
    const level = levels.has(node) ? undefined : levelNear(node, table, clusters);
    if (level !== undefined) levels.set(node, level);
  }
  return levels;
}

/**
 * Makes times relative, so that a type which takes minutes does not outweigh one that takes
 * seconds.
 */
function dividedByMean(times: TypeTimes): TypeTimes {
  const average = mean([...times.values()]);
  return new Map([...times].map(([node, ms]) => [node, average === 0 ? 0 : ms / average]));
}

function vectorOf(node: NodeId, table: readonly TypeTimes[]): PerformanceVector | undefined {
  const times: number[] = [];
  for (const type of table) {
    const time = type.get(node);
    if (time === undefined) return undefined;
    times.push(time);
  }
  return { node, times };
}

const slowestFirst = descending(
  ({ center }: TaskCluster) => mean(center),
  ascending(({ members }) => members[0]!.node),
);

/**
 * The paper leaves incomplete vectors open; here the present values are compared with the centres.
 */
function levelNear(
  node: NodeId,
  table: readonly TypeTimes[],
  clusters: readonly TaskCluster[],
): number | undefined {
  const known = table.flatMap((times, type) => (times.has(node) ? [type] : []));
  if (known.length === 0) return undefined;
  const point = known.map((type) => table[type]!.get(node)!);
  const centers = clusters.map(({ center }) => known.map((type) => center[type]!));
  return nearest(point, centers) + 1;
}
