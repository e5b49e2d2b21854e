import { bad, checkSpec } from "./check-spec.ts";
import type { AsyncContext, Context, MapContext, Params, ReduceContext } from "./context.ts";
import { type Definition, withDefinition } from "./definition.ts";
import type { Fold } from "./fold.ts";
import { type Input, text } from "./input.ts";
import type { Key } from "./key.ts";
import type { AnyAsyncMap, AsyncMap } from "./map-async.ts";
import type { Operator } from "./operator.ts";
import { type Output, tsv } from "./output.ts";
import { type Speculate, type Speculates, speculatesOf } from "./speculate.ts";
import type { Emitted } from "./step.ts";

/** The specification of a job, as its author writes it. */
export interface JobSpec<R, K extends Key, V, O, C extends string, P extends Params> {
  /** Lower-case words joined by `-`. Default: the job file's name. */
  readonly name?: string;
  /** Default: lines of text. */
  readonly input?: Input<R>;
  /** Default: `tsv()`, a line for each record, `key TAB value`. */
  readonly output?: Output;
  /** The counters that `ctx.count` may add to. */
  readonly counters?: readonly C[];
  /** The defaults of `ctx.params`. */
  readonly params?: P;
  /**
   * Turns one record into pairs of key and value; `mapAsync(...)` if that needs to wait. Or an
   * operator, such as `words()`: its records are the output or, with a reduce, keys with a 1 each.
   */
  readonly map:
    | ((record: R, ctx: MapContext<C, P>) => Emitted<readonly [K, V]>)
    | AsyncMap<R, K, V, AsyncContext<C, P>>
    | Operator<R, K>;
  /**
   * A fold: each key's result is one record `[key, result]`. Or a function: each value it yields is
   * a record. Without a reduce, each pair of the map is a record.
   */
  readonly reduce?:
    | Fold<NoInfer<V>, unknown, O>
    | ((key: NoInfer<K>, values: Iterable<NoInfer<V>>, ctx: ReduceContext<C, P>) => Emitted<O>);
  /**
   * Shrinks a key's values before they travel. A fold combines by itself; `false` turns that off.
   */
  readonly combine?:
    | ((key: NoInfer<K>, values: Iterable<NoInfer<V>>, ctx: Context<C, P>) => Iterable<NoInfer<V>>)
    | false;
  /** The reduce task, 0 to `reduces` - 1, that gets the key. Default: by its hash. */
  partition?(key: NoInfer<K>, reduces: number): number;
  /** The number of reduce tasks. Default: one for each 64 MB of input, 1 to 64. */
  readonly reduces?: number;
  /**
   * Whether a second copy of a task may run beside the first; false if user code has side effects.
   * `{ reduce: false }`: maps alone are copied.
   */
  readonly speculate?: Speculate;
}

/** Marks a job, so that a job from another copy of this module is recognised too. */
const JOB_KIND = "broomwagon-job";

/**
 * A job with its defaults filled in; only `defineJob` makes one. `R` is the record it reads, `O`
 * the type that its reduce yields or folds to; hosts know neither.
 */
export interface Job<R = unknown, O = unknown> {
  readonly kind: typeof JOB_KIND;
  /** Undefined: the host names the job after its file. */
  readonly name: string | undefined;
  readonly input: Input<unknown>;
  readonly output: Output;
  readonly counters: readonly string[];
  readonly params: Params;
  readonly map: JobMap<R> | AnyAsyncMap | Operator<R, Key>;
  readonly reducer: JobReducer<O>;
  /** Undefined: partitions go by the hash of the key's bytes. */
  partition?(key: Key, reduces: number): number;
  /** Undefined: the host derives the number from the size of the input. */
  readonly reduces: number | undefined;
  readonly speculate: Speculates;
  /** Undefined if no module was being evaluated: threads could not find the job. */
  readonly definition: Definition | undefined;
}

/** Declared as a method, whose parameters are bivariant, so that a job of any record is a `Job`. */
export type JobMap<R> = {
  map(record: R, ctx: MapContext<string, Params>): Emitted<readonly [Key, unknown]>;
}["map"];

export type JobReducer<O = unknown> =
  /** The job only maps. */
  | { readonly kind: "none" }
  | {
      readonly kind: "fold";
      readonly fold: Fold<unknown, unknown, O>;
      /** Whether maps fold too, before values travel. */
      readonly combines: boolean;
    }
  | {
      readonly kind: "function";
      reduce(key: Key, values: Iterable<unknown>, ctx: ReduceContext<string, Params>): Emitted<O>;
      combine?(
        key: Key,
        values: Iterable<unknown>,
        ctx: Context<string, Params>,
      ): Iterable<unknown>;
    };

/**
 * Defines a MapReduce job. Types flow from `input` to `map` to `reduce`, so write them in that
 * order.
 *
 *     export default defineJob({
 *       input: text("books/*.txt"),
 *       *map(line) {
 *         for (const [word] of line.matchAll(/\p{L}+/gu)) yield [word, 1];
 *       },
 *       reduce: sum(),
 *     });
 */
export function defineJob<
  K extends Key,
  V,
  R = string,
  O = unknown,
  const C extends string = never,
  P extends Params = Readonly<Record<never, never>>,
>(spec: JobSpec<R, K, V, O, C, P>): Job<R, O> {
  checkSpec(spec);
  return withDefinition({
    kind: JOB_KIND,
    name: spec.name,
    input: spec.input ?? text(),
    output: spec.output ?? tsv(),
    counters: spec.counters ?? [],
    params: spec.params ?? {},
    map: spec.map,
    reducer: reducerOf(spec),
    ...(spec.partition !== undefined && { partition: spec.partition }),
    reduces: spec.reduces,
    speculate: speculatesOf(spec.speculate),
  });
}

function reducerOf<R, K extends Key, V, O, C extends string, P extends Params>({
  reduce,
  combine,
}: JobSpec<R, K, V, O, C, P>): JobReducer<O> {
  if (reduce === undefined) {
    if (combine) throw bad("combine", "expected a reduce beside it");
    return { kind: "none" };
  }
  if (typeof reduce === "function") {
    return { kind: "function", reduce, ...(combine && { combine }) };
  }
  if (combine) throw bad("combine", "expected none beside a fold, which combines by itself");
  return { kind: "fold", fold: reduce, combines: combine !== false };
}

/** Whether a value, such as a module's default export, came from `defineJob`. */
export function isJob(value: unknown): value is Job {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === JOB_KIND;
}
