import { webAssembly } from "./web-assembly.ts";

const PAGE_BYTES = 65_536;
const ALIGNMENT = 64;
/** Kernels may read so far before and after what is taken. */
const MARGIN = 64;
/** Places are signed where they leave WebAssembly. */
const BYTES_MAX = 2 ** 31;

/**
 * The memory that a thread's kernels work in. It is given out from the bottom up and given back as
 * a whole, down to a mark; it grows up to a limit and never shrinks. No place in it is 0.
 */
export class KernelMemory {
  readonly bytesMax: number;
  readonly #bytesMost: number;
  /** What a kernel is bound to. */
  readonly shared: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  #used = MARGIN;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;

  /**
   * `bytesMax`: at most 2 GB. `bytesMost`: the limit of `tryTakeBeyond`. InputError without
   * WebAssembly.
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

  /** Read it again after each `take`: growth replaces it. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  get view(): DataView<ArrayBuffer> {
    return this.#view;
  }

  get used(): number {
    return this.#used;
  }

  /** What `tryTake` could give at most. */
  get free(): number {
    return Math.max(0, this.bytesMax - aligned(this.#used));
  }

  /** Where so many bytes are, not cleared; undefined: the limit does not allow it. */
  tryTake(bytes: number): number | undefined {
    return this.#take(bytes, this.bytesMax);
  }

  /** The same for what must go beyond the limit, up to another. */
  tryTakeBeyond(bytes: number): number | undefined {
    return this.#take(bytes, this.#bytesMost);
  }

  /** Whether it has grown beyond its limit. */
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

  /** What was taken after `used` was this is free again. */
  release(used: number): void {
    this.#used = used;
  }

  /**
   * To at least so many bytes, but to twice as many as before if the limit allows it: V8 looks for
   * garbage whenever a memory of megabytes is replaced. What is not touched takes nothing.
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
