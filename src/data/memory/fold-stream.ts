import { ENTRY_BYTES, KEYS } from "../kernel/kernel.ts";
import { type Entries, keyBytesOf } from "./entries.ts";
import { MergeStream } from "./merge-stream.ts";
import { type NumberFoldKind, strideOf, VALUES_OF } from "./number-fold.ts";
import type { PairShape } from "./put-run.ts";
import type { Workspace } from "./workspace.ts";

/** The most bytes of a key, with its head and accumulator, that continues into the next batch. */
const CARRY_BYTES = 68 * 1024;
const BESIDE_KEY_BYTES = 128;

/**
 * Folds a stream whose values are accumulators of numbers: hands over each key once, in order, with
 * its accumulators merged. Returns false if the kernels do not know an accumulator, or cannot hold
 * a sum exactly; the records handed over must then be recomputed in another way.
 */
export function foldStream(query: {
  readonly space: Workspace;
  readonly stream: MergeStream;
  readonly kind: NumberFoldKind;
  take(entries: Entries, shape: PairShape): void;
}): boolean {
  return new FoldStream(query).run();
}

class FoldStream {
  readonly #query: Parameters<typeof foldStream>[0];
  readonly #stream: MergeStream;
  readonly #shape: PairShape;
  readonly #ids: number;
  readonly #values: number;
  /** The place of the carried record, and of the next one. */
  #carry: number;
  #nextCarry: number;
  #carryEnd: number;

  constructor(query: Parameters<typeof foldStream>[0]) {
    const { space, stream, kind } = query;
    const room = MergeStream.room + 1;
    const stride = strideOf(kind);
    this.#query = query;
    this.#ids = space.take(room * 4);
    this.#values = space.take(room * 4);
    const base = space.take(room * stride);
    this.#shape = { keys: KEYS.encoded, values: VALUES_OF[kind], base, stride };
    this.#carry = space.take(CARRY_BYTES);
    this.#nextCarry = space.take(CARRY_BYTES);
    this.#carryEnd = this.#carry;
    this.#stream = stream;
  }

  run(): boolean {
    for (;;) {
      const entries = this.#stream.next();
      const all = this.#withCarried(entries);
      if (all.count === 0) return true;
      const keys = this.#merge(all);
      if (keys === undefined) return false;
      const isLast = entries.count === 0;
      const whole = isLast ? keys : keys - 1;
      if (whole > 0) this.#query.take({ at: all.at, count: whole }, this.#shape);
      if (isLast) return true;
      if (!this.#carryOver(all.at + whole * ENTRY_BYTES)) return false;
    }
  }

  /** The carried record comes first. */
  #withCarried({ at, count }: Entries): Entries {
    if (this.#carryEnd === this.#carry) return { at, count };
    const { kernel, result } = this.#query.space;
    const first = this.#stream.spare;
    kernel.recordEntries(this.#carry, this.#carryEnd, 0, first, 1, result);
    this.#carryEnd = this.#carry;
    return { at: first, count: count + 1 };
  }

  /**
   * Merges; returns the number of keys. The first entries are then the keys', each with its
   * accumulator.
   */
  #merge({ at, count }: Entries): number | undefined {
    const { space } = this.#query;
    const { memory, kernel } = space;
    const { base, stride, values: kind } = this.#shape;
    const keys = kernel.equalKeys(at, count, this.#ids, this.#values);
    memory.bytes.fill(0, base, base + keys * stride);
    const merged = kernel.mergeValues(kind, base, stride, this.#ids, this.#values, count);
    if (merged < count) return undefined;
    kernel.firstOfEach(at, count, this.#ids);
    return keys;
  }

  /** The last key may continue in the next batch. Returns false if the key is too long. */
  #carryOver(entry: number): boolean {
    const { space } = this.#query;
    const { keys, values, base, stride } = this.#shape;
    if (keyBytesOf(space, entry) + BESIDE_KEY_BYTES > CARRY_BYTES) return false;
    const at = this.#nextCarry;
    const end = at + CARRY_BYTES;
    space.kernel.putRecords(entry, 1, keys, values, base, stride, at, end, space.result);
    this.#nextCarry = this.#carry;
    this.#carry = at;
    this.#carryEnd = space.reached;
    return true;
  }
}
