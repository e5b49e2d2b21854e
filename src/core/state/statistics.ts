import { Memo } from "../../base/memo.ts";
import { after, type Instant } from "../../model/ids.ts";
import type { State } from "./state.ts";

interface Stamp {
  readonly at: Instant;
  readonly step: number;
}

/**
 * Remembers statistics that cost a scan: always within one step, and over steps for the set-up's
 * `statisticsEvery`.
 */
export class Statistics {
  readonly #state: State;
  readonly #memo = new Memo<Stamp>();

  constructor(state: State) {
    this.#state = state;
  }

  of<T>(about: object, figure: string, workOut: () => T): T {
    const { now, steps, setup } = this.#state;
    const isGood = ({ at, step }: Stamp) =>
      step === steps || now < after(at, setup.statisticsEvery);
    return this.#memo.of(about, figure, { at: now, step: steps }, isGood, workOut);
  }
}
