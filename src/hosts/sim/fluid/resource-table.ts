import { longerBytes, longerIntegers, NONE } from "../../../base/columns.ts";

/** Room of a list that has its first use. */
const FEW = 4;

/**
 * The data about resources that a flow's start and end need, in columns: which have a limit, and
 * the lists of their uses, all in one array.
 */
export class ResourceTable {
  /**
   * By row: 1 if the resource has a limit. A resource without one neither slows its flows nor
   * connects them.
   */
  limited: Uint8Array = new Uint8Array(64);
  /** 1 if the resource is among those to be solved next. */
  touched: Uint8Array = new Uint8Array(64);
  /** Where the list begins, and how many uses there are. */
  starts: Int32Array = new Int32Array(64);
  lengths: Int32Array = new Int32Array(64);
  #rooms: Int32Array = new Int32Array(64);
  /** The lists. */
  uses: Int32Array = new Int32Array(256);
  #end = 0;
  rows = 0;

  add(): number {
    const row = this.rows;
    this.rows += 1;
    if (row === this.limited.length) {
      const room = 2 * row;
      this.limited = longerBytes(this.limited, room);
      this.touched = longerBytes(this.touched, room);
      this.starts = longerIntegers(this.starts, room);
      this.lengths = longerIntegers(this.lengths, room);
      this.#rooms = longerIntegers(this.#rooms, room);
    }
    return row;
  }

  /** Returns the use's place in the list. */
  list(row: number, use: number): number {
    const place = this.lengths[row]!;
    if (place === this.#rooms[row]!) this.#widen(row);
    this.uses[this.starts[row]! + place] = use;
    this.lengths[row] = place + 1;
    return place;
  }

  /** The last use takes the place of this one. Returns it, or `NONE` if it was this one. */
  unlist(row: number, place: number): number {
    const last = this.lengths[row]! - 1;
    this.lengths[row] = last;
    if (place === last) return NONE;
    const start = this.starts[row]!;
    const moved = this.uses[start + last]!;
    this.uses[start + place] = moved;
    return moved;
  }

  /**
   * Moves the list to a place with twice the room. The old place is lost: in all, at most as much
   * as the list itself.
   */
  #widen(row: number): void {
    const start = this.starts[row]!;
    const length = this.lengths[row]!;
    const room = Math.max(FEW, 2 * length);
    if (this.#end + room > this.uses.length) {
      this.uses = longerIntegers(this.uses, Math.max(2 * this.uses.length, this.#end + room));
    }
    this.uses.copyWithin(this.#end, start, start + length);
    this.starts[row] = this.#end;
    this.#rooms[row] = room;
    this.#end += room;
  }
}
