import type { MapBytes, Step } from "./step.ts";

/**
 * Some steps, ready to be used in a job or a flow, and to be put one after the other. `I` is the
 * record that it takes, `O` those that it gives. Where a job is made of nothing else, hosts may do
 * it without making a string.
 */
export interface Operator<I, O> {
  readonly kind: typeof OPERATOR_KIND;
  readonly steps: readonly Step[];
  /** What it gives goes into the next. */
  pipe<P>(next: Operator<O, P>): Operator<I, P>;
  /** For the compiler alone. */
  takes?(record: I): void;
  /** For the compiler alone. */
  readonly gives?: () => O;
}

/** Marks an operator, so that one from another copy of this module is known too. */
const OPERATOR_KIND = "broomwagon-operator";

/** Lines as they are: `map: lines()` has each line for a key. */
export const lines = (): Operator<string, string> => operator();

/** The words of a text: its maximal runs of bytes above 0x20, which is all but spaces and marks. */
export const words = (): Operator<string, string> => operator({ kind: "words" });

/** The texts that hold the literal, or in which the expression finds something. */
export function matching(pattern: string | RegExp): Operator<string, string> {
  return operator({ kind: "matching", pattern: withoutPlace(pattern) });
}

/**
 * For those who want bytes: a text's UTF-8 stands in `bytes` from `start` to `end`, and each
 * `slice(start, end)` of it is a record. No string is made unless what follows wants one.
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

/** A global or sticky expression remembers where it was, so each text would change the next. */
function withoutPlace(pattern: string | RegExp): string | RegExp {
  if (typeof pattern === "string") return pattern;
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
}
