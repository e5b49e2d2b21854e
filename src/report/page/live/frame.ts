import { CURVE_POINTS } from "../../../history/columns.ts";
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
  readonly rows: Rows;
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
export interface LiveHead
  extends Omit<PageHead, keyof Now | "decisions" | "refusals" | "isLive" | "columns"> {
  /** The row of each lane, as an index into `rows`. */
  readonly lanes: readonly number[];
}

/**
 * Columns of a live row. An attempt that runs has no `endedAt` yet. `silentMs`: for how long its
 * node had not been heard when it ended; 0 unless it was lost. Times in whole ms.
 */
export const LIVE_COLUMNS = [
  "lane",
  "startedAt",
  "endedAt",
  "silentMs",
  "phase",
  "task",
  "ordinal",
  "node",
  "as",
  "end",
  "inputBytes",
  "score",
] as const;
export type LiveColumn = (typeof LIVE_COLUMNS)[number];

/** Attempts, in any order. An id is the attempt's number in the order of launches. */
export interface Rows {
  readonly ids: ArrayLike<number>;
  readonly columns: { readonly [name in LiveColumn]: ArrayLike<number> };
  /** CURVE_POINTS values each. */
  readonly curves: ArrayLike<number>;
}

export const liveColumns = <T>(of: (name: LiveColumn) => T): { [name in LiveColumn]: T } => ({
  lane: of("lane"),
  startedAt: of("startedAt"),
  endedAt: of("endedAt"),
  silentMs: of("silentMs"),
  phase: of("phase"),
  task: of("task"),
  ordinal: of("ordinal"),
  node: of("node"),
  as: of("as"),
  end: of("end"),
  inputBytes: of("inputBytes"),
  score: of("score"),
});

type Told = Omit<Frame, "rows">;

/** As JSON, the ids, and each column; all with their lengths before them. */
export function frameBytes({ rows, ...told }: Frame): Uint8Array {
  const { ids, columns, curves } = rows;
  return counted(ids.length, [
    asciiBytes(jsonOf(told)),
    columnBytes(ids),
    ...LIVE_COLUMNS.map((name) => columnBytes(columns[name])),
    columnBytes(curves),
  ]);
}

/** Throws an Error in a sentence if the bytes are not those of a frame. */
export function frameFrom(bytes: Uint8Array): Frame {
  const { count, parts } = partsOf(bytes);
  if (parts.length !== LIVE_COLUMNS.length + 3) {
    throw new Error("The server sent a page where a frame was due.");
  }
  const [text, ids, ...others] = parts;
  const told: Told = jsonFrom(asciiText(text ?? new Uint8Array()));
  const column = (n: number, length = count): Float64Array =>
    columnFrom(others[n] ?? new Uint8Array(), length);
  const columns = liveColumns((name) => column(LIVE_COLUMNS.indexOf(name)));
  const curves = column(LIVE_COLUMNS.length, CURVE_POINTS * count);
  const rows = { ids: columnFrom(ids ?? new Uint8Array(), count), columns, curves };
  return { ...told, head: told.head, rows };
}
