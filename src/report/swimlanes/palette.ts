import type { AttemptKind } from "../../model/attempt.ts";
import type { BarEnd, LaneBar } from "./story.ts";

/** Colours of originals, by phase: the first phase of a job, the second, ... */
const PHASES: readonly string[] = ["#9dbfe3", "#4f7fb5", "#86b39a", "#4d7f63"];

const KINDS: Readonly<Record<Exclude<AttemptKind, "original">, string>> = {
  speculative: "#ef8a2b",
  restart: "#9467bd",
  retry: "#a6761d",
  rerun: "#1f9e98",
  recompute: "#d33f93",
};

/** The colour of what made a node slow, in pictures and their legends. */
export const SLOW_COLOR = "#f0b400";

/** The colour of the time that a late attempt took beyond what was expected of it. */
export const LATE_COLOR = "#b45309";

/** Colours of attempts that did not succeed, or whose end the record lacks. */
export const END_COLORS = { failed: "#cf2f2f", lost: "#8d8d8d", open: "#d3bf63" } as const;

/** Colours of originals that run, or did when the record ends, by phase. */
export const OPEN_COLORS: readonly string[] = [END_COLORS.open, "#a08a2a", "#bccb72", "#7f8f3c"];

/** Colours of lines and bars that are no attempts: of policies, settings, runs. */
export const SERIES_COLORS: readonly string[] = [
  "#4f7fb5",
  KINDS.speculative,
  "#4d7f63",
  KINDS.restart,
  KINDS.recompute,
  END_COLORS.lost,
];

/** The name of each kind of attempt in a legend, and the letter on its bars. */
export const KIND_NAMES: Readonly<Record<AttemptKind, readonly [name: string, letter: string]>> = {
  original: ["original", ""],
  speculative: ["speculative copy", "S"],
  restart: ["restart", "R"],
  retry: ["retry after a failure", "F"],
  rerun: ["rerun after a kill", "K"],
  recompute: ["recompute of lost output", "C"],
};

export const END_NAMES: Readonly<Record<BarEnd, string>> = {
  succeeded: "succeeded",
  killed: "killed",
  failed: "failed",
  lost: "lost with its node",
  running: "still running",
};

/** The colour of the attempt's kind. */
export function kindColor(as: AttemptKind, phase: number): string {
  if (as !== "original") return KINDS[as];
  return PHASES[phase % PHASES.length] ?? "#9dbfe3";
}

/** The colour of a bar: full for a success, pale for a kill. */
export function fillOf({ as, end }: Pick<LaneBar, "as" | "end">, phase: number): string {
  const color = kindColor(as, phase);
  switch (end) {
    case "killed":
      return pale(color, 0.55);
    case "running":
      return pale(color, 0.3);
    case "failed":
      return END_COLORS.failed;
    case "lost":
      return END_COLORS.lost;
    default:
      return color;
  }
}

/** Mixes the colour with this share of white. */
function pale(color: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16);
    return Math.round(value + (255 - value) * share)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${channels.join("")}`;
}
