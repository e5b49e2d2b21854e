import { cell } from "../../base/rows.ts";

const HEAD = 5;

export interface Piece {
  readonly kind: number;
  readonly bytes: Uint8Array;
}

/** Cuts a stream of bytes into pieces: a byte for the kind, 32 bits for the length, the bytes. */
export class Pieces {
  #rest = new Uint8Array();

  /** Returns the pieces that are now complete. */
  add(bytes: Uint8Array): readonly Piece[] {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const view = new DataView(all.buffer);
    const pieces: Piece[] = [];
    let at = 0;
    while (at + HEAD <= all.length) {
      const end = at + HEAD + view.getUint32(at + 1);
      if (end > all.length) break;
      pieces.push({ kind: cell(all[at]), bytes: all.subarray(at + HEAD, end) });
      at = end;
    }
    this.#rest = all.slice(at);
    return pieces;
  }
}
