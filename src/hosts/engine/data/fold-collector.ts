import type { Fold, Key } from "../../../job/index.ts";
import { decodeKey, encodeKey } from "../../../job/index.ts";
import { writeKey } from "../../../job/key-bytes.ts";
import type { Collector, Partitioner } from "./collector.ts";
import { copyAll } from "./combine.ts";
import { PairBuffer } from "./pair-buffer.ts";
import type { RunWriter } from "./run-writer.ts";
import { writeValue } from "./value-bytes.ts";

/** What an entry of a Map and its accumulator take, beside the key's own text, about. */
const ENTRY_BYTES = 120;

/** A key that nobody else can change, nor keeps more than itself alive; refused if it is none. */
function ownKey(key: Key): Key {
  const isAlone = typeof key === "string" && key.length < PIECE_LENGTH_MIN;
  return isAlone ? key : decodeKey(encodeKey(key));
}

/**
 * V8 cuts a longer piece out of a text without copying it, and keeps the whole text alive for it.
 */
const PIECE_LENGTH_MIN = 13;

interface Entry {
  readonly key: Key;
  accumulator: unknown;
}

/**
 * Keeps one accumulator a key, in a hash table: only what is left at the end is sorted. How far an
 * accumulator itself has grown is not counted.
 */
export class FoldCollector implements Collector {
  readonly #fold: Fold<unknown, unknown, unknown>;
  readonly #partitioner: Partitioner;
  readonly #entries = new Map<Key, Entry>();
  /** Tuples and -0, which a Map tells apart wrongly, by their bytes as text. */
  readonly #byBytes = new Map<string, Entry>();
  #bytes = 0;

  constructor(fold: Fold<unknown, unknown, unknown>, partitioner: Partitioner) {
    this.#fold = fold;
    this.#partitioner = partitioner;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#entries.size + this.#byBytes.size >= PairBuffer.countMax;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(key: Key, value: unknown): void {
    const entry = this.#entries.get(key);
    // A Map finds 0 for -0.
    const found = entry === undefined || key === 0 ? this.#entry(key) : entry;
    found.accumulator = this.#fold.add(found.accumulator, value);
  }

  drainTo(writer: RunWriter): void {
    const buffer = new PairBuffer();
    for (const entry of this.#entries.values()) this.#write(entry, buffer);
    for (const entry of this.#byBytes.values()) this.#write(entry, buffer);
    for (const records of buffer.sorted(this.#partitioner.reduces)) {
      copyAll(records, writer);
      writer.endPartition();
    }
    this.#entries.clear();
    this.#byBytes.clear();
    this.#bytes = 0;
  }

  #entry(key: Key): Entry {
    if (Array.isArray(key) || Object.is(key, -0)) {
      const text = Buffer.from(encodeKey(key)).toString("latin1");
      return this.#byBytes.get(text) ?? this.#begin(this.#byBytes, text, ownKey(key), text.length);
    }
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    const own = ownKey(key);
    return this.#begin(this.#entries, own, own, typeof own === "string" ? 2 * own.length : 8);
  }

  #begin<T>(entries: Map<T, Entry>, at: T, key: Key, bytes: number): Entry {
    const entry = { key, accumulator: this.#fold.init() };
    entries.set(at, entry);
    this.#bytes += ENTRY_BYTES + bytes;
    return entry;
  }

  #write({ key, accumulator }: Entry, buffer: PairBuffer): void {
    const { pairs } = buffer;
    const start = pairs.length;
    writeKey(pairs, key);
    const keyEnd = pairs.length;
    const partition = this.#partitioner.of(key, pairs.bytes, start, keyEnd);
    writeValue(pairs, accumulator);
    buffer.add({ partition, keyEnd });
  }
}
