import { cell } from "../base/rows.ts";

/** A span of time that counts so many times. In ms. */
export interface Scaled {
  readonly from: number;
  readonly until: number;
  readonly times: number;
}

/** Time with stretched or shrunk spans; where several overlap, the farthest from 1 counts. */
export class TimeScale {
  /** Rising, each with its scaled time and with the factor from there on. */
  readonly #points: readonly {
    readonly at: number;
    readonly scaled: number;
    readonly times: number;
  }[];

  constructor(spans: readonly Scaled[]) {
    const bounds = [...new Set(spans.flatMap(({ from, until }) => [from, until]))].sort((a, b) =>
      Math.sign(a - b),
    );
    let scaled = bounds.length === 0 ? 0 : cell(bounds[0]);
    this.#points = bounds.map((at, n) => {
      const over = spans.filter(({ from, until }) => from <= at && at < until);
      const times = over.reduce((far, { times }) => farther(far, times), 1);
      const point = { at, scaled, times };
      const next = bounds[n + 1];
      if (next !== undefined) scaled += (next - at) * times;
      return point;
    });
  }

  at(ms: number): number {
    let low = -1;
    let high = this.#points.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (cell(this.#points[middle]).at <= ms) low = middle;
      else high = middle;
    }
    if (low < 0 || ms === Infinity) return ms;
    const { at, scaled, times } = cell(this.#points[low]);
    return scaled + (ms - at) * times;
  }
}

const farther = (a: number, b: number): number =>
  Math.max(a, 1 / a) >= Math.max(b, 1 / b) ? a : b;
