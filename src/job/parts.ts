/** A value of a join's record `[key, [left, right]]`, by its side. */
export type JoinSide = "left" | "right";

/**
 * What the left side of a join has brought: for `keyBy` after it, where it says by data which part
 * is meant.
 *
 *     visits.join("join", pages, { by: "broadcast" }).keyBy(right, left).fold("sum", sum())
 */
export const left = <V>([, [value]]: readonly [unknown, readonly [V, unknown]]): V => value;

/** What the right side of a join has brought: see `left`. */
export const right = <V>([, [, value]]: readonly [unknown, readonly [unknown, V]]): V => value;

/** The side that one of these two functions is for. */
export function sideOf(select: unknown): JoinSide | undefined {
  if (select === left) return "left";
  return select === right ? "right" : undefined;
}
