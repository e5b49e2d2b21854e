import { cell } from "../base/rows.ts";
import { type Arranged, type Given, type GrowingBars, nodeBlocks } from "./arranged.ts";
import { NOTHING } from "./classes.ts";

/** Spare room of a row: a share of its bars, and a few more. */
const ROOM = { share: 0.5, few: 8 };

/**
 * The bars of a page that grows, by slot. Each row has spare room; when a row is full, all rows get
 * new room. A place without a bar lies beyond all times.
 */
export class SlotBars implements GrowingBars {
  #first: Int32Array = new Int32Array(1);
  /** Bars of each row. */
  #held: Int32Array = new Int32Array(0);
  #startedAt: Float64Array = new Float64Array(0);
  #endedAt: Float64Array = new Float64Array(0);
  #shows: Uint8Array = new Uint8Array(0);
  #attemptAt: Int32Array = new Int32Array(0);
  #placeOf: Int32Array = new Int32Array(0);
  #count = 0;

  constructor(given: Given) {
    this.#layOut(given);
  }

  /** Adds new attempts and updates changed ones. COST: O(changed); now and then O(attempts). */
  grow(given: Given, changed: readonly number[]): void {
    const { attempts } = given;
    const before = this.#count;
    if (attempts.length > this.#placeOf.length) {
      const larger = new Int32Array(2 * attempts.length);
      larger.set(this.#placeOf);
      this.#placeOf = larger;
    }
    this.#count = attempts.length;
    for (const i of changed) {
      if (i < before) this.#write(cell(this.#placeOf[i]), i, given);
      else if (!this.#add(i, given)) {
        this.#layOut(given);
        return;
      }
    }
  }

  arranged({ attempts, head }: Given): Arranged {
    return {
      by: "slot",
      count: this.#held.length,
      rowOf: attempts.row,
      placeOf: this.#placeOf,
      attemptAt: this.#attemptAt,
      bars: {
        first: this.#first,
        startedAt: this.#startedAt,
        endedAt: this.#endedAt,
        shows: this.#shows,
      },
      blocks: nodeBlocks(head),
    };
  }

  #write(place: number, i: number, given: Given): void {
    const { attempts, shows } = given;
    this.#startedAt[place] = cell(attempts.startedAt[i]);
    this.#endedAt[place] = given.heardTo(i);
    this.#shows[place] = shows[i] ?? NOTHING;
    this.#attemptAt[place] = i;
    this.#placeOf[i] = place;
  }

  /** Inserts a bar behind the bars of its row that start earlier; false if the row is full. */
  #add(i: number, given: Given): boolean {
    const row = cell(given.attempts.row[i]);
    // The row is newer than the layout.
    if (row >= this.#held.length) return false;
    const [first, end] = [cell(this.#first[row]), cell(this.#first[row + 1])];
    let place = first + cell(this.#held[row]);
    if (place >= end) return false;
    this.#held[row] = cell(this.#held[row]) + 1;
    const start = cell(given.attempts.startedAt[i]);
    for (; place > first && cell(this.#startedAt[place - 1]) > start; place--) {
      this.#write(place, cell(this.#attemptAt[place - 1]), given);
    }
    this.#write(place, i, given);
    return true;
  }

  #layOut(given: Given): void {
    const { attempts, head } = given;
    const rows = head.rows.length;
    this.#count = attempts.length;
    const held = new Int32Array(rows);
    for (let i = 0; i < attempts.length; i++) held[cell(attempts.row[i])]! += 1;
    this.#first = new Int32Array(rows + 1);
    for (let row = 0; row < rows; row++) {
      const own = cell(held[row]);
      this.#first[row + 1] = cell(this.#first[row]) + Math.ceil(own * (1 + ROOM.share)) + ROOM.few;
    }
    const places = cell(this.#first[rows]);
    this.#held = new Int32Array(rows);
    this.#startedAt = new Float64Array(places).fill(Number.POSITIVE_INFINITY);
    this.#endedAt = new Float64Array(places).fill(Number.POSITIVE_INFINITY);
    this.#shows = new Uint8Array(places);
    this.#attemptAt = new Int32Array(places).fill(-1);
    if (this.#placeOf.length < attempts.length) this.#placeOf = new Int32Array(2 * attempts.length);
    for (let i = 0; i < attempts.length; i++) this.#add(i, given);
  }
}
