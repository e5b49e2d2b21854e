import { InputError } from "../base/input-error.ts";
import { checkArgument } from "./check-spec.ts";
import type { Call, MapContext, Params } from "./context.ts";
import { checkWord } from "./described.ts";
import type { FlowNode, ShuffleNode, ShuffleSide } from "./flow-node.ts";
import type { FlowScope } from "./flow-scope.ts";
import { type Fold, once } from "./fold.ts";
import type { Key } from "./key.ts";
import { asyncStep, type MapAsyncOptions } from "./map-async.ts";
import { mapBytes, matching, type Operator, words } from "./operator.ts";
import type { Output } from "./output.ts";
import { sideOf } from "./parts.ts";
import { isSortOrder, type SortOrder } from "./sort-order.ts";
import type { JoinHow, MapBytes, Selector, Step } from "./step.ts";

/** Options of a step that brings records together: a phase of its own, with the step's name. */
export interface WideOptions {
  /** The number of partitions. Default: derived from the size of the input. */
  readonly partitions?: number;
  /** Whether reduces copy outputs while maps still run. Default: they wait for the last map. */
  readonly pipeline?: boolean;
}

export interface SortOptions extends WideOptions {
  /** The order of keys, or of each element of keys that are arrays. Default: `ascending`. */
  readonly order?: SortOrder;
}

export interface JoinOptions extends WideOptions {
  /** Default: `inner`. */
  readonly how?: JoinHow;
  /**
   * How the sides meet: `shuffle` (the default) sorts both by key; `broadcast` sends the whole
   * right side to every task, where it must fit in memory.
   */
  readonly by?: "shuffle" | "broadcast";
  /** `salt`: keys that a sample finds hot are spread over all partitions. */
  readonly skew?: "salt";
}

/** The names of a record's columns that may be keys. */
export type KeyColumn<R> = {
  [N in keyof R & string]: R[N] extends Key ? N : never;
}[keyof R & string];

/** Records in a flow. `X` is the context of user code. */
export class Records<R, X extends MapContext<never, Params>> {
  protected readonly scope: FlowScope;
  readonly node: FlowNode;

  constructor(scope: FlowScope, node: FlowNode) {
    this.scope = scope;
    this.node = node;
  }

  /** Makes one record of each record. */
  map<S>(map: (record: R, ctx: X) => S): Records<S, X> {
    checkArgument("function", map, "map");
    return new Records(this.scope, this.step({ kind: "map", map }));
  }

  /**
   * Makes one record of each record, as `map` does, by an async function: calls it for several
   * records at once, and keeps the order of the records.
   */
  mapAsync<S>(
    map: (record: R, ctx: X & Call) => Promise<S>,
    options: MapAsyncOptions = {},
  ): Records<S, X> {
    return new Records(this.scope, this.step(asyncStep("record", map, options)));
  }

  /** Makes any number of records of each record: by a generator or an array. */
  flatMap<S>(flatMap: (record: R, ctx: X) => Iterable<S>): Records<S, X> {
    checkArgument("function", flatMap, "flatMap");
    const step = { kind: "flat-map", by: "flatMap", pairs: false, flatMap } as const;
    return new Records(this.scope, this.step(step));
  }

  /** Keeps the records for which the function returns true. */
  filter(keep: (record: R, ctx: X) => boolean): this;
  filter<S extends R>(keep: (record: R, ctx: X) => record is S): Records<S, X>;
  filter(keep: (record: R, ctx: X) => boolean): Records<R, X> {
    checkArgument("function", keep, "filter");
    return this.like(this.step({ kind: "filter", keep }));
  }

  /** Passes the records through an operator, such as `words()`. */
  via<O>(operator: Operator<R, O>): Records<O, X> {
    checkArgument("operator", operator, "via");
    return new Records(this.scope, this.steps(operator.steps));
  }

  /** The words of texts: see `words`. */
  words(this: Records<string, X>): Records<string, X> {
    return this.via(words());
  }

  /** The texts that match: see `matching`. */
  matching(this: Records<string, X>, pattern: string | RegExp): Records<string, X> {
    return this.via(matching(pattern));
  }

  /** Slices of the texts' bytes: see `mapBytes`. */
  mapBytes(this: Records<string, X>, map: MapBytes): Records<string, X> {
    return this.via(mapBytes(map));
  }

  /**
   * Pairs of key and value: each by the name of a column or by a function. Without `value`, the
   * value is the record; without either, key and value are the record.
   */
  keyBy(this: Records<R & Key, X>): Keyed<R & Key, R, X>;
  keyBy<N extends KeyColumn<R>>(key: N): Keyed<Extract<R[N], Key>, R, X>;
  keyBy<N extends KeyColumn<R>, M extends keyof R & string>(
    key: N,
    value: M,
  ): Keyed<Extract<R[N], Key>, R[M], X>;
  keyBy<N extends KeyColumn<R>, V>(
    key: N,
    value: (record: R, ctx: X) => V,
  ): Keyed<Extract<R[N], Key>, V, X>;
  keyBy<const K extends Key>(key: (record: R, ctx: X) => K): Keyed<K, R, X>;
  keyBy<const K extends Key, M extends keyof R & string>(
    key: (record: R, ctx: X) => K,
    value: M,
  ): Keyed<K, R[M], X>;
  keyBy<const K extends Key, V>(
    key: (record: R, ctx: X) => K,
    value: (record: R, ctx: X) => V,
  ): Keyed<K, V, X>;
  keyBy(key?: Select<R, X>, value?: Select<R, X>): unknown {
    return new Keyed(this.scope, this.pair(selectorOf(key), selectorOf(value)));
  }

  /** `keyBy` under the name that other systems use: `groupBy("town").reduce(...)`. */
  readonly groupBy = this.keyBy;

  /** Folds all records to one record. */
  total<O>(name: string, fold: Fold<R, unknown, O>): Records<O, X> {
    checkArgument("fold", fold, `total ${name}`);
    const from = this.pair({ kind: "constant", value: null }, { kind: "record" });
    const combine = { kind: "fold", fold, combines: true } as const;
    return new Records(
      this.scope,
      this.wide(name, [{ from, combine, partition: { kind: "hash" } }], {
        group: { kind: "fold", fold, total: true },
        options: { partitions: 1 },
      }),
    );
  }

  /**
   * Sorts all records by key, over all partitions; the sort is stable. With several keys, each has
   * its own direction:
   *
   *     const order = ["ascending", "descending"] as const;
   *     people.sortBy("eldest", ({ town, age }) => [town, age], { order })
   */
  sortBy(this: Records<R & Key, X>, name: string, options?: SortOptions): Records<R, X>;
  sortBy(
    name: string,
    key: KeyColumn<R> | ((record: R, ctx: X) => Key),
    options?: SortOptions,
  ): Records<R, X>;
  sortBy(name: string, key?: Select<R, X> | SortOptions, others: SortOptions = {}): Records<R, X> {
    const isKey = typeof key === "string" || typeof key === "function";
    const { order = "ascending", ...options } = isKey || key === undefined ? others : key;
    if (!isSortOrder(order)) {
      const expected = 'expected "ascending" or "descending", or an array of these';
      throw new InputError("bad-job", `sortBy ${name}: order`, expected);
    }
    const by = selectorOf(isKey ? key : undefined);
    // A record that is its own, unchanged key need not be stored twice.
    const gives = isKey || order !== "ascending" ? "value" : "key";
    const from = this.pair(
      order === "ascending" ? by : { kind: "ordered", by, order },
      gives === "value" ? { kind: "record" } : { kind: "constant", value: null },
    );
    return new Records(
      this.scope,
      this.wide(name, [{ from, combine: { kind: "none" }, partition: { kind: "range" } }], {
        group: { kind: "each", gives },
        options,
      }),
    );
  }

  /** Keeps each record once. */
  distinct(this: Records<R & Key, X>, name: string, options: WideOptions = {}): Records<R, X> {
    const from = this.pair({ kind: "record" }, { kind: "constant", value: null });
    const combine = { kind: "fold", fold: once(), combines: true } as const;
    return new Records(
      this.scope,
      this.wide(name, [{ from, combine, partition: { kind: "hash" } }], {
        group: { kind: "keys" },
        options,
      }),
    );
  }

  /** The records of all of these, in no particular order. */
  union(...others: readonly Records<R, X>[]): this;
  union(...others: readonly Records<R, X>[]): Records<R, X> {
    return this.like({ kind: "union", from: [this.node, ...others.map(({ node }) => node)] });
  }

  /**
   * Writes the records to files; if there are several outputs, each in the directory of its name.
   */
  write(output: Output, name?: string): void {
    checkArgument("output", output, "write");
    this.scope.write({ name, from: this.node, output });
  }

  /** Records of the same kind at another node of the flow. */
  like(node: FlowNode): Records<R, X> {
    return new Records(this.scope, node);
  }

  protected step(step: Step): FlowNode {
    return this.steps([step]);
  }

  protected steps(steps: readonly Step[]): FlowNode {
    return { kind: "steps", from: this.node, steps };
  }

  protected pair(key: Selector, value: Selector): FlowNode {
    return this.step({ kind: "pair", key, value });
  }

  protected wide(
    name: string,
    sides: readonly ShuffleSide[],
    { group, options }: { group: ShuffleNode["group"]; options: WideOptions },
  ): FlowNode {
    this.scope.claim(name);
    const { partitions, pipeline = false } = options;
    if (partitions !== undefined && !(Number.isInteger(partitions) && partitions >= 1)) {
      const expected = `expected a whole number from 1, found ${partitions}`;
      throw new InputError("bad-job", `${name}: partitions`, expected);
    }
    return { kind: "shuffle", name, sides, group, partitions, pipeline };
  }
}

/** Pairs `[key, value]`, which can be folded, reduced and joined by key. */
export class Keyed<K extends Key, V, X extends MapContext<never, Params>> extends Records<
  readonly [K, V],
  X
> {
  /** Replaces the values and keeps the keys. */
  mapValues<W>(map: (value: V, key: K, ctx: X) => W): Keyed<K, W, X> {
    checkArgument("function", map, "mapValues");
    const pairs = (pair: readonly [K, V], ctx: X): readonly [K, W] => [
      pair[0],
      map(pair[1], pair[0], ctx),
    ];
    return new Keyed(this.scope, this.step({ kind: "map", map: pairs }));
  }

  /** A pair for each key, with the fold of its values. */
  fold<O>(name: string, fold: Fold<V, unknown, O>, options: WideOptions = {}): Keyed<K, O, X> {
    checkArgument("fold", fold, `fold ${name}`);
    const combine = { kind: "fold", fold, combines: true } as const;
    const side: ShuffleSide = { from: this.node, combine, partition: { kind: "hash" } };
    const group = { kind: "fold", fold, total: false } as const;
    return new Keyed(this.scope, this.wide(name, [side], { group, options }));
  }

  /**
   * The records that the function returns for a key and its values; the values can be read once.
   */
  reduce<O>(
    name: string,
    reduce: (key: K, values: Iterable<V>, ctx: X) => Iterable<O>,
    options: WideOptions & {
      /** Shrinks a key's values before they travel. */
      readonly combine?: (key: K, values: Iterable<V>, ctx: X) => Iterable<V>;
    } = {},
  ): Records<O, X> {
    const combine = combinerOf(options.combine);
    checkArgument("function", reduce, `reduce ${name}`);
    const side: ShuffleSide = { from: this.node, combine, partition: { kind: "hash" } };
    const group = { kind: "reduce", reduce } as const;
    return new Records(this.scope, this.wide(name, [side], { group, options }));
  }

  /** Joins the values of the two sides that share a key: see `JoinHow` for the results. */
  join<W>(
    name: string,
    right: Keyed<K, W, X>,
    options?: JoinOptions & { readonly how?: "inner" },
  ): Keyed<K, readonly [V, W], X>;
  join<W>(
    name: string,
    right: Keyed<K, W, X>,
    options: JoinOptions & { readonly how: "left" },
  ): Keyed<K, readonly [V, W | undefined], X>;
  join<W>(
    name: string,
    right: Keyed<K, W, X>,
    options: JoinOptions & { readonly how: "semi" | "anti" },
  ): Keyed<K, V, X>;
  join<W>(name: string, right: Keyed<K, W, X>, options: JoinOptions = {}): unknown {
    const { how = "inner", by = "shuffle", skew } = options;
    checkWord(how, ["inner", "left", "semi", "anti"], `join ${name}: how`);
    checkWord(by, ["shuffle", "broadcast"], `join ${name}: by`);
    checkWord(skew, ["salt"], `join ${name}: skew`);
    if (by === "broadcast") {
      this.scope.claim(name);
      const { node } = right;
      return new Keyed(this.scope, { kind: "lookup", from: this.node, table: node, how });
    }
    const combine = { kind: "none" } as const;
    const spread = (hot: "in-turn" | "to-all"): ShuffleSide["partition"] =>
      skew === "salt" ? { kind: "salted", hot } : { kind: "hash" };
    const sides: readonly ShuffleSide[] = [
      { from: this.node, combine, partition: spread("in-turn") },
      { from: right.node, combine, partition: spread("to-all") },
    ];
    return new Keyed(this.scope, this.wide(name, sides, { group: { kind: "join", how }, options }));
  }

  override like(node: FlowNode): Keyed<K, V, X> {
    return new Keyed(this.scope, node);
  }
}

type Select<R, X> = string | ((record: R, ctx: X) => unknown);

function selectorOf<R, X extends MapContext<never, Params>>(
  select: Select<R, X> | undefined,
): Selector {
  checkArgument("selector", select, "key or value");
  if (select === undefined) return { kind: "record" };
  if (typeof select === "string") return { kind: "column", name: select };
  const side = sideOf(select);
  return side === undefined ? { kind: "function", of: select } : { kind: "side", side };
}

function combinerOf<K extends Key, V, X extends MapContext<never, Params>>(
  combine: ((key: K, values: Iterable<V>, ctx: X) => Iterable<V>) | undefined,
): ShuffleSide["combine"] {
  return combine === undefined ? { kind: "none" } : { kind: "function", combine };
}
