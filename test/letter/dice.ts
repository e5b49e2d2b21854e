/** The chance of a world, all of it from one seed (mulberry32). */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 0x9e3779b1 + 0x85ebca6b) >>> 0;
  }

  /** Uniform in [0, 1). */
  unit(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** A whole number from `low` to `high`, both possible. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.whole(0, items.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, key: this.unit() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }
}
