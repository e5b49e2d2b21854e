import type { Key } from "./key.ts";
import { encodeKey } from "./key-bytes.ts";

/** A map whose keys are equal as keys are: tuples by their elements, and -0 is not 0. */
export class KeyMap<T> {
  readonly #byText = new Map<string, Entry<T>>();
  /** Other keys by their bytes: a Map does not tell -0 from 0, nor know equal tuples. */
  readonly #byBytes = new Map<string, Entry<T>>();

  get(key: Key): T | undefined {
    return this.#find(key)?.value;
  }

  /** What is there, or what is made and put there. */
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

  /** In the order in which the keys came, texts first. */
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

/** A character for each byte. */
function bytesAsText(key: Key): string {
  let text = "";
  for (const byte of encodeKey(key)) text += String.fromCharCode(byte);
  return text;
}
