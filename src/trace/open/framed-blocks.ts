import { InputError } from "../../base/input-error.ts";
import { decodeLZ4 } from "./lz4.ts";
import { decodeSnappy } from "./snappy.ts";
import { xxh32 } from "./xxh32.ts";

/** Framings of lz4-java and snappy-java, which Spark writes and no package reads. */
export type BlockFraming = "lz4" | "snappy";

const LZ4_HEAD = 21;
const LZ4_RAW = 0x10;
const LZ4_SEED = 0x9747b28c;
/** lz4-java leaves the upper four bits of a checksum away. */
const LZ4_CHECKSUM = 0x0fffffff;
const SNAPPY_HEAD = 16;
const SNAPPY_LENGTH = 4;
/** No writer makes larger blocks; a damaged size must not take all memory. */
const BLOCK_MAX = 64 * 1024 * 1024;

/** Decodes frames whose bytes come in pieces of any size. */
export class FramedBlocks {
  readonly #framing: BlockFraming;
  readonly #place: string;
  #kept = new Uint8Array(0);
  #hasHead: boolean;

  constructor(framing: BlockFraming, place: string) {
    this.#framing = framing;
    this.#place = place;
    this.#hasHead = framing === "lz4";
  }

  /** The blocks that these bytes complete. */
  *push(bytes: Uint8Array): Generator<Uint8Array, void> {
    const all = new Uint8Array(this.#kept.length + bytes.length);
    all.set(this.#kept);
    all.set(bytes, this.#kept.length);
    let at = 0;
    if (!this.#hasHead && all.length >= SNAPPY_HEAD) {
      this.#hasHead = true;
      at = SNAPPY_HEAD;
    }
    while (this.#hasHead) {
      const block = this.#blockAt(all, at);
      if (block === undefined) break;
      at = block.end;
      if (block.content.length > 0) yield block.content;
    }
    this.#kept = all.slice(at);
  }

  /** Whether the bytes end within a block. */
  get isCut(): boolean {
    return this.#kept.length > 0;
  }

  /** undefined if the block is still incomplete. */
  #blockAt(
    all: Uint8Array,
    at: number,
  ): { readonly content: Uint8Array; readonly end: number } | undefined {
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
    const isLZ4 = this.#framing === "lz4";
    const head = at + (isLZ4 ? LZ4_HEAD : SNAPPY_LENGTH);
    if (head > all.length) return undefined;
    if (!isLZ4) {
      // Concatenated streams repeat the header.
      if (view.getUint8(at) === 0x82) {
        const end = at + SNAPPY_HEAD;
        return end > all.length ? undefined : { content: NOTHING, end };
      }
      const end = head + this.#size(view.getUint32(at));
      if (end > all.length) return undefined;
      return { content: this.#decoded(decodeSnappy(all.subarray(head, end))), end };
    }
    if (view.getUint32(at) !== 0x4c5a3442) throw this.#damaged("expected the head of an LZ4 block");
    const end = head + this.#size(view.getUint32(at + 9, true));
    const size = this.#size(view.getUint32(at + 13, true));
    if (end > all.length) return undefined;
    const stored = all.subarray(head, end);
    const isRaw = (view.getUint8(at + 8) & 0xf0) === LZ4_RAW;
    const content = isRaw ? stored : this.#decoded(decodeLZ4(stored, size));
    const told = view.getUint32(at + 17, true);
    // Writers that count no checksum leave 0.
    if (told !== 0 && told !== (xxh32(content, LZ4_SEED) & LZ4_CHECKSUM)) {
      throw this.#damaged("found an LZ4 block whose checksum does not match");
    }
    return { content, end };
  }

  #size(bytes: number): number {
    if (bytes > BLOCK_MAX) throw this.#damaged(`found a block of ${bytes} bytes, a damaged size`);
    return bytes;
  }

  #decoded(content: Uint8Array | undefined): Uint8Array {
    if (content === undefined) throw this.#damaged("found a damaged block");
    return content;
  }

  #damaged(what: string): InputError {
    return new InputError("bad-input", this.#place, what);
  }
}

const NOTHING = new Uint8Array(0);
