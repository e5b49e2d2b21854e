import { InputError } from "../base/input-error.ts";
import type { Key } from "./key.ts";

/** The result of a map, reduce or combine as an iterable: nothing, an array or a generator. */
export function emitted<T>(result: unknown, by: string): Iterable<T> {
  if (result === undefined) return [];
  if (isIterable<T>(result)) return result;
  const kind = Object.prototype.toString.call(result).slice(8, -1);
  const isLater = kind === "Promise" || kind === "AsyncGenerator";
  const found = isLater ? `${kind}: ${by} may not be async, only mapAsync may` : kind;
  throw new InputError("bad-job", by, `expected a generator, an array or nothing, found ${found}`);
}

function isIterable<T>(result: unknown): result is Iterable<T> {
  return typeof result === "object" && result !== null && Symbol.iterator in result;
}

/** Checks one pair from a map. */
export function pairOf(pair: unknown, by = "map"): readonly [Key, unknown] {
  if (isPair(pair)) return pair;
  throw new InputError("bad-job", by, `expected pairs [key, value], found ${described(pair)}`);
}

const isPair = (pair: unknown): pair is readonly [Key, unknown] =>
  Array.isArray(pair) && pair.length === 2;

const described = (value: unknown): string =>
  Array.isArray(value) ? `an array of ${value.length}` : typeof value;
