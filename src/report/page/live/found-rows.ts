import { longer } from "../../../base/columns.ts";
import { cell } from "../../../base/rows.ts";
import { CURVE_POINTS } from "../../../history/columns.ts";
import { CHUNK, type Chunk } from "./chunk.ts";
import { LIVE_COLUMNS, liveColumns, type Rows } from "./frame.ts";

/**
 * The rows of one frame, in arrays that serve every frame: a page makes five frames a second for
 * each reader, and V8 frees large arrays late.
 */
export class FoundRows {
  #length = 0;
  #ids: Float64Array = new Float64Array(64);
  #columns = liveColumns(() => new Float64Array(64));
  #curves = new Float32Array(64 * CURVE_POINTS);

  clear(): void {
    this.#length = 0;
  }

  add(id: number): void {
    if (this.#length === this.#ids.length) this.#grow();
    this.#ids[this.#length++] = id;
  }

  /** The rows added since `clear`, as they are now. They serve until the next `clear`. */
  rows(chunkOf: (id: number) => Chunk): Rows {
    for (let i = 0; i < this.#length; i++) {
      const id = cell(this.#ids[i]);
      this.#copy(i, chunkOf(id), id % CHUNK);
    }
    return {
      ids: this.#ids.subarray(0, this.#length),
      columns: liveColumns((name) => this.#columns[name].subarray(0, this.#length)),
      curves: this.#curves.subarray(0, CURVE_POINTS * this.#length),
    };
  }

  #copy(i: number, { columns, curves }: Chunk, at: number): void {
    for (const name of LIVE_COLUMNS) this.#columns[name][i] = cell(columns[name][at]);
    const [to, from] = [CURVE_POINTS * i, CURVE_POINTS * at];
    for (let point = 0; point < CURVE_POINTS; point++) {
      this.#curves[to + point] = cell(curves[from + point]);
    }
  }

  #grow(): void {
    const room = 2 * this.#length;
    this.#ids = longer(this.#ids, room);
    this.#columns = liveColumns(() => new Float64Array(room));
    this.#curves = new Float32Array(room * CURVE_POINTS);
  }
}
