import type { Key } from "./key.ts";
import { encodeKey } from "./key-bytes.ts";

/** A map with the equality of keys: tuples are equal by their elements, and -0 is not 0. */
export class KeyMap<T> {
  readonly #byText = new Map<string, Entry<T>>();
  /** Other keys by their bytes: a Map neither distinguishes -0 from 0 nor equates equal tuples. */
  readonly #byBytes = new Map<string, Entry<T>>();

  get(key: Key): T | undefined {
    return this.#find(key)?.value;
  }

  /** The key's value, which is made and stored if it is missing. */
  getOrMake(key: Key, make: () => T): T {
    const known = this.#find(key);
    if (known !== undefined) return known.value;
    const entry = { key, value: make() };
    if (typeof key === "string") this.#byText.set(key, entry);
    else this.#byBytes.set(bytesAsText(key), entry);
    return entry.value;
  }

  get size(): number {
    return this.#byText.size + this.#byBytes.size;
  }

  delete(key: Key): void {
    if (typeof key === "string") this.#byText.delete(key);
    else this.#byBytes.delete(bytesAsText(key));
  }

  /** Texts first, then other keys, each in the order in which they were added. */
  *entries(): Generator<readonly [Key, T]> {
    for (const { key, value } of this.#byText.values()) yield [key, value];
    for (const { key, value } of this.#byBytes.values()) yield [key, value];
  }

  #find(key: Key): Entry<T> | undefined {
    return typeof key === "string" ? this.#byText.get(key) : this.#byBytes.get(bytesAsText(key));
  }
}

interface Entry<T> {
  readonly key: Key;
  readonly value: T;
}

/** A text with one character per byte of the key. */
function bytesAsText(key: Key): string {
  let text = "";
  for (const byte of encodeKey(key)) text += String.fromCharCode(byte);
  return text;
}
