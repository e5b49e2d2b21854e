import { InputError } from "../base/input-error.ts";
import { isObject } from "../base/shape.ts";
import type { AsyncContext, Params } from "./context.ts";
import { blamed } from "./culprit.ts";
import { described } from "./described.ts";
import type { Key } from "./key.ts";
import type { AnyAsyncContext, AsyncStep, Calls, Emitted } from "./step.ts";

/** How `mapAsync` calls its function. */
export interface MapAsyncOptions {
  /** The most calls at once in each task. Default: 1, as for streams of Node. */
  readonly concurrency?: number;
  /**
   * Milliseconds after which a call has failed; `ctx.signal` is aborted then. Default: none. The
   * task's own timeout then applies where no call ends.
   */
  readonly timeoutMs?: number;
  /** How many times a call that failed is made again. Default: 0. */
  readonly retries?: number;
  /**
   * Milliseconds before the first retry. Each further wait is twice as long, up to a minute, and
   * each is shortened by chance by up to a half. Default: 1000.
   */
  readonly backoffMs?: number;
  /** Whether a copy of a task may run beside the first and make the same calls. Default: true. */
  readonly speculate?: boolean;
}

/**
 * An async function as a job's `map`. `R` is the record that it takes, `K` and `V` are the types of
 * its pairs.
 */
export interface AsyncMap<R, K extends Key, V, X> {
  readonly kind: typeof ASYNC_MAP_KIND;
  readonly step: AsyncStep;
  /** For the compiler alone. */
  readonly takes?: (record: R, ctx: X) => Emitted<readonly [K, V]>;
}

/** An async map of any types. */
export type AnyAsyncMap = Pick<AsyncMap<never, Key, unknown, never>, "kind" | "step">;

/** Marks an async map, so that one from another copy of this module is recognised too. */
const ASYNC_MAP_KIND = "broomwagon-async-map";

/**
 * Makes an async function a job's `map`: its promise is awaited, for several records at once, and
 * the results keep the order of the records. The function gives what a map gives: an array of pairs
 * `[key, value]`, or nothing if it calls `ctx.emit`.
 *
 *     export default defineJob({
 *       map: mapAsync(
 *         async (url, { signal }) => [[url, (await fetch(url, { signal })).status]],
 *         { concurrency: 8, timeoutMs: 10_000, retries: 2 },
 *       ),
 *     });
 */
export function mapAsync<
  K extends Key,
  V,
  R = string,
  X extends AsyncContext<never, Params> = AnyAsyncContext,
>(
  map: (record: R, ctx: X) => Promise<Emitted<readonly [K, V]>>,
  options: MapAsyncOptions = {},
): AsyncMap<R, K, V, X> {
  return { kind: ASYNC_MAP_KIND, step: asyncStep("pairs", map, options) };
}

/** Whether a value, such as a job's `map`, came from `mapAsync`. */
export function isAsyncMap(value: unknown): value is AnyAsyncMap {
  return isObject(value) && "kind" in value && value.kind === ASYNC_MAP_KIND;
}

/** InputError if the function is none, or an option is unknown or wrong. */
export function asyncStep<R, X extends AsyncContext<never, Params>>(
  gives: AsyncStep["gives"],
  map: (record: R, ctx: X) => unknown,
  options: MapAsyncOptions,
): AsyncStep {
  checkFunction(map);
  checkOptions(options);
  const { concurrency = 1, timeoutMs, retries = 0, backoffMs = 1000, speculate = true } = options;
  const calls = { concurrency, timeoutMs, retries, backoffMs, speculate };
  return { kind: "map-async", gives, calls, mapAsync: map };
}

/** An async generator makes no promise: it would be a record of its own. */
function checkFunction(map: unknown): void {
  const isGenerator = Object.prototype.toString.call(map) === "[object AsyncGeneratorFunction]";
  if (typeof map === "function" && !isGenerator) return;
  const found = isGenerator ? "an async generator" : described(map);
  const refusal = new InputError(
    "bad-job",
    "mapAsync",
    `expected an async function, found ${found}`,
  );
  throw typeof map === "function" ? blamed(refusal, map) : refusal;
}

function checkOptions(options: unknown): void {
  if (!isObject(options)) {
    const expected = `expected an object of options, found ${described(options)}`;
    throw new InputError("bad-job", "mapAsync", expected);
  }
  for (const [name, value] of Object.entries(options)) {
    const option = OPTIONS.get(name);
    const place = `mapAsync: ${name}`;
    if (option === undefined) {
      const expected = `expected one of: ${[...OPTIONS.keys()].join(", ")}`;
      throw new InputError("bad-job", place, expected);
    }
    if (value === undefined || option.accepts(value)) continue;
    const expected = `expected ${option.expected}, found ${described(value)}`;
    throw new InputError("bad-job", place, expected);
  }
}

interface Option {
  /** Completes "expected ...". */
  readonly expected: string;
  accepts(value: unknown): boolean;
}

const whole = (min: number, max = Number.MAX_SAFE_INTEGER): Option["accepts"] => {
  return (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
};

/** The longest wait of a timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const MILLISECONDS: Option = {
  expected: `milliseconds, a whole number from 1 to ${TIMER_MS_MAX}`,
  accepts: whole(1, TIMER_MS_MAX),
};

const OPTIONS: ReadonlyMap<string, Option> = new Map(
  Object.entries({
    concurrency: { expected: "a whole number from 1", accepts: whole(1) },
    timeoutMs: MILLISECONDS,
    retries: { expected: "a whole number from 0", accepts: whole(0) },
    backoffMs: MILLISECONDS,
    speculate: { expected: "true or false", accepts: (value) => typeof value === "boolean" },
  } satisfies Readonly<Record<keyof Calls, Option>>),
);
