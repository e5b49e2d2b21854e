import { instant } from "../../model/ids.ts";
import {
  type ForeseenProgress,
  NO_AMOUNTS,
  type ProgressCurve,
  type Segment,
} from "../../model/progress.ts";
import { type Profile, rateOf, segmentsOf } from "./profile.ts";

const NOTHING_YET: readonly Segment[] = [];

/** An attempt that lasts for a fixed time, longer on a slow node, and shares nothing. */
export class FixedRun {
  /** How the run ends, if nothing stops it. */
  readonly ends: "succeeded" | "failed" | "evicted";
  readonly bytesRead: number;
  readonly slowedByNode: boolean;
  readonly #profile: Profile;
  readonly #startedAt: number;
  /** The point at which the run ends: the end of its work, or the point of its failure. */
  readonly #goalMs: number;
  #past = NOTHING_YET;
  /** When the current speed began, and the work done by then. */
  #since: number;
  #doneMs = 0;
  #speed: number;
  /** Whether the work may not begin yet. */
  #isHeld: boolean;

  constructor(
    profile: Profile,
    start: {
      /** The share of the work after which the attempt fails. */
      readonly failsAt: number | undefined;
      readonly at: number;
      readonly speed: number;
      /** Whether the work waits for `release`; false if left out. */
      readonly isHeld?: boolean;
    },
  ) {
    const { totalMs, bytesRead, failsAfterMs, evictedAfterMs, slowedByNode } = profile;
    const { failsAt, isHeld = false } = start;
    const fails = failsAt !== undefined || failsAfterMs !== undefined;
    this.ends = fails ? "failed" : evictedAfterMs !== undefined ? "evicted" : "succeeded";
    this.bytesRead = bytesRead;
    this.slowedByNode = slowedByNode;
    this.#profile = profile;
    this.#startedAt = start.at;
    const drawnMs = failsAt === undefined ? Number.POSITIVE_INFINITY : totalMs * failsAt;
    this.#goalMs = fails
      ? Math.min(drawnMs, failsAfterMs ?? Number.POSITIVE_INFINITY)
      : (evictedAfterMs ?? totalMs);
    this.#since = start.at;
    this.#isHeld = isHeld;
    this.#speed = isHeld ? 0 : start.speed;
  }

  get kind(): "fixed" {
    return "fixed";
  }

  /** When the run ends at its current speed. */
  get endsAt(): number {
    if (this.#speed === 0) return Number.POSITIVE_INFINITY;
    return this.#since + (this.#goalMs - this.#doneMs) / this.#speed;
  }

  /** A line if the whole work proceeds at one rate, as on most nodes. */
  progress(reportEvery: number): ForeseenProgress {
    const isWhole = this.#past.length === 0 && this.#doneMs === 0 && !this.#isHeld;
    const rates = isWhole ? rateOf(this.#profile, this.#speed) : undefined;
    if (rates === undefined) return this.#curve(reportEvery);
    return { kind: "line", startedAt: instant(this.#startedAt), ...rates, reportEvery };
  }

  #curve(reportEvery: number): ProgressCurve {
    const pace = { from: this.#since, doneMs: this.#doneMs, speed: this.#speed };
    const ahead = this.#isHeld
      ? [{ from: instant(this.#since), stage: 0, at: NO_AMOUNTS, perMs: NO_AMOUNTS }]
      : segmentsOf(this.#profile, pace);
    return {
      kind: "curve",
      startedAt: instant(this.#startedAt),
      segments: this.#past.length === 0 ? ahead : [...this.#past, ...ahead],
      reportEvery,
    };
  }

  /** Past segments stay unchanged, so that earlier reports stay true. */
  changeSpeed(now: number, speed: number): void {
    const { segments } = this.#curve(0);
    this.#past = segments.filter(({ from }) => from < now);
    this.#doneMs += (now - this.#since) * this.#speed;
    this.#since = now;
    this.#speed = this.#isHeld ? 0 : speed;
  }

  /** The work begins. */
  release(now: number, speed: number): void {
    const { segments } = this.#curve(0);
    this.#past = segments.filter(({ from }) => from < now);
    this.#isHeld = false;
    this.#since = now;
    this.#speed = speed;
  }
}
