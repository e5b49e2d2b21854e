import { CURVE_POINTS } from "../../history/columns.ts";
import { curveOf, type ProgressCurve, type ProgressSource } from "../../model/progress.ts";

/** An attempt's progress so far. */
export interface SoFar {
  readonly score: number;
  readonly curve: readonly number[] | undefined;
}

/** When an attempt reached each twelfth of its progress, from its reports or its curves. */
export class ProgressTimes {
  readonly #startedAt: number;
  readonly #reachedAt: number[] = [];
  /** The latest point: a time, and the score of 0 to 1 that was reached by then. */
  #lastAt: number;
  #lastScore = 0;
  #curve: ProgressCurve | undefined;
  #isKnown = false;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
    this.#lastAt = startedAt;
  }

  /** A new source of progress at time `now`: it replaces a curve before it. */
  see(source: ProgressSource, now: number): void {
    this.#follow(now);
    this.#curve = source.kind === "reported" ? undefined : curveOf(source);
    if (source.kind !== "reported") this.#isKnown = true;
    else if (source.score > 0) {
      this.#isKnown = true;
      this.#reach(source.at, source.score);
    }
  }

  /**
   * Milliseconds after the start, NaN for what was not reached; undefined if nothing was reported.
   */
  end(now: number, hasSucceeded: boolean): readonly number[] | undefined {
    if (!this.#isKnown) return undefined;
    this.#follow(now);
    if (hasSucceeded) this.#reach(now, 1);
    const reached = this.#reachedAt.map((at) => at - this.#startedAt);
    if (reached.length === 0) return undefined;
    return [...reached, ...new Array<number>(CURVE_POINTS - reached.length).fill(Number.NaN)];
  }

  /** The score by `now`, and the points as `end` returns them; more may be seen afterwards. */
  soFar(now: number): SoFar | undefined {
    if (!this.#isKnown) return undefined;
    const copy = new ProgressTimes(this.#startedAt);
    for (const at of this.#reachedAt) copy.#reachedAt.push(at);
    copy.#lastAt = this.#lastAt;
    copy.#lastScore = this.#lastScore;
    copy.#curve = this.#curve;
    copy.#isKnown = true;
    return { curve: copy.end(now, false), score: copy.#lastScore };
  }

  /** Up to `now` along the curve that was seen last. */
  #follow(now: number): void {
    if (this.#curve === undefined) return;
    const { segments } = this.#curve;
    for (let index = 0; index < segments.length; index++) {
      const { from, at, perMs } = segments[index]!;
      const until = Math.min(segments[index + 1]?.from ?? now, now);
      if (until < from) return;
      this.#reach(from, at.score);
      this.#reach(until, at.score + perMs.score * (until - from));
    }
  }

  /** Interpolates from the previous point; an earlier point adds nothing. */
  #reach(at: number, score: number): void {
    const [from, before] = [this.#lastAt, this.#lastScore];
    if (at < from || score < before) return;
    while (this.#reachedAt.length < CURVE_POINTS) {
      const twelfth = (this.#reachedAt.length + 1) / CURVE_POINTS;
      if (twelfth > score + ROUNDING) break;
      const share = score > before ? Math.min((twelfth - before) / (score - before), 1) : 1;
      this.#reachedAt.push(from + Math.max(share, 0) * (at - from));
    }
    this.#lastAt = at;
    this.#lastScore = score;
  }
}

/** A score is a sum of many small ones. */
const ROUNDING = 1e-9;
