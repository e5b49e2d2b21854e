/** Stands for "no entry". */
export const NONE = -1;

/** A span of time cut into buckets of equal width; each bucket is a chain of entries. */
export class Rung {
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
