import type { AsyncContext, MapContext, Params } from "./context.ts";
import type { Key } from "./key.ts";
import type { JoinSide } from "./parts.ts";
import type { SortOrder } from "./sort-order.ts";

/** The result of `map`: pairs from a generator or an array, or nothing if it used `ctx.emit`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a map that only emits returns nothing.
export type Emitted<T> = Iterable<T> | void;

/** The context of user code, for any job. */
export type AnyContext = MapContext<string, Params>;
export type AnyAsyncContext = AsyncContext<string, Params>;

/**
 * A step of a phase: turns records into records. Before a shuffle, records are pairs `[key,
 * value]`. Steps are data where possible, so that a host may run a sequence of them in a kernel;
 * the result must always equal that of `applySteps`.
 */
export type Step =
  | AsyncStep
  | { readonly kind: "map"; map(record: unknown, ctx: AnyContext): unknown }
  /** The records are those that the function returns, and the pairs that it emits. */
  | {
      readonly kind: "flat-map";
      /** The user's name for the function, for messages. */
      readonly by: string;
      /** Whether the records must be pairs, as for a job's `map`. */
      readonly pairs: boolean;
      flatMap(record: unknown, ctx: AnyContext): Emitted<unknown>;
    }
  | { readonly kind: "filter"; keep(record: unknown, ctx: AnyContext): boolean }
  /** The maximal runs of bytes above 0x20 of a text. */
  | { readonly kind: "words" }
  /** Texts that contain the literal, or in which the expression finds a match. */
  | { readonly kind: "matching"; readonly pattern: string | RegExp }
  /** A text's UTF-8; the user's function names the slices that become records. */
  | { readonly kind: "map-bytes"; mapBytes: MapBytes }
  | { readonly kind: "pair"; readonly key: Selector; readonly value: Selector }
  /** A join with a table that every task holds: takes pairs, gives the records of the join. */
  | { readonly kind: "lookup"; readonly table: number; readonly how: JoinHow };

/** Calls a function for each record and awaits its promise; the results keep the records' order. */
export interface AsyncStep {
  readonly kind: "map-async";
  /**
   * The records that a result stands for: itself, or the pairs in it, as for a job's `map`. Pairs
   * that the function emits come first.
   */
  readonly gives: "record" | "pairs";
  readonly calls: Calls;
  mapAsync(record: unknown, ctx: AnyAsyncContext): unknown;
}

/** Whether the step makes calls that must not be made twice at once. */
export const forbidsCopies = (step: Step): boolean =>
  step.kind === "map-async" && !step.calls.speculate;

/** The limits of a step's calls: `MapAsyncOptions` with its defaults. */
export interface Calls {
  readonly concurrency: number;
  /** Undefined: a call may take any time, and the task's own timeout decides. */
  readonly timeoutMs: number | undefined;
  readonly retries: number;
  readonly backoffMs: number;
  readonly speculate: boolean;
}

/** A part of a record, as data where possible. */
export type Selector =
  | { readonly kind: "record" }
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "constant"; readonly value: Key }
  /** A side of an inner join's record. */
  | { readonly kind: "side"; readonly side: JoinSide }
  /** A key in an order other than ascending: see `SortOrder`. */
  | { readonly kind: "ordered"; readonly by: Selector; readonly order: SortOrder }
  | { readonly kind: "function"; of(record: unknown, ctx: AnyContext): unknown };

/**
 * Inner: `[key, [left, right]]` for each pair of values. Left: the same, and `[left, undefined]`
 * for a key that the right side lacks. Semi and anti: `[key, left]` where the right side has the
 * key, or lacks it.
 */
export type JoinHow = "inner" | "left" | "semi" | "anti";

/**
 * `bytes` holds a record from `start` to `end`; `slice` makes a record of a part of it. The bytes
 * are valid only during the call.
 */
export type MapBytes = (
  bytes: Uint8Array,
  start: number,
  end: number,
  slice: (start: number, end: number) => void,
) => void;
