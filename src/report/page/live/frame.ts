import { type Fields, hasFields } from "../../../base/json.ts";
import { type CellsOf, cell, columnsBy, float32, int32, wide } from "../../../base/rows.ts";
import { ATTEMPT, CURVE_POINTS } from "../../../history/columns.ts";
import { columnBytes, columnFrom } from "../column-bytes.ts";
import type { Decision, PageHead, Refusal } from "../document.ts";
import { asciiBytes, asciiText, counted, jsonFrom, jsonOf, partsOf } from "../document-bytes.ts";

/**
 * What changed in a live page since a cursor: rows as they are now, with their ids. A frame may be
 * applied twice.
 */
export interface Frame extends Changes {
  readonly cursor: number;
}

export interface Changes {
  readonly now: Now;
  /** Undefined if nothing in it changed. */
  readonly head: LiveHead | undefined;
  /** The attempt of a decision is the id of a row. */
  readonly decisions: readonly (readonly [n: number, decision: Decision])[];
  readonly refusals: readonly (readonly [n: number, refusal: Refusal])[];
  readonly rows: SentRows;
  /** Ids of rows whose attempts never ran: the host refused them. */
  readonly gone: readonly number[];
}

/** What changes continuously. */
export interface Now {
  readonly endsAt: number;
  readonly firstLaunches: number;
  readonly offeredMs: number;
}

/**
 * The head's other fields. Ongoing things end with `endsAt`: a job that is cut off, and a span
 * without end.
 */
export interface LiveHead extends Omit<PageHead, keyof Now | "decisions" | "refusals" | "isLive"> {
  /** The row of each lane, as an index into `rows`. */
  readonly lanes: readonly number[];
}

/**
 * The columns of a live attempt: those of the one table that a journal's facts fill, and its place.
 * An attempt that runs has no `endedAt` yet. Times in whole ms. 102 bytes a row.
 */
export const LIVE_ATTEMPT = {
  lane: int32("index into the head's lanes"),
  startedAt: ATTEMPT.startedAt,
  endedAt: ATTEMPT.endedAt,
  silentMs: int32("for how long its node had not been heard at its end, ms; 0 unless it was lost"),
  phase: int32("index into the head's phases"),
  task: ATTEMPT.task,
  ordinal: ATTEMPT.ordinal,
  node: ATTEMPT.node,
  kinds: ATTEMPT.kinds,
  ends: ATTEMPT.ends,
  inputBytes: ATTEMPT.inputBytes,
  score: float32("progress score, in thousandths"),
  curves: wide(CURVE_POINTS, float32("when each twelfth of the progress was reached, ms")),
} as const;

/** The rows of a frame have ids besides. */
export const SENT = {
  id: int32("number of the attempt in the order of launches"),
  ...LIVE_ATTEMPT,
} as const;

/** Attempts, in any order. */
export interface SentRows {
  readonly length: number;
  readonly columns: CellsOf<typeof SENT>;
}

type FrameHead = Omit<Frame, "rows">;

const FRAME_HEAD: Fields = { cursor: "number", now: "object", decisions: "list", gone: "list" };
const isFrameHead = (head: unknown): head is FrameHead =>
  hasFields(head, { ...FRAME_HEAD, refusals: "list" });

/** As JSON, then each column; all with their lengths before them. */
export function frameBytes({ rows, ...head }: Frame): Uint8Array {
  const columns = Object.values(rows.columns).map((column) => columnBytes(column));
  return counted(rows.length, [asciiBytes(jsonOf(head)), ...columns]);
}

/** Throws an Error in a sentence if the bytes are not those of a frame. */
export function frameFrom(bytes: Uint8Array): Frame {
  const { count: length, parts } = partsOf(bytes);
  const [text, ...columns] = parts;
  if (text === undefined || columns.length !== Object.keys(SENT).length) {
    throw new Error("The server sent a page where a frame was due.");
  }
  const head: unknown = jsonFrom(asciiText(text));
  if (!isFrameHead(head)) throw new Error("The server sent a frame that lacks fields.");
  let next = 0;
  const read = columnsBy(SENT, (_, { make }) => columnFrom(cell(columns[next++]), make(length)));
  return { ...head, head: head.head, rows: { length, columns: read } };
}
