import { InputError } from "../base/input-error.ts";
import { isKey, type Key } from "./key.ts";
import { encodeKey } from "./key-bytes.ts";

/** Which way keys go: `descending` has the greatest first. */
export type Direction = "ascending" | "descending";

/** Of a key as a whole, or of each element of a tuple; elements that it does not name ascend. */
export type SortOrder = Direction | readonly Direction[];

/** A key whose ascending order is the order that the user asked for. */
export function orderedKey(key: Key, order: SortOrder): Key {
  if (typeof order === "string") return order === "descending" ? reversed(key) : key;
  if (!isTuple(key)) {
    const expected = "expected arrays as keys, as each element has an order of its own";
    throw new InputError("bad-job", "sortBy", `${expected}, found ${typeof key}`);
  }
  return key.map((element, i) => (order[i] === "descending" ? reversed(element) : element));
}

const isTuple = (key: Key): key is readonly Key[] => Array.isArray(key);

/** Whether a value is an order, since types are not checked when a flow runs. */
export const isSortOrder = (value: unknown): value is SortOrder =>
  isDirection(value) || (Array.isArray(value) && value.every(isDirection));

const isDirection = (value: unknown): boolean => value === "ascending" || value === "descending";

/**
 * A text that comes before another's where the key comes behind the other: a character for each
 * byte of the key, complemented. Within a tuple no key's bytes begin another's.
 */
function reversed(key: Key): string {
  if (!isKey(key)) throw new InputError("bad-job", "sortBy", `expected keys, found ${typeof key}`);
  let text = "";
  for (const byte of encodeKey([key])) text += String.fromCharCode(0xff - byte);
  return text;
}
