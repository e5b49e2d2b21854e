import { cell } from "../../base/rows.ts";
import { CAUSES, type Cause, MOVES_WORK } from "../cause.ts";
import type { AttemptCauses } from "./attempt-causes.ts";
import type { CauseInterval } from "./intervals.ts";
import type { Shares } from "./shares.ts";

/** What is told of a response: no more than all of it is lost, and no less than nothing. */
export interface Told {
  readonly shares: Shares;
  /** The seconds of attempts that the shares are sums of, along the paths. */
  readonly ms: AttemptCauses["ms"];
}

/**
 * The shares as parts of the response: no cause is negative but input bytes, and 0 <= lost <=
 * response. What attempts gained that were quicker than their peers is usual, and no part of the
 * loss: their seconds shrink until nothing was gained. What the schedule changed on the way is part
 * of the unexplained.
 */
export function withinResponse(found: Shares, causes: AttemptCauses, responseMs: number): Told {
  const { weights, scheduleChangedMs: changed } = found;
  const unexplained = Math.max(found.ms.unexplained, -Math.max(changed, 0));
  const scheduleChangedMs = Math.max(changed, -Math.max(found.ms.unexplained, 0));
  const others = CAUSES.filter((cause) => cause !== "unexplained" && cause !== MOVES_WORK);
  const lostToOthers = others.reduce(
    (sum, cause) => sum + found.ms[cause],
    unexplained + scheduleChangedMs,
  );
  const bytes = Math.max(found.ms[MOVES_WORK], -lostToOthers);
  const lost = lostToOthers + bytes;
  // Attempts may outlast a job that failed: what came after its end is not lost.
  const scale = lost > responseMs ? responseMs / lost : 1;
  const ms = { ...found.ms, unexplained, bytes };
  for (const cause of CAUSES) ms[cause] *= scale;
  const scaled = (column: Float64Array): Float64Array => column.map((each) => each * scale);
  return {
    shares: {
      ...found,
      ms,
      scheduleChangedMs: scheduleChangedMs * scale,
      delayMs: lost * scale,
      usualMs: responseMs - lost * scale,
      weights: { own: scaled(weights.own), wait: scaled(weights.wait) },
    },
    ms: {
      ...causes.ms,
      ...(unexplained > found.ms.unexplained && {
        unexplained: raised(causes.ms.unexplained, weights.own, unexplained),
      }),
      ...(bytes > found.ms.bytes && { bytes: raised(causes.ms.bytes, weights.own, bytes) }),
    },
  };
}

/** The column with smaller gains, so that its weighted sum, which is below `least`, becomes it. */
function raised(column: Float64Array, weights: Float64Array, least: number): Float64Array {
  let [costs, gains] = [0, 0];
  for (let i = 0; i < column.length; i++) {
    const ms = cell(column[i]) * cell(weights[i]);
    if (ms > 0) costs += ms;
    else gains += ms;
  }
  const kept = (least - costs) / gains;
  return column.map((ms) => (ms < 0 ? ms * kept : ms));
}

/**
 * The interval of a part of the response, moved by what the schedule changed: it holds the value,
 * and ends within the response.
 */
export function intervalWithin(
  cause: Cause,
  drawn: CauseInterval,
  of: { readonly ms: number; readonly changed: number; readonly responseMs: number },
): CauseInterval {
  const { ms, changed, responseMs } = of;
  const least = cause === MOVES_WORK ? -responseMs : 0;
  const within = (end: number): number => Math.min(Math.max(end + changed, least), responseMs);
  const highMs = Math.max(within(drawn.highMs), ms);
  return {
    lowMs: Math.min(within(drawn.lowMs), ms),
    highMs,
    couldBeMs: Math.max(within(drawn.couldBeMs), highMs),
  };
}

/** Below this share of a cause's seconds others may hide its cost: their attempts end as late. */
const HIDDEN_BELOW = 0.5;

/**
 * The interval with what the job would have gained without the cause, as uncertain as the seconds:
 * another attempt may then be the last one, a little before. `aloneMs`: if only this cause were
 * gone; where others hide it, they do not hide `lastMs()`, if it went after all of them.
 */
export function withGain(
  drawn: CauseInterval,
  { ms, aloneMs, lastMs }: { readonly ms: number; readonly aloneMs: number; lastMs: () => number },
): CauseInterval {
  if (!(ms > 0)) return drawn;
  const isHidden = aloneMs < HIDDEN_BELOW * ms;
  const gainMs = isHidden ? Math.max(aloneMs, lastMs()) : aloneMs;
  const share = Math.max(0, Math.min(1, gainMs / ms));
  // A cause may be hardly more than nothing, and its gain be more: a ratio would leave all bounds.
  const highMs = drawn.highMs + Math.max(0, gainMs - ms);
  return {
    lowMs: Math.min(drawn.lowMs, share * drawn.lowMs),
    highMs,
    couldBeMs: Math.max(drawn.couldBeMs, highMs),
  };
}
