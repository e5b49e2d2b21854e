import { cell } from "../base/rows.ts";
import { TRACE_ENDS } from "../history/columns.ts";
import { ATTEMPT_KINDS, type AttemptKind } from "../model/attempt.ts";
import { END_COLORS, kindColor, LATE_COLOR, OPEN_COLORS } from "../report/swimlanes/palette.ts";

/** What a pixel shows, in the order of gravity: where bars share a pixel, the gravest one shows. */
export const NOTHING = 0;
const PHASES = 4;
const WON = 1;
const KILLED = WON + PHASES;
const RUNNING = KILLED + PHASES;
const COPY_WON = RUNNING + PHASES;
const KINDS = ATTEMPT_KINDS.length - 1;
const COPY_KILLED = COPY_WON + KINDS;
/** The time of a late attempt beyond its expected time; the next class has no result. */
export const LATE: number = COPY_KILLED + KINDS;
const LOST = LATE + 2;
const FAILED = LOST + 1;
export const CLASSES: number = FAILED + 1;

const ORIGINAL = ATTEMPT_KINDS.indexOf("original");
const [SUCCEEDED, FAIL, KILL, LOSE] = (["succeeded", "failed", "killed", "lost"] as const).map(
  (end) => TRACE_ENDS.indexOf(end),
);

/** `phase`: the index of the phase within its job. */
export function classOf(as: number, end: number, phase: number): number {
  if (end === FAIL) return FAILED;
  if (end === LOSE) return LOST;
  const isCopy = as !== ORIGINAL;
  const kind = as - (as > ORIGINAL ? 1 : 0);
  if (end === KILL) return isCopy ? COPY_KILLED + kind : KILLED + (phase % PHASES);
  if (isCopy) return COPY_WON + kind;
  return (end === SUCCEEDED ? WON : RUNNING) + (phase % PHASES);
}

export interface Look {
  readonly color: string;
  readonly isHatched: boolean;
}

const kindAt = (n: number): AttemptKind =>
  ATTEMPT_KINDS[n >= ORIGINAL ? n + 1 : n] ?? "speculative";

/** The colour of each class; a hatched class marks attempts without a result of their own. */
export const LOOKS: readonly Look[] = Array.from({ length: CLASSES }, (_, one): Look => {
  const plain = (color: string): Look => ({ color, isHatched: false });
  const hatched = (color: string): Look => ({ color, isHatched: true });
  if (one === NOTHING) return plain("#ffffff");
  if (one < KILLED) return plain(kindColor("original", one - WON));
  if (one < RUNNING) return hatched(kindColor("original", one - KILLED));
  if (one < COPY_WON) return plain(OPEN_COLORS[one - RUNNING] ?? END_COLORS.open);
  if (one < COPY_KILLED) return plain(kindColor(kindAt(one - COPY_WON), 0));
  if (one < LATE) return hatched(kindColor(kindAt(one - COPY_KILLED), 0));
  if (one < LOST) return { color: LATE_COLOR, isHatched: one > LATE };
  return one === LOST ? hatched(END_COLORS.lost) : plain(END_COLORS.failed);
});

export const lookOf = (shows: number): Look => cell(LOOKS[shows]);
