import type { Instant } from "../model/ids.ts";
import type { State } from "./state.ts";

interface Remembered {
  at: Instant;
  step: number;
  value: number;
}

/**
 * Figures that cost a scan are remembered: within one step always, and over steps for the set-up's
 * `statisticsEvery`.
 */
export class Statistics {
  private readonly state: State;
  /** By what they are about, so that they go when it goes. */
  private readonly remembered = new WeakMap<object, Map<string, Remembered>>();

  constructor(state: State) {
    this.state = state;
  }

  of(about: object, figure: string, compute: () => number): number {
    let figures = this.remembered.get(about);
    if (figures === undefined) {
      figures = new Map();
      this.remembered.set(about, figures);
    }
    const { now, steps, setup } = this.state;
    const known = figures.get(figure);
    if (known !== undefined) {
      if (known.step === steps || now - known.at < setup.statisticsEvery) return known.value;
    }
    const value = compute();
    figures.set(figure, { at: now, step: steps, value });
    return value;
  }
}
