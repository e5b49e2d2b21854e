import type { MapContext, Params } from "./context.ts";
import type { Key } from "./key.ts";
import type { JoinSide } from "./parts.ts";
import type { SortOrder } from "./sort-order.ts";

/**
 * What `map` may hand back: pairs from a generator or an array, or nothing if it used `ctx.emit`.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a map that only emits returns nothing.
export type Emitted<T> = Iterable<T> | void;

/** What user code is given beside a record, whatever its job declares. */
export type AnyContext = MapContext<string, Params>;

/**
 * What a phase does with each record, one step after the other: records in, records out. Before a
 * shuffle records are pairs `[key, value]`. Steps are data where they can be, so that a host may do
 * a whole row of them in a kernel; what they come to is always what `applySteps` says.
 */
export type Step =
  | { readonly kind: "map"; map(record: unknown, ctx: AnyContext): unknown }
  /** Whatever it hands back, and the pairs that it emits, are the records. */
  | {
      readonly kind: "flat-map";
      /** What the user called it, for messages. */
      readonly by: string;
      /** The records must be pairs: what a job's `map` gives. */
      readonly pairs: boolean;
      flatMap(record: unknown, ctx: AnyContext): Emitted<unknown>;
    }
  | { readonly kind: "filter"; keep(record: unknown, ctx: AnyContext): boolean }
  /** The maximal runs of bytes above 0x20 of a text. */
  | { readonly kind: "words" }
  /** Texts that hold the literal, or in which the expression finds something. */
  | { readonly kind: "matching"; readonly pattern: string | RegExp }
  /** A text's UTF-8, in which the user names the slices that are the records. */
  | { readonly kind: "map-bytes"; mapBytes: MapBytes }
  | { readonly kind: "pair"; readonly key: Selector; readonly value: Selector }
  /** A join with a table that every task holds: pairs in, as a join gives them out. */
  | { readonly kind: "lookup"; readonly table: number; readonly how: JoinHow };

/** A part of a record, as data where possible. */
export type Selector =
  | { readonly kind: "record" }
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "constant"; readonly value: Key }
  /** Of what an inner join gives. */
  | { readonly kind: "side"; readonly side: JoinSide }
  /** A key that goes another way than keys go: see `SortOrder`. */
  | { readonly kind: "ordered"; readonly by: Selector; readonly order: SortOrder }
  | { readonly kind: "function"; of(record: unknown, ctx: AnyContext): unknown };

/**
 * Inner: `[key, [left, right]]` for each pair of values. Left: the same, and `[left, undefined]` of
 * a key that the right side lacks. Semi and anti: `[key, left]` where the right side has the key,
 * or lacks it.
 */
export type JoinHow = "inner" | "left" | "semi" | "anti";

/**
 * A record's bytes stand in `bytes` from `start` to `end`; `slice` makes a record of some of them.
 * The bytes are gone when it returns.
 */
export type MapBytes = (
  bytes: Uint8Array,
  start: number,
  end: number,
  slice: (start: number, end: number) => void,
) => void;
