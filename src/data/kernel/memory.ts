import { webAssembly } from "./web-assembly.ts";

const PAGE_BYTES = 65_536;
const ALIGNMENT = 64;
/** Kernels may read this many bytes before and after memory that was taken. */
const MARGIN = 64;
/** Places are signed where they leave WebAssembly. */
const BYTES_MAX = 2 ** 31;

/**
 * The memory that a thread's kernels work in. It is taken from the bottom up and released down to a
 * mark; it grows up to a limit and never shrinks. No place in it is 0.
 */
export class KernelMemory {
  readonly bytesMax: number;
  readonly #bytesMost: number;
  /** The memory object that a kernel is bound to. */
  readonly shared: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  #used = MARGIN;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;

  /**
   * `bytesMax`: at most 2 GB. `bytesMost`: the limit of `tryTakeBeyond`. Throws an InputError
   * without WebAssembly.
   */
  constructor(bytesMax: number, bytesMost = bytesMax) {
    this.bytesMax = limitOf(bytesMax);
    this.#bytesMost = limitOf(bytesMost);
    const maximum = pagesOf(bytesMost);
    const { Memory } = webAssembly();
    this.shared = new Memory({ initial: 1, maximum });
    const { buffer } = this.shared;
    this.#bytes = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
  }

  /** Read this again after each `take`: growth replaces it. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  get view(): DataView<ArrayBuffer> {
    return this.#view;
  }

  get used(): number {
    return this.#used;
  }

  /** The most bytes that `tryTake` could give. */
  get free(): number {
    return Math.max(0, this.bytesMax - aligned(this.#used));
  }

  /** The place of the bytes, which are not cleared; undefined if the limit does not allow them. */
  tryTake(bytes: number): number | undefined {
    return this.#take(bytes, this.bytesMax);
  }

  /** Takes bytes that must go beyond the limit, up to a second one. */
  tryTakeBeyond(bytes: number): number | undefined {
    return this.#take(bytes, this.#bytesMost);
  }

  /** Whether the memory has grown beyond its limit. */
  get isBeyond(): boolean {
    return this.#bytes.length > this.bytesMax + MARGIN;
  }

  #take(bytes: number, limit: number): number | undefined {
    const at = aligned(this.#used);
    const end = at + bytes;
    if (end > limit) return undefined;
    if (end + MARGIN > this.#bytes.length) this.#grow(end + MARGIN);
    this.#used = end;
    return at;
  }

  /** Frees all memory taken since `used` had this value. */
  release(used: number): void {
    this.#used = used;
  }

  /**
   * Grows to at least `bytes`, but to twice the present size if the limit allows: V8 collects
   * garbage whenever a memory of megabytes is replaced. Untouched pages take no memory.
   */
  #grow(bytes: number): void {
    const twice = Math.min(2 * this.#bytes.length, this.bytesMax + MARGIN);
    const pages = Math.ceil(Math.max(bytes, twice) / PAGE_BYTES);
    this.shared.grow(pages - this.#bytes.length / PAGE_BYTES);
    const { buffer } = this.shared;
    this.#bytes = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
  }
}

const pagesOf = (bytes: number): number => Math.ceil(Math.min(bytes, BYTES_MAX) / PAGE_BYTES);
const limitOf = (bytes: number): number => pagesOf(bytes) * PAGE_BYTES - MARGIN;
const aligned = (place: number): number => Math.ceil(place / ALIGNMENT) * ALIGNMENT;
