interface Due {
  readonly at: number;
  readonly happens: () => void;
}

const HORIZON_MS = 100_000_000;

/** The time of a world, and its planned events. */
export class Clock {
  now = 0;
  readonly #agenda: Due[] = [];

  /** Events planned for one time happen in the order of planning. */
  plan(at: number, happens: () => void): void {
    const due = { at: Math.max(at, this.now), happens };
    this.#agenda.splice(this.#placeAfter(due.at), 0, due);
  }

  /** Runs until no event is left. */
  run(): void {
    for (let due = this.#agenda.shift(); due !== undefined; due = this.#agenda.shift()) {
      this.now = due.at;
      due.happens();
      if (this.now > HORIZON_MS) throw new Error("the world does not end");
    }
  }

  /** The number of planned events that are due by this time. */
  #placeAfter(at: number): number {
    let low = 0;
    let high = this.#agenda.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const due = this.#agenda[middle];
      if (due !== undefined && due.at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
