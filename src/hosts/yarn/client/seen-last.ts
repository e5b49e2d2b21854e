import { ascending } from "../../../base/order.ts";
import type { AttemptRow } from "./yarn-rest.ts";

/**
 * All attempts of a task of a job that has succeeded, as they were seen last. One of them has
 * succeeded: if none was seen to, the one of those that still ran that was furthest.
 */
export function succeededSince(rows: readonly AttemptRow[]): readonly AttemptRow[] {
  if (rows.some(({ state }) => state === "SUCCEEDED")) return rows;
  const running = rows.filter(({ endedAt }) => endedAt === 0);
  const furthest = [...running].sort(ascending(({ progress }) => -progress, BY_NAME))[0];
  return rows.map((row) => (row === furthest ? { ...row, state: "SUCCEEDED" } : row));
}

const BY_NAME = (x: AttemptRow, y: AttemptRow): number => (x.attempt < y.attempt ? -1 : 1);
