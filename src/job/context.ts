import type { Key } from "./key.ts";

/** A job's parameters by name; the declared values are the defaults. */
export type Params = Readonly<Record<string, string | number | boolean>>;

/** The context of user code while it runs; its functions may be destructured. */
export interface Context<Counter extends string, P extends Params> {
  /** The job's declared parameters, with the changes of the command line. */
  readonly params: Readonly<P>;
  /** This task's index within its phase, from 0. */
  readonly task: number;
  /** How many times this task was started before, on any node: 0 for its first attempt. */
  readonly attempt: number;
  /** Adds to a declared counter. Only the attempt whose output is kept counts. */
  count(counter: Counter, by?: number): void;
  /**
   * Passes on one pair, as `yield [key, value]` would; in a reduce, and in a map without a reduce,
   * the pair is one record of output. Only the types of yielded pairs are checked.
   */
  emit(key: Key, value: unknown): void;
}

export interface MapContext<Counter extends string, P extends Params> extends Context<Counter, P> {
  /** The absolute path of the file that this record was read from; empty after a shuffle. */
  readonly file: string;
}

/** What a function of `mapAsync` has in its context besides the fields of a map. */
export interface Call {
  /**
   * Aborted when the call's time is over, and when its task has failed. Pass it on, as in
   * `fetch(url, { signal: ctx.signal })`, so that the work really ends.
   */
  readonly signal: AbortSignal;
  /** The record's number among those that the step gets in its task, from 0; no attempt differs. */
  readonly index: number;
  /** How many times this attempt made the call before: 0, then 1 for the first retry. */
  readonly retry: number;
}

/** The context of a function of `mapAsync` in a job. */
export interface AsyncContext<Counter extends string, P extends Params>
  extends MapContext<Counter, P>,
    Call {}

export type ReduceContext<Counter extends string, P extends Params> = Context<Counter, P>;
