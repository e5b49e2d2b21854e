import type { Fold, Key } from "../../../job/index.ts";
import { decodeKey, encodeKey } from "../../../job/index.ts";
import { writeKey } from "../../../job/key-bytes.ts";
import type { Collector, Partitioner } from "./collector.ts";
import { copyAll } from "./combine.ts";
import { PairBuffer } from "./pair-buffer.ts";
import type { RunWriter } from "./run-writer.ts";
import { TextTable } from "./text-table.ts";
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

/** Of a longer text, a Map's own hash is the quicker one. */
const SHORT_LENGTH_MAX = 32;

const isShort = (text: string): boolean => text.length <= SHORT_LENGTH_MAX;

/** Tuples and -0, which a Map tells apart wrongly. */
const isByBytes = (key: Key): boolean => Array.isArray(key) || Object.is(key, -0);

const bytesAsText = (key: Key): string => Buffer.from(encodeKey(key)).toString("latin1");

interface Entry {
  readonly key: Key;
  accumulator: unknown;
}

interface TextEntry extends Entry {
  readonly text: string;
}

/**
 * Keeps one accumulator a key, in hash tables: only what is left at the end is sorted. How far an
 * accumulator itself has grown is not counted.
 */
export class FoldCollector implements Collector {
  readonly #fold: Fold<unknown, unknown, unknown>;
  readonly #partitioner: Partitioner;
  readonly #short = new TextTable<TextEntry>();
  readonly #byBytes = new Map<string, Entry>();
  readonly #others = new Map<Key, Entry>();
  #bytes = 0;

  constructor(fold: Fold<unknown, unknown, unknown>, partitioner: Partitioner) {
    this.#fold = fold;
    this.#partitioner = partitioner;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#short.size + this.#byBytes.size + this.#others.size >= PairBuffer.countMax;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  add(key: Key, value: unknown): void {
    const entry = this.#find(key) ?? this.#begin(key);
    entry.accumulator = this.#fold.add(entry.accumulator, value);
  }

  drainTo(writer: RunWriter): void {
    const buffer = new PairBuffer();
    for (const table of [this.#short, this.#byBytes, this.#others]) {
      for (const entry of table.values()) this.#write(entry, buffer);
      table.clear();
    }
    this.#bytes = 0;
    for (const records of buffer.sorted(this.#partitioner.reduces)) {
      copyAll(records, writer);
      writer.endPartition();
    }
  }

  #find(key: Key): Entry | undefined {
    if (typeof key === "string" && isShort(key)) return this.#short.find(key);
    return isByBytes(key) ? this.#byBytes.get(bytesAsText(key)) : this.#others.get(key);
  }

  #begin(key: Key): Entry {
    const own = ownKey(key);
    const accumulator = this.#fold.init();
    if (typeof own === "string" && isShort(own)) {
      const entry = { key: own, text: own, accumulator };
      this.#short.add(entry);
      return this.#counted(entry, 2 * own.length);
    }
    const entry = { key: own, accumulator };
    if (isByBytes(own)) {
      const text = bytesAsText(own);
      this.#byBytes.set(text, entry);
      return this.#counted(entry, text.length);
    }
    this.#others.set(own, entry);
    return this.#counted(entry, typeof own === "string" ? 2 * own.length : 8);
  }

  #counted(entry: Entry, keyBytes: number): Entry {
    this.#bytes += ENTRY_BYTES + keyBytes;
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
