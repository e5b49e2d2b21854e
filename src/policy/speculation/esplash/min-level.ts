import { isClearlyBelow } from "../../../base/clearly-below.ts";

/** The figures of a level for one type of task. */
export interface LevelFigures {
  readonly level: number;
  /** C(m): containers on the level's nodes that can serve this type of task. */
  readonly containers: number;
  /** EstT(m), ms: the mean in the statistics table; undefined until a task has finished there. */
  readonly meanMs: number | undefined;
}

/** The least level on which a copy should run, and its expected time there, in ms. */
export interface MinLevel {
  readonly minLevel: number;
  readonly expectedMs: number;
}

/**
 * Algorithm 3 for a task on a node of level `from`; `levels` are in rising order. Line 5 prints min
 * where argmin is meant; the lowest of equal levels counts, which leaves the most hosts. undefined
 * if no level from there on has both a container and a mean.
 */
export function findMinLevel(levels: readonly LevelFigures[], from: number): MinLevel | undefined {
  let best: MinLevel | undefined;
  // Line 2: every level from the task's own to the highest.
  for (const { level, containers, meanMs } of levels) {
    // A level without figures may be slower than all levels with figures.
    if (level < from || containers === 0 || meanMs === undefined) continue;
    const expectedMs = expectedTime(levels, level);
    if (expectedMs === undefined) continue;
    const isLess = best === undefined || isClearlyBelow(expectedMs, best.expectedMs);
    if (isLess) best = { minLevel: level, expectedMs };
  }
  return best;
}

/**
 * Line 3: the mean time over the levels that may host the copy, each weighted by its containers:
 * Pr(m) = C(m) / sum of C(j).
 */
export function expectedTime(
  levels: readonly LevelFigures[],
  minLevel: number,
): number | undefined {
  let containers = 0;
  let sumMs = 0;
  for (const { level, containers: count, meanMs } of levels) {
    if (level < minLevel || count === 0 || meanMs === undefined) continue;
    containers += count;
    sumMs += count * meanMs;
  }
  return containers === 0 ? undefined : sumMs / containers;
}

/**
 * §IV-C, the speculative value, ms: the time saved on each level that may host the copy, weighted
 * by its containers and divided by the containers of all levels.
 */
export function speculativeValue(
  levels: readonly LevelFigures[],
  { minLevel, timeLeftMs }: { readonly minLevel: number; readonly timeLeftMs: number },
): number {
  let all = 0;
  let savedMs = 0;
  for (const { level, containers, meanMs } of levels) {
    all += containers;
    // A level without containers saves nothing, not even if the time saved there is infinite.
    if (level < minLevel || containers === 0 || meanMs === undefined) continue;
    savedMs += containers * (timeLeftMs - meanMs);
  }
  return all === 0 ? 0 : savedMs / all;
}
