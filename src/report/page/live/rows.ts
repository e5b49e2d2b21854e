import {
  type CellsOf,
  type ColumnsOf,
  cell,
  columnsBy,
  partOf,
  Rows,
  rowCopier,
} from "../../../base/rows.ts";
import type { Decision, Refusal } from "../document.ts";
import { type Frame, LIVE_ATTEMPT, type LiveHead, type Now, SENT, type SentRows } from "./frame.ts";
import { TEXT_WEIGHT, WEIGHT_MAX } from "./parcel.ts";

const CHUNK = 4_096;

/** `CHUNK` rows of consecutive ids. A reader that has seen `latest` has seen them all. */
interface Chunk {
  readonly columns: ColumnsOf<typeof LIVE_ATTEMPT>;
  /** 0: no such row. */
  readonly changedAt: Uint32Array;
  latest: number;
}

const copy = rowCopier(LIVE_ATTEMPT);

/** What a reader has seen: a cursor, and the cursor at which the head last changed. */
export interface Seen {
  readonly cursor: number;
  readonly head: number;
}

interface Dated<T> {
  readonly value: T;
  readonly changedAt: number;
}

/**
 * The rows of a live page, each with the cursor at which it last changed. A reader gets the rows
 * that changed after its cursor, as they are now. 106 bytes a row.
 */
export class LiveRows {
  #cursor = 0;
  #now: Now = { endsAt: 0, firstLaunches: 0, offeredMs: 0 };
  #head: Dated<LiveHead> | undefined;
  readonly #chunks: Chunk[] = [];
  readonly #decisions: Dated<Decision>[] = [];
  readonly #refusals: Dated<Refusal>[] = [];
  readonly #gone = new Map<number, number>();
  /** By cursor: the weight of what last changed at it. */
  readonly #weights: number[] = [];
  /**
   * The rows of one frame, in memory that serves every frame: a page makes five frames a second for
   * each reader, and V8 frees large arrays late.
   */
  readonly #found = new Rows(SENT);

  get cursor(): number {
    return this.#cursor;
  }

  /** The cursor at which the head last changed. */
  get headCursor(): number {
    return this.#head?.changedAt ?? 0;
  }

  /** The head as it is now; undefined before the first frame. */
  get head(): LiveHead | undefined {
    return this.#head?.value;
  }

  apply({ cursor, now, head, decisions, refusals, rows, gone }: Frame): void {
    this.#cursor = cursor;
    this.#now = now;
    if (head !== undefined) this.#head = { value: head, changedAt: cursor };
    for (const [n, value] of decisions) this.#tell(this.#decisions, n, value);
    for (const [n, value] of refusals) this.#tell(this.#refusals, n, value);
    for (let i = 0; i < rows.length; i++) this.#set(rows.columns, i);
    for (const id of gone) {
      const { changedAt } = this.#chunkOf(id);
      const before = cell(changedAt[id % CHUNK]);
      // No reader has a row that was never here.
      if (before === 0) continue;
      this.#weigh(before, -1);
      changedAt[id % CHUNK] = 0;
      this.#gone.set(id, cursor);
    }
  }

  /**
   * What changed after the cursor; everything for cursor 0. If that is too much for one frame, the
   * oldest part: the frame's cursor marks its end. The frame's rows serve until the next call.
   */
  frameAfter({ cursor, head: headSeen }: Seen): Frame | undefined {
    const head = this.#head;
    if (head === undefined || cursor >= this.#cursor) return undefined;
    const until = this.#until(cursor);
    const isDue = (at: number): boolean => at > cursor && at <= until;
    return {
      cursor: until,
      now: this.#now,
      head: head.changedAt > headSeen ? head.value : undefined,
      decisions: toldOf(this.#decisions, isDue),
      refusals: toldOf(this.#refusals, isDue),
      rows: this.#rowsIn(cursor, until),
      gone: [...this.#gone].flatMap(([id, at]) => (isDue(at) ? [id] : [])),
    };
  }

  /** How far a frame after this cursor goes. COST: O(cursors that it passes). */
  #until(cursor: number): number {
    let weight = this.#weightAt(cursor + 1);
    for (let until = cursor + 1; until < this.#cursor; until++) {
      weight += this.#weightAt(until + 1);
      if (weight > WEIGHT_MAX) return until;
    }
    return this.#cursor;
  }

  /** COST: O(rows of the chunks in which something is newer than `after`). */
  #rowsIn(after: number, until: number): SentRows {
    const found = this.#found;
    found.clear();
    for (const [n, { latest, changedAt, columns }] of this.#chunks.entries()) {
      if (latest <= after) continue;
      for (let at = 0; at < CHUNK; at++) {
        const changed = cell(changedAt[at]);
        if (changed <= after || changed > until) continue;
        const row = found.append();
        found.columns.id[row] = n * CHUNK + at;
        copy(columns, at, found.columns, row);
      }
    }
    const { length } = found;
    return { length, columns: partOf(SENT, found.columns, 0, length) };
  }

  #set(columns: CellsOf<typeof SENT>, i: number): void {
    const id = cell(columns.id[i]);
    const chunk = this.#chunkOf(id);
    const at = id % CHUNK;
    const before = cell(chunk.changedAt[at]);
    if (before > 0) this.#weigh(before, -1);
    this.#weigh(this.#cursor, 1);
    chunk.changedAt[at] = this.#cursor;
    chunk.latest = this.#cursor;
    copy(columns, i, chunk.columns, at);
  }

  #chunkOf(id: number): Chunk {
    const n = Math.floor(id / CHUNK);
    while (this.#chunks.length <= n) {
      const columns = columnsBy(LIVE_ATTEMPT, (_, { make }) => make(CHUNK));
      this.#chunks.push({ columns, changedAt: new Uint32Array(CHUNK), latest: 0 });
    }
    return cell(this.#chunks[n]);
  }

  #tell<T>(all: Dated<T>[], n: number, value: T): void {
    const before = all[n]?.changedAt;
    if (before !== undefined) this.#weigh(before, -TEXT_WEIGHT);
    this.#weigh(this.#cursor, TEXT_WEIGHT);
    all[n] = { value, changedAt: this.#cursor };
  }

  /** 0 while nothing has changed at the cursor. */
  #weightAt(cursor: number): number {
    return cursor < this.#weights.length ? cell(this.#weights[cursor]) : 0;
  }

  #weigh(cursor: number, weight: number): void {
    while (this.#weights.length <= cursor) this.#weights.push(0);
    this.#weights[cursor] = cell(this.#weights[cursor]) + weight;
  }
}

function toldOf<T>(
  all: readonly Dated<T>[],
  isDue: (at: number) => boolean,
): readonly (readonly [number, T])[] {
  return all.flatMap(({ value, changedAt }, n) => (isDue(changedAt) ? [[n, value] as const] : []));
}
