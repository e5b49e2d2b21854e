import { InputError } from "../base/input-error.ts";
import { checkArgument } from "./check-spec.ts";
import type { MapContext, Params } from "./context.ts";
import { checkWord } from "./described.ts";
import type { FlowNode, ShuffleNode, ShuffleSide } from "./flow-node.ts";
import type { FlowScope } from "./flow-scope.ts";
import { type Fold, once } from "./fold.ts";
import type { Key } from "./key.ts";
import { mapBytes, matching, type Operator, words } from "./operator.ts";
import type { Output } from "./output.ts";
import { sideOf } from "./parts.ts";
import { isSortOrder, type SortOrder } from "./sort-order.ts";
import type { JoinHow, MapBytes, Selector, Step } from "./step.ts";

/** Of what brings records together: a phase of its own, of this name. */
export interface WideOptions {
  /** How many partitions; as many as the input asks for unless told. */
  readonly partitions?: number;
  /** Begins to copy while what it reads still runs; it waits for its end unless told. */
  readonly pipeline?: boolean;
}

export interface SortOptions extends WideOptions {
  /** Of keys, or of each element of keys that are arrays; `ascending` unless told. */
  readonly order?: SortOrder;
}

export interface JoinOptions extends WideOptions {
  /** `inner` unless told. */
  readonly how?: JoinHow;
  /**
   * How the sides meet: `shuffle` (unless told) sorts both by key; `broadcast` hands the whole
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

/** Records on their way through a flow. `X` is the context that user code is given. */
export class Records<R, X extends MapContext<never, Params>> {
  protected readonly scope: FlowScope;
  readonly node: FlowNode;

  constructor(scope: FlowScope, node: FlowNode) {
    this.scope = scope;
    this.node = node;
  }

  /** A record for each. */
  map<S>(map: (record: R, ctx: X) => S): Records<S, X> {
    checkArgument("function", map, "map");
    return new Records(this.scope, this.step({ kind: "map", map }));
  }

  /** Any number of records for each: from a generator or an array. */
  flatMap<S>(flatMap: (record: R, ctx: X) => Iterable<S>): Records<S, X> {
    checkArgument("function", flatMap, "flatMap");
    const step = { kind: "flat-map", by: "flatMap", pairs: false, flatMap } as const;
    return new Records(this.scope, this.step(step));
  }

  /** Those of which it is true. */
  filter(keep: (record: R, ctx: X) => boolean): this;
  filter<S extends R>(keep: (record: R, ctx: X) => record is S): Records<S, X>;
  filter(keep: (record: R, ctx: X) => boolean): Records<R, X> {
    checkArgument("function", keep, "filter");
    return this.like(this.step({ kind: "filter", keep }));
  }

  /** Through an operator, such as `words()`. */
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
   * Pairs of key and value: each by the name of a column or by a function. Without a value, the
   * record; without either, the record is both.
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

  /** The same by the name under which others know it: `groupBy("town").reduce(...)`. */
  readonly groupBy = this.keyBy;

  /** One record: what all of them fold to. */
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
   * All of them in the order of their keys, over all partitions; equal keys as they came. By
   * several keys, each its own way:
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
    // A record that is its own key, as it is, need not be there twice.
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

  /** Each record once. */
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

  /** These and those; in what order is not said. */
  union(...others: readonly Records<R, X>[]): this;
  union(...others: readonly Records<R, X>[]): Records<R, X> {
    return this.like({ kind: "union", from: [this.node, ...others.map(({ node }) => node)] });
  }

  /** To files; of several outputs, each in the directory of its name. */
  write(output: Output, name?: string): void {
    checkArgument("output", output, "write");
    this.scope.write({ name, from: this.node, output });
  }

  /** Records of the same kind at another place of the flow. */
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

/** Pairs `[key, value]`: what can be folded, reduced and joined by key. */
export class Keyed<K extends Key, V, X extends MapContext<never, Params>> extends Records<
  readonly [K, V],
  X
> {
  /** Other values to the same keys. */
  mapValues<W>(map: (value: V, key: K, ctx: X) => W): Keyed<K, W, X> {
    checkArgument("function", map, "mapValues");
    const pairs = (pair: readonly [K, V], ctx: X): readonly [K, W] => [
      pair[0],
      map(pair[1], pair[0], ctx),
    ];
    return new Keyed(this.scope, this.step({ kind: "map", map: pairs }));
  }

  /** A pair for each key: what its values fold to. */
  fold<O>(name: string, fold: Fold<V, unknown, O>, options: WideOptions = {}): Keyed<K, O, X> {
    checkArgument("fold", fold, `fold ${name}`);
    const combine = { kind: "fold", fold, combines: true } as const;
    const side: ShuffleSide = { from: this.node, combine, partition: { kind: "hash" } };
    const group = { kind: "fold", fold, total: false } as const;
    return new Keyed(this.scope, this.wide(name, [side], { group, options }));
  }

  /** Whatever is handed back for a key and its values, which can be read once. */
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

  /** Values of the two sides that have a key in common: see `JoinHow` for what comes of them. */
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
