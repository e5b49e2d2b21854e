import type { Told } from "./broomwagon.ts";

export const COVERED = "the interval holds the true seconds";
/** So many of the intervals may miss. */
export const MISSED = 0.1;
/** Shares below this part of the response are not asked for. */
export const NOTABLE = 0.01;

/** undefined if the printed interval, at face value, holds the truth. */
export function covered(why: Told, cause: string, truth: number, slackMs = 0): string | undefined {
  const row = why.causes.find((each) => each.cause === cause);
  // A cause that is not named cost nothing.
  if (row === undefined) return truth <= slackMs ? undefined : `no ${cause}`;
  const { ms, lowMs, highMs } = row;
  const isHeld = lowMs - slackMs <= truth && truth <= highMs + slackMs;
  const of = `of ${why.responseMs}`;
  return isHeld ? undefined : `truth ${Math.round(truth)}, ${ms} [${lowMs}, ${highMs}] ${of}`;
}
