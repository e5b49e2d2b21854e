/** No job has more tasks than this: a larger number in a history is damaged. */
const TASKS_MAX = 10_000_000;
/** Nor has an executor as many cores. */
const CORES_MAX = 100_000;

/** A number of tasks; undefined if it is unknown or damaged. */
export const knownCount = (count: number | undefined): number | undefined =>
  isCount(count, TASKS_MAX) ? count : undefined;

export const knownCores = (cores: number | undefined): number | undefined =>
  isCount(cores, CORES_MAX) ? cores : undefined;

const isCount = (count: number | undefined, most: number): boolean =>
  count !== undefined && count >= 0 && count <= most && Number.isInteger(count);
