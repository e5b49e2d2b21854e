import { defined } from "../../base/assert.ts";
import type { Kernel } from "./kernel.ts";
import type { KernelMemory } from "./memory.ts";

/** Bytes of text, the most frequent first; a byte that is not among them is rarer. */
const COMMON = " etaoinsrhldcumfpgwybv,.k-0'1ETAISCM2\"OBPRNHDWLxF9GjU5q3z8476VKJY";

/**
 * Searches lines for bytes in the kernel's memory, by two of the bytes that are likely to be rare.
 */
export class Literal {
  readonly #kernel: Kernel;
  readonly #at: number;
  readonly #bytes: number;
  readonly #rarest: readonly [number, number];

  /** `literal` is not empty and has no `\r` or `\n`. */
  constructor(kernel: Kernel, memory: KernelMemory, literal: Uint8Array) {
    this.#kernel = kernel;
    this.#at = defined(memory.tryTake(literal.length), "room for a literal");
    this.#bytes = literal.length;
    memory.bytes.set(literal, this.#at);
    const places = Array.from(literal.keys()).sort(
      (left, right) => rarity(literal[right] ?? 0) - rarity(literal[left] ?? 0),
    );
    this.#rarest = [places[0] ?? 0, places[1] ?? 0];
  }

  /**
   * The number of lines from `at` to `end` that contain the literal; `at` and `end` lie between
   * lines.
   */
  countLines(at: number, end: number, result: number): number {
    return this.#lines(at, end, 0, 0, result);
  }

  /** Entries of at most `room` such lines; u32 at `result`: where to continue. */
  lineEntries(at: number, end: number, into: number, room: number, result: number): number {
    return this.#lines(at, end, into, room, result);
  }

  #lines(at: number, end: number, into: number, room: number, result: number): number {
    const [first, second] = this.#rarest;
    const literal = this.#at;
    const bytes = this.#bytes;
    return this.#kernel.matchingLines(at, end, literal, bytes, first, second, into, room, result);
  }
}

function rarity(byte: number): number {
  const place = COMMON.indexOf(String.fromCharCode(byte));
  return place < 0 ? COMMON.length : place;
}
