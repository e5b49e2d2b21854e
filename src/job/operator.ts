import type { MapBytes, Step } from "./step.ts";

/**
 * Steps for use in a job or a flow, which can be chained. `I` is the record that an operator takes,
 * `O` the records that it gives. Hosts may run a job that consists of operators alone without
 * making a string.
 */
export interface Operator<I, O> {
  readonly kind: typeof OPERATOR_KIND;
  readonly steps: readonly Step[];
  /** Chains an operator after this one. */
  pipe<P>(next: Operator<O, P>): Operator<I, P>;
  /** For the compiler alone. */
  takes?(record: I): void;
  /** For the compiler alone. */
  readonly gives?: () => O;
}

/** Marks an operator, so that one from another copy of this module is recognised too. */
const OPERATOR_KIND = "broomwagon-operator";

/** Lines unchanged: with `map: lines()` each line is a key. */
export const lines = (): Operator<string, string> => operator();

/**
 * The words of a text: its maximal runs of bytes above 0x20, that is, of all but spaces and control
 * characters.
 */
export const words = (): Operator<string, string> => operator({ kind: "words" });

/** The texts that contain the literal, or in which the expression finds a match. */
export function matching(pattern: string | RegExp): Operator<string, string> {
  return operator({ kind: "matching", pattern: withoutPlace(pattern) });
}

/**
 * Maps bytes: `bytes` holds a text's UTF-8 from `start` to `end`, and each call of `slice(start,
 * end)` makes a record. No string is made unless a later step needs one.
 *
 *     mapBytes((bytes, start, end, slice) => {
 *       const tab = bytes.indexOf(9, start);
 *       if (tab >= 0 && tab < end) slice(start, tab);
 *     })
 */
export function mapBytes(map: MapBytes): Operator<string, string> {
  return operator({ kind: "map-bytes", mapBytes: map });
}

/** Whether a value, such as a job's `map`, is an operator. */
export function isOperator(value: unknown): value is Operator<unknown, unknown> {
  return (
    typeof value === "object" && value !== null && "kind" in value && value.kind === OPERATOR_KIND
  );
}

function operator<I, O>(...steps: readonly Step[]): Operator<I, O> {
  return {
    kind: OPERATOR_KIND,
    steps,
    pipe: <P>(next: Operator<O, P>) => operator<I, P>(...steps, ...next.steps),
  };
}

/**
 * A global or sticky expression remembers its last place, so each text would change the result for
 * the next.
 */
function withoutPlace(pattern: string | RegExp): string | RegExp {
  if (typeof pattern === "string") return pattern;
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
}
