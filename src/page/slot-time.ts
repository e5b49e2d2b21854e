import { END_COLORS, kindColor } from "../report/swimlanes/palette.ts";
import type { Run } from "./run.ts";

export interface SlotShare {
  readonly name: string;
  readonly ms: number;
  readonly color: string;
}

const PARTS = [
  ["useful", kindColor("original", 1)],
  ["lost races", kindColor("speculative", 0)],
  ["killed", kindColor("restart", 0)],
  ["failed", END_COLORS.failed],
  ["lost with a node", END_COLORS.lost],
  ["made again", kindColor("recompute", 0)],
  ["cut off by the log's end", END_COLORS.open],
] as const;
const RUNNING: Part = "cut off by the log's end";
type Part = (typeof PARTS)[number][0];

/** Slot time by outcome; idle time only where the log names its slots. */
export function slotTimes(run: Run): readonly SlotShare[] {
  let silentMs = 0;
  const sums = new Map<Part, number>();
  for (let i = 0; i < run.attempts.length; i++) {
    const part = partOf(run, i);
    sums.set(part, (sums.get(part) ?? 0) + run.slotMs(i));
    silentMs += run.silentMs(i);
  }
  const used = [...sums.values()].reduce((sum, ms) => sum + ms, silentMs);
  const { offeredMs = used, idleBesideMs } = run.head;
  const idleMs = Math.max(0, offeredMs - used);
  const besideMs = Math.min(idleMs, idleBesideMs ?? 0);
  const rest = idleBesideMs === undefined ? "idle" : "idle with nothing to do";
  const idle = [
    { name: "silent", ms: silentMs, color: "#566270" },
    { name: "idle beside waiting tasks", ms: besideMs, color: "#e0c341" },
    { name: rest, ms: idleMs - besideMs, color: "var(--usual)" },
  ];
  return [
    ...PARTS.map(([name, color]) => ({
      name: name === RUNNING && run.head.isLive === true ? "running now" : name,
      color,
      ms: sums.get(name) ?? 0,
    })),
    ...idle,
  ].filter(({ ms }) => ms > 0);
}

/** A task's first success counts as useful; a later one made the output again. */
function partOf(run: Run, i: number): Part {
  switch (run.endOf(i)) {
    case "failed":
      return "failed";
    case "lost":
      return "lost with a node";
    case "killed":
      return run.ofTask(i).some((other) => isTwin(run, i, other)) ? "lost races" : "killed";
    case "succeeded":
      return run.kindOf(i) === "recompute" ? "made again" : "useful";
    default:
      return "cut off by the log's end";
  }
}

/** The task's other attempt succeeded while this one ran. */
function isTwin(run: Run, i: number, other: number): boolean {
  if (run.endOf(other) !== "succeeded") return false;
  const ended = run.endedAt(other);
  return run.startedAt(i) < ended && run.endedAt(i) >= ended;
}
