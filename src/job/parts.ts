/** One of the two values in a join's record `[key, [left, right]]`, by its side. */
export type JoinSide = "left" | "right";

/**
 * Selects the left value of a join's record. In a `keyBy` after the join it tells the planner, as
 * data, which value is meant.
 *
 *     visits.join("join", pages, { by: "broadcast" }).keyBy(right, left).fold("sum", sum())
 */
export const left = <V>([, [value]]: readonly [unknown, readonly [V, unknown]]): V => value;

/** Selects the right value of a join's record: see `left`. */
export const right = <V>([, [, value]]: readonly [unknown, readonly [unknown, V]]): V => value;

/** The side that `left` or `right` selects; undefined for any other function. */
export function sideOf(select: unknown): JoinSide | undefined {
  if (select === left) return "left";
  return select === right ? "right" : undefined;
}
