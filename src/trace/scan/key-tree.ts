import { grouped } from "../../base/grouped.ts";
import { byteAt, isSame } from "./byte-names.ts";

/** A key of a JSON object, as it was met. */
export interface Key {
  readonly name: Uint8Array;
  /** The number of the field that this key leads to; -1 if it does not matter. */
  readonly field: number;
  /** The keys of the object that this key leads to, if any of its fields matters. */
  readonly child: KeyNode | undefined;
  /** The key that followed this one the last time, and usually does so again. */
  next: Key | undefined;
}

/** Field n is the value at paths[n]: the keys that lead to it from the outermost object. */
export function keyTree(paths: readonly (readonly string[])[]): KeyNode {
  return nodeOf(paths.map((keys, field) => ({ keys, field })));
}

interface Path {
  readonly keys: readonly string[];
  readonly field: number;
}

function nodeOf(paths: readonly Path[]): KeyNode {
  const below = grouped(paths, ({ keys }) => keys[0] ?? "");
  const keys = [...below].map(([key, all]): Key => {
    const rest = all.map(({ keys, field }) => ({ keys: keys.slice(1), field }));
    const inner = rest.filter(({ keys }) => keys.length > 0);
    return {
      name: Uint8Array.from(key, (char) => char.charCodeAt(0)),
      field: rest.find(({ keys }) => keys.length === 0)?.field ?? -1,
      child: inner.length === 0 ? undefined : nodeOf(inner),
      next: undefined,
    };
  });
  return new KeyNode(keys);
}

const SLOTS = 256;
/** Objects whose keys are data must not fill the table. */
const LEARNT_MAX = 128;

/** The keys of one object: those that matter, and others as they are met. */
export class KeyNode {
  /** A hash table with open addressing. */
  readonly #slots: (Key | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  /** Precedes the first key. */
  readonly start: Key = { name: new Uint8Array(0), field: -1, child: undefined, next: undefined };
  #learnt = 0;

  constructor(keys: readonly Key[]) {
    for (const key of keys) this.#slots[this.#slotOf(key.name, 0, key.name.length)] = key;
  }

  /** The key in bytes[from, to), learnt if it is new. */
  find(bytes: Uint8Array, from: number, to: number): Key {
    const slot = this.#slotOf(bytes, from, to);
    const known = this.#slots[slot];
    if (known !== undefined) return known;
    const key = { name: bytes.slice(from, to), field: -1, child: undefined, next: undefined };
    if (this.#learnt < LEARNT_MAX) {
      this.#learnt += 1;
      this.#slots[slot] = key;
    }
    return key;
  }

  /** The slot of the key, or the free one where it belongs. All its bytes must agree. */
  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    let slot = hash(bytes, from, to) % SLOTS;
    for (let key = this.#slots[slot]; key !== undefined; key = this.#slots[slot]) {
      if (isSame(key.name, bytes, from, to)) return slot;
      slot = (slot + 1) % SLOTS;
    }
    return slot;
  }
}

/** A hash of the length and three bytes: enough to distinguish the keys of one object. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  // An empty key has a quote on either side of it.
  const first = byteAt(bytes, from);
  const middle = byteAt(bytes, from + (length >> 1));
  const last = to > 0 ? byteAt(bytes, to - 1) : 0;
  return length * 7 + first * 31 + middle * 17 + last * 5;
}
