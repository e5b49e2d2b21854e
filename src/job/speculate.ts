import { isObject } from "../base/shape.ts";

/**
 * Whether a second attempt of a task may run beside the first: for all tasks, or apart for maps and
 * for reduces, which are the tasks that read a shuffle. A kind that is left out may be copied.
 */
export type Speculate = boolean | Partial<Speculates>;

/** `Speculate` with its defaults. */
export interface Speculates {
  readonly map: boolean;
  readonly reduce: boolean;
}

export const speculatesOf = (of: Speculate = true): Speculates =>
  typeof of === "boolean" ? { map: of, reduce: of } : { map: true, reduce: true, ...of };

/** Completes "expected ...". */
export const SPECULATE_EXPECTED = "true, false, or { map, reduce } of these";

export const isSpeculate = (value: unknown): value is Speculate =>
  typeof value === "boolean" ||
  (isObject(value) &&
    Object.entries(value).every(
      ([kind, is]) => (kind === "map" || kind === "reduce") && typeof is === "boolean",
    ));
