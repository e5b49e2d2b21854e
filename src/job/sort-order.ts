import { InputError } from "../base/input-error.ts";
import { isKey, type Key } from "./key.ts";
import { encodeKey } from "./key-bytes.ts";

/** The direction of keys: `descending` puts the greatest first. */
export type Direction = "ascending" | "descending";

/** The direction of a key as a whole, or of each element of a tuple; further elements ascend. */
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

/** Whether a value is a sort order; checked since types are not when a flow runs. */
export const isSortOrder = (value: unknown): value is SortOrder =>
  isDirection(value) || (Array.isArray(value) && value.every(isDirection));

const isDirection = (value: unknown): boolean => value === "ascending" || value === "descending";

/**
 * A text whose order is the reverse of the key's: a character for each byte of the key,
 * complemented. Within a tuple no key's bytes are a prefix of another's.
 */
function reversed(key: Key): string {
  if (!isKey(key)) throw new InputError("bad-job", "sortBy", `expected keys, found ${typeof key}`);
  let text = "";
  for (const byte of encodeKey([key])) text += String.fromCharCode(0xff - byte);
  return text;
}
