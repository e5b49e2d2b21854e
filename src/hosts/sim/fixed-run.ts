import { instant } from "../../model/ids.ts";
import type { ProgressCurve, Segment } from "../../model/progress.ts";
import { type Profile, segmentsOf } from "./profile.ts";

const NOTHING_YET: readonly Segment[] = [];

/** An attempt that lasts for a fixed time, longer on a slow node, and shares nothing. */
export class FixedRun {
  /** The handle of the run's end in the agenda; undefined while the run is paused. */
  handle: number | undefined = undefined;
  /** Whether the run ends in a failure. */
  readonly fails: boolean;
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

  constructor(
    profile: Profile,
    start: {
      /** The share of the work after which the attempt fails. */
      readonly failsAt: number | undefined;
      readonly at: number;
      readonly speed: number;
    },
  ) {
    const { totalMs, bytesRead, slowedByNode } = profile;
    this.fails = start.failsAt !== undefined;
    this.bytesRead = bytesRead;
    this.slowedByNode = slowedByNode;
    this.#profile = profile;
    this.#startedAt = start.at;
    this.#goalMs = start.failsAt === undefined ? totalMs : totalMs * start.failsAt;
    this.#since = start.at;
    this.#speed = start.speed;
  }

  get kind(): "fixed" {
    return "fixed";
  }

  /** When the run ends at its current speed. */
  get endsAt(): number {
    return this.#since + (this.#goalMs - this.#doneMs) / this.#speed;
  }

  curve(reportEvery: number): ProgressCurve {
    const ahead = segmentsOf(this.#profile, {
      from: this.#since,
      doneMs: this.#doneMs,
      speed: this.#speed,
    });
    return {
      kind: "curve",
      startedAt: instant(this.#startedAt),
      segments: this.#past.length === 0 ? ahead : [...this.#past, ...ahead],
      reportEvery,
    };
  }

  /** Past segments stay unchanged, so that what was reported stays reported. */
  changeSpeed(now: number, speed: number): void {
    const { segments } = this.curve(0);
    this.#past = segments.filter(({ from }) => from < now);
    this.#doneMs += (now - this.#since) * this.#speed;
    this.#since = now;
    this.#speed = speed;
  }
}
