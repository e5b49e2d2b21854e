interface Due {
  readonly at: number;
  readonly happens: () => void;
}

const HORIZON_MS = 100_000_000;

/** The time of a world, and what is going to happen in it. */
export class Clock {
  now = 0;
  readonly #agenda: Due[] = [];

  /** What is planned for one time happens in the order of planning. */
  plan(at: number, happens: () => void): void {
    const due = { at: Math.max(at, this.now), happens };
    const after = this.#agenda.findLastIndex((other) => other.at <= due.at);
    this.#agenda.splice(after + 1, 0, due);
  }

  /** Until nothing happens any more. */
  run(): void {
    for (let due = this.#agenda.shift(); due !== undefined; due = this.#agenda.shift()) {
      this.now = due.at;
      due.happens();
      if (this.now > HORIZON_MS) throw new Error("the world does not end");
    }
  }
}
