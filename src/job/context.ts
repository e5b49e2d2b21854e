import type { Key } from "./key.ts";

/** What a job may be told from outside, by name; the declared values are the defaults. */
export type Params = Readonly<Record<string, string | number | boolean>>;

/** What user code may ask for while it runs; its functions may be taken out of it. */
export interface Context<Counter extends string, P extends Params> {
  /** The job's declared parameters, with what the command line changed. */
  readonly params: Readonly<P>;
  /** This task's index within its phase, from 0. */
  readonly task: number;
  /** How often this task was begun before, on any node: 0 for its first attempt. */
  readonly attempt: number;
  /** Adds to a declared counter. Only the attempt whose output is kept counts. */
  count(counter: Counter, by?: number): void;
  /**
   * Hands on one pair, as `yield [key, value]` would; in a reduce, and in a map without a reduce,
   * the pair is one record of output. Yielding is the form whose types are checked.
   */
  emit(key: Key, value: unknown): void;
}

export interface MapContext<Counter extends string, P extends Params> extends Context<Counter, P> {
  /** The absolute path of the file that this record was read from; empty behind a shuffle. */
  readonly file: string;
}

export type ReduceContext<Counter extends string, P extends Params> = Context<Counter, P>;
