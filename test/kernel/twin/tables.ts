/** The number of keys that a table takes. */
export interface Limits {
  readonly keysMax: number;
  /** For keys of more than 16 bytes; 16 bytes stay free. */
  readonly arenaBytes: number;
}

const SHORT_MAX = 16;
const FREE_BYTES = 16;

/** A table of keys, each with a number. */
export class Table {
  readonly #numbers = new Map<string, number>();
  readonly #limits: Limits;
  #arenaUsed = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** In the order in which the keys came. */
  get numbers(): readonly (readonly [key: string, number: number])[] {
    return [...this.#numbers];
  }

  /** The ids of keys, while there is room for new ones. */
  group(keys: readonly string[]): readonly number[] {
    const ids: number[] = [];
    for (const key of keys) {
      const id = this.#numbers.get(key) ?? this.#numbers.size;
      if (!this.#put(key, id)) break;
      ids.push(id);
    }
    return ids;
  }

  /** Counts words while there is room for new ones; returns the number of counted words. */
  count(words: readonly string[]): number {
    const isFull = words.findIndex((word) => !this.#put(word, (this.find(word) ?? 0) + 1));
    return isFull < 0 ? words.length : isFull;
  }

  find(key: string): number | undefined {
    return this.#numbers.get(key);
  }

  /** False if there is no room. */
  #put(key: string, number: number): boolean {
    const { keysMax, arenaBytes } = this.#limits;
    if (!this.#numbers.has(key)) {
      if (this.#numbers.size === keysMax) return false;
      if (key.length > SHORT_MAX) {
        if (this.#arenaUsed + key.length + FREE_BYTES > arenaBytes) return false;
        this.#arenaUsed += key.length;
      }
    }
    this.#numbers.set(key, number);
    return true;
  }
}

/** A word, and where it begins. */
export interface Word {
  readonly text: string;
  readonly at: number;
}

/** Everything between characters up to 0x20. */
export const wordsOf = (text: string): Word[] =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: separators are up to 0x20.
  Array.from(text.matchAll(/[^\x00-\x20]+/g), ({ 0: word, index }) => ({ text: word, at: index }));

/** How often each word occurs, in the order of their bytes. */
export function counted(words: readonly string[]): [word: string, count: number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
}
