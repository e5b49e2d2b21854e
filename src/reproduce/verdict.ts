import { never } from "../base/assert.ts";
import type { Measured } from "./experiment.ts";
import type { Gain, PublishedFigure, Tag, Verdict } from "./published.ts";

/** How far the measured share of the published gain may be from 1. */
export const TOLERANCE = 0.25;
/** A published gain below this is judged by its sign alone. */
export const SMALL_GAIN = 0.1;

/** A bound that is met on paper counts as met, whatever the last bit of a division. */
const ROUNDING = 1e-9;

/** A number and its 95 % interval. */
interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The verdict on a published figure; `measured` is undefined if no experiment measures it. */
export function verdictOf(figure: PublishedFigure, measured: Measured | undefined): Verdict {
  switch (figure.tag) {
    case "input":
    case "shape":
    case "not printed":
    case "ours":
      return "shown";
    case "ordering":
      return measured === undefined ? "undecided" : orderingVerdict(claimed(figure, measured));
    case "ratio": {
      const { published, gain = "value" } = figure;
      if (measured === undefined || typeof published === "string") return "undecided";
      return ratioVerdict(published, gain, measured);
    }
    default:
      return never(figure.tag);
  }
}

export const isJudged = (tag: Tag): boolean => tag === "ordering" || tag === "ratio";

/** The measured difference, with its sign changed if the paper claims a negative one. */
function claimed({ claims = "above 0" }: PublishedFigure, measured: Measured): Estimate {
  return scaled(measured, claims === "above 0" ? 1 : -1);
}

function orderingVerdict({ low, high }: Estimate): Verdict {
  if (low > 0) return "holds";
  // A measured difference of exactly 0 is no difference.
  return high <= 0 ? "contradicted" : "undecided";
}

function ratioVerdict(published: number, gain: Gain, measured: Estimate): Verdict {
  const base = gain === "speedup" ? 1 : 0;
  const expected = published - base;
  if (expected === 0) return "undecided";
  // The measured share of the published gain, 1 for all of it.
  const share = scaled(shifted(measured, -base), 1 / expected);
  if (gain !== "value" && Math.abs(expected) < SMALL_GAIN) {
    const verdict = orderingVerdict(share);
    return verdict === "holds" ? "within" : verdict;
  }
  if (share.high <= 0) return "contradicted";
  if (share.high - share.low > 2 * TOLERANCE * (1 + ROUNDING)) return "undecided";
  // A share clearly at or below 0 contradicts a claimed gain; noise about 0 says nothing.
  if (share.low <= 0) return "contradicted";
  return Math.abs(share.value - 1) <= TOLERANCE * (1 + ROUNDING) ? "within" : "same direction";
}

const shifted = ({ value, low, high }: Estimate, by: number): Estimate => ({
  value: value + by,
  low: low + by,
  high: high + by,
});

function scaled({ value, low, high }: Estimate, by: number): Estimate {
  const ends = [low * by, high * by];
  return { value: value * by, low: Math.min(...ends), high: Math.max(...ends) };
}
