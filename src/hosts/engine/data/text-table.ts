/**
 * Entries by short texts. A Map has the runtime take the hash of a text that is new to it, a call
 * for each word of a file; here it is taken in place.
 */
export class TextTable<Entry extends { readonly text: string }> {
  #entries: Entry[] = [];
  /** Of the texts of the entries, in their order. */
  #hashes = new Int32Array(SLOTS);
  /** Where a hash points, or behind it: 1 + the number of an entry. 0: there is none. */
  #slots = new Int32Array(SLOTS);

  get size(): number {
    return this.#entries.length;
  }

  /** In the order in which they were added. */
  values(): Iterable<Entry> {
    return this.#entries;
  }

  find(text: string): Entry | undefined {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = hashOf(text);
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = slots[at] ?? 0;
      if (slot === 0) return undefined;
      if (this.#hashes[slot - 1] !== hash) continue;
      const entry = this.#entries[slot - 1];
      if (entry?.text === text) return entry;
    }
  }

  /** Its text must not be there. */
  add(entry: Entry): void {
    const number = this.#entries.push(entry) - 1;
    if (2 * number >= this.#slots.length) this.#grow();
    this.#hashes[number] = hashOf(entry.text);
    this.#place(number);
  }

  clear(): void {
    this.#entries = [];
    this.#hashes = new Int32Array(SLOTS);
    this.#slots = new Int32Array(SLOTS);
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1;
    let at = (this.#hashes[number] ?? 0) & mask;
    while (this.#slots[at] !== 0) at = (at + 1) & mask;
    this.#slots[at] = number + 1;
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#slots.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#slots = new Int32Array(hashes.length);
    // The last one has no hash yet.
    for (let number = 0; number < this.#entries.length - 1; number++) this.#place(number);
  }
}

const SLOTS = 1024;

/** Another one in each thread, so that nobody can prepare texts that all meet in one slot. */
const SEED = Math.trunc(Math.random() * 2 ** 32);

function hashOf(text: string): number {
  let hash = SEED ^ text.length;
  for (let i = 0; i < text.length; i++) {
    // MurmurHash2's constant.
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  return hash;
}
