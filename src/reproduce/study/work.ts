import { assert } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import { isObject } from "../../base/shape.ts";

/** A number of a unit's work. */
export function numberOf(work: Json, key: string): number {
  const value: unknown = isObject(work) ? Reflect.get(work, key) : undefined;
  assert(typeof value === "number", `a unit's work has a number ${key}`);
  return value;
}

/** Whether a unit does this part of its study's work. */
export const isPart = (work: Json, part: string): boolean =>
  isObject(work) && Reflect.get(work, "part") === part;
