import { assert } from "./assert.ts";

/** Stands for "no entry". */
const NONE = -1;
/** The bottom is sorted by insertion; a longer chain is cut into a rung of its own. */
const BOTTOM_MAX = 48;
const RUNGS_MAX = 8;
const LARGEST = Number.MAX_VALUE;

/**
 * An agenda of timed payloads, earliest first, ties in the order of the pushes: the ladder queue of
 * Tang, Goh and Thng (ACM TOMACS 15(3), 2005). The far future is an unsorted chain, the near future
 * falls through rungs of ever narrower buckets, and only the next few entries are sorted. A push
 * returns a handle, by which the entry may be removed until it is popped; then it is reused.
 * COST: O(1) each, amortised; 16 bytes per entry.
 */
export class LadderQueue {
  #size = 0;
  /** Two doubles per entry: the time, NaN once it is removed, and the two integers below. */
  #times: Float64Array;
  /** The same bytes: the next entry of the chain at 4 * entry + 2, the payload at 4 * entry + 3. */
  #cells: Int32Array;
  #free = NONE;
  #fresh = 0;
  /** Removed entries that are still in a chain. */
  #dead = 0;
  #topHead = NONE;
  #topTail = NONE;
  #topCount = 0;
  #topMin = Number.POSITIVE_INFINITY;
  #topMax = Number.NEGATIVE_INFINITY;
  /** Later times go to the top. */
  #topStart = Number.NEGATIVE_INFINITY;
  readonly #rungs: readonly Rung[] = Array.from({ length: RUNGS_MAX }, () => new Rung());
  #depth = 0;
  /** Sorted, earliest first, from `#first` on. */
  #bottomTimes = new Float64Array(256);
  #bottom = new Int32Array(256);
  #first = 0;
  #end = 0;

  constructor(capacity = 64) {
    this.#times = new Float64Array(2 * Math.max(4, capacity));
    this.#cells = new Int32Array(this.#times.buffer);
  }

  get size(): number {
    return this.#size;
  }

  /** The time of the earliest entry; Infinity if there is none. */
  get nextTime(): number {
    if (this.#size === 0) return Number.POSITIVE_INFINITY;
    return this.#times[2 * this.#earliest()]!;
  }

  /** Returns the entry's handle. The payload is a 32-bit integer, the time finite. */
  push(time: number, payload: number): number {
    assert(Number.isFinite(time), "an entry has a time");
    let entry = this.#free;
    if (entry === NONE) {
      if (2 * this.#fresh === this.#times.length) this.#grow();
      entry = this.#fresh++;
    } else this.#free = this.#cells[4 * entry + 2]!;
    this.#times[2 * entry] = time;
    this.#cells[4 * entry + 3] = payload;
    this.#size += 1;
    if (time >= this.#topStart) this.#toTop(entry, time);
    else this.#toRung(entry, time);
    return entry;
  }

  /** Removes the earliest entry and returns its payload. */
  pop(): number {
    assert(this.#size > 0, "popped an empty queue");
    const entry = this.#earliest();
    this.#first += 1;
    this.#size -= 1;
    this.#release(entry);
    return this.#cells[4 * entry + 3]!;
  }

  /** The entry stays in its chain, without a time, until its turn comes. */
  remove(handle: number): void {
    assert(this.#isLive(handle), "removed a handle that is not in the queue");
    this.#times[2 * handle] = Number.NaN;
    this.#size -= 1;
    this.#dead += 1;
    if (this.#dead > BOTTOM_MAX && this.#dead > 2 * this.#size) this.#sweep();
  }

  timeOf(handle: number): number {
    assert(this.#isLive(handle), "asked for a handle that is not in the queue");
    return this.#times[2 * handle]!;
  }

  /** Entries that are free, or dead, have no time. */
  #isLive(handle: number): boolean {
    return handle < this.#fresh && !Number.isNaN(this.#times[2 * handle]);
  }

  #toTop(entry: number, time: number): void {
    this.#cells[4 * entry + 2] = NONE;
    if (this.#topTail === NONE) this.#topHead = entry;
    else this.#cells[4 * this.#topTail + 2] = entry;
    this.#topTail = entry;
    this.#topCount += 1;
    if (time < this.#topMin) this.#topMin = time;
    if (time > this.#topMax) this.#topMax = time;
  }

  #toRung(entry: number, time: number): void {
    for (let level = 0; level < this.#depth; level += 1) {
      const rung = this.#rungs[level]!;
      const bucket = rung.bucketOf(time);
      if (bucket < rung.current) continue;
      this.#append(rung, bucket, entry);
      return;
    }
    this.#toBottom(entry, time);
    if (this.#end - this.#first > 2 * BOTTOM_MAX && this.#depth < RUNGS_MAX) this.#cutBottom();
  }

  #append(rung: Rung, bucket: number, entry: number): void {
    const cells = this.#cells;
    cells[4 * entry + 2] = NONE;
    if (rung.heads[bucket] === NONE) rung.heads[bucket] = entry;
    else cells[4 * rung.tails[bucket]! + 2] = entry;
    rung.tails[bucket] = entry;
    rung.counts[bucket]! += 1;
  }

  #toBottom(entry: number, time: number): void {
    if (this.#end === this.#bottom.length) this.#makeRoom();
    const bottom = this.#bottom;
    const times = this.#bottomTimes;
    let at = this.#end++;
    while (at > this.#first && times[at - 1]! > time) {
      bottom[at] = bottom[at - 1]!;
      times[at] = times[at - 1]!;
      at -= 1;
    }
    bottom[at] = entry;
    times[at] = time;
  }

  /** The first entry of the bottom, filled first if it is empty. Call it only if there is one. */
  #earliest(): number {
    for (;;) {
      if (this.#first === this.#end) this.#refill();
      const entry = this.#bottom[this.#first]!;
      if (!Number.isNaN(this.#times[2 * entry])) return entry;
      this.#first += 1;
      this.#bury(entry);
    }
  }

  /** Brings the next entries to the bottom. */
  #refill(): void {
    this.#first = 0;
    this.#end = 0;
    while (this.#end === 0) {
      if (this.#depth === 0) {
        const head = this.#topHead;
        const count = this.#topCount;
        const min = this.#topMin;
        const max = this.#topMax;
        this.#clearTop();
        this.#topStart = max;
        this.#lower({ head, count, min, max });
      } else this.#lowerBucket(this.#rungs[this.#depth - 1]!);
    }
  }

  #lowerBucket(rung: Rung): void {
    const { counts, heads } = rung;
    while (rung.current < rung.buckets && counts[rung.current] === 0) rung.current += 1;
    if (rung.current === rung.buckets) {
      this.#depth -= 1;
      return;
    }
    const bucket = rung.current++;
    const head = heads[bucket]!;
    const count = counts[bucket]!;
    heads[bucket] = NONE;
    counts[bucket] = 0;
    if (count <= BOTTOM_MAX) {
      this.#drain(head);
      return;
    }
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (let entry = head; entry !== NONE; entry = this.#cells[4 * entry + 2]!) {
      const time = this.#times[2 * entry]!;
      if (time < min) min = time;
      if (time > max) max = time;
    }
    this.#lower({ head, count, min, max });
  }

  /** Moves a chain one level down: into a new rung, or sorted into the bottom. */
  #lower({ head, count, min, max }: Chain): void {
    // A span may be too narrow, or too wide, for buckets.
    const width = (max - min) / count;
    if (
      count <= BOTTOM_MAX ||
      this.#depth === RUNGS_MAX ||
      !(1 / width < LARGEST && width < LARGEST)
    ) {
      this.#drain(head);
      return;
    }
    const rung = this.#rungs[this.#depth++]!;
    rung.reset(count, min, max);
    for (let entry = head; entry !== NONE; ) {
      const next = this.#cells[4 * entry + 2]!;
      const time = this.#times[2 * entry]!;
      if (Number.isNaN(time)) this.#bury(entry);
      else this.#append(rung, rung.bucketOf(time), entry);
      entry = next;
    }
  }

  #drain(head: number): void {
    for (let entry = head; entry !== NONE; ) {
      const next = this.#cells[4 * entry + 2]!;
      const time = this.#times[2 * entry]!;
      if (Number.isNaN(time)) this.#bury(entry);
      else this.#toBottom(entry, time);
      entry = next;
    }
  }

  /** A long bottom becomes a rung: an insertion stays cheap. Equal times cannot be cut. */
  #cutBottom(): void {
    const min = this.#bottomTimes[this.#first]!;
    const max = this.#bottomTimes[this.#end - 1]!;
    if (max <= min) return;
    const chain = { head: this.#chained(this.#first), count: this.#end - this.#first, min, max };
    this.#first = 0;
    this.#end = 0;
    this.#lower(chain);
  }

  /** Chains the entries of the bottom in their order. */
  #chained(from: number): number {
    for (let at = from; at < this.#end; at += 1) {
      this.#cells[4 * this.#bottom[at]! + 2] = at + 1 < this.#end ? this.#bottom[at + 1]! : NONE;
    }
    return this.#bottom[from]!;
  }

  /** Frees the dead entries. COST: O(entries). */
  #sweep(): void {
    const live = new Int32Array(this.#size);
    for (let n = 0; n < live.length; n += 1) {
      live[n] = this.#earliest();
      this.#first += 1;
    }
    this.#first = 0;
    this.#end = 0;
    this.#depth = 0;
    this.#clearTop();
    this.#topStart = Number.NEGATIVE_INFINITY;
    this.#dead = 0;
    this.#free = NONE;
    for (let entry = this.#fresh - 1; entry >= 0; entry -= 1) {
      if (Number.isNaN(this.#times[2 * entry])) this.#release(entry);
    }
    for (const entry of live) this.#toTop(entry, this.#times[2 * entry]!);
  }

  #clearTop(): void {
    this.#topHead = NONE;
    this.#topTail = NONE;
    this.#topCount = 0;
    this.#topMin = Number.POSITIVE_INFINITY;
    this.#topMax = Number.NEGATIVE_INFINITY;
  }

  /** A removed entry has left its chain. */
  #bury(entry: number): void {
    this.#dead -= 1;
    this.#release(entry);
  }

  #release(entry: number): void {
    this.#times[2 * entry] = Number.NaN;
    this.#cells[4 * entry + 2] = this.#free;
    this.#free = entry;
  }

  #grow(): void {
    const times = new Float64Array(2 * this.#times.length);
    times.set(this.#times);
    this.#times = times;
    this.#cells = new Int32Array(times.buffer);
  }

  /** A far entry may keep the bottom from ever being empty, so its front is used again. */
  #makeRoom(): void {
    if (2 * this.#first >= this.#end) {
      this.#bottom.copyWithin(0, this.#first, this.#end);
      this.#bottomTimes.copyWithin(0, this.#first, this.#end);
      this.#end -= this.#first;
      this.#first = 0;
      return;
    }
    const entries = new Int32Array(2 * this.#bottom.length);
    const times = new Float64Array(entries.length);
    entries.set(this.#bottom);
    times.set(this.#bottomTimes);
    this.#bottom = entries;
    this.#bottomTimes = times;
  }
}

interface Chain {
  readonly head: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

/** A span of time cut into buckets of equal width; each bucket is a chain of entries. */
class Rung {
  heads: Int32Array = new Int32Array(64);
  tails: Int32Array = new Int32Array(64);
  counts: Int32Array = new Int32Array(64);
  buckets = 0;
  /** Entries of earlier buckets have gone to the next rung or to the bottom. */
  current = 0;
  #start = 0;
  /** Buckets per unit of time. */
  #inverse = 0;

  reset(buckets: number, start: number, end: number): void {
    if (this.heads.length < buckets) {
      let room = this.heads.length;
      while (room < buckets) room *= 2;
      this.heads = new Int32Array(room);
      this.tails = new Int32Array(room);
      this.counts = new Int32Array(room);
    }
    this.heads.fill(NONE, 0, buckets);
    this.counts.fill(0, 0, buckets);
    this.buckets = buckets;
    this.current = 0;
    this.#start = start;
    this.#inverse = buckets / (end - start);
  }

  /**
   * The bucket of a time. The bucket never falls as time rises, and depends only on the time, so
   * equal times keep the order of their pushes.
   */
  bucketOf(time: number): number {
    const bucket = Math.floor((time - this.#start) * this.#inverse);
    return bucket < this.buckets ? bucket : this.buckets - 1;
  }
}
