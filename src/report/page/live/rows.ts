import { cell } from "../../../base/rows.ts";
import { CURVE_POINTS } from "../../../history/columns.ts";
import type { Decision, Refusal } from "../document.ts";
import { CHUNK, type Chunk, emptyChunk } from "./chunk.ts";
import { FoundRows } from "./found-rows.ts";
import { type Frame, LIVE_COLUMNS, type LiveHead, type Now, type Rows } from "./frame.ts";
import { TEXT_WEIGHT, WEIGHT_MAX } from "./parcel.ts";

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
  readonly #found = new FoundRows();

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
    const { ids } = rows;
    for (let i = 0; i < ids.length; i++) this.#set(cell(ids[i]), rows, i);
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
  #rowsIn(after: number, until: number): Rows {
    const found = this.#found;
    found.clear();
    for (const [n, { latest, changedAt }] of this.#chunks.entries()) {
      if (latest <= after) continue;
      for (let at = 0; at < CHUNK; at++) {
        const changed = cell(changedAt[at]);
        if (changed > after && changed <= until) found.add(n * CHUNK + at);
      }
    }
    return found.rows((id) => this.#chunkOf(id));
  }

  #set(id: number, { columns, curves }: Rows, i: number): void {
    const chunk = this.#chunkOf(id);
    const at = id % CHUNK;
    const before = cell(chunk.changedAt[at]);
    if (before > 0) this.#weigh(before, -1);
    this.#weigh(this.#cursor, 1);
    chunk.changedAt[at] = this.#cursor;
    chunk.latest = this.#cursor;
    for (const name of LIVE_COLUMNS) chunk.columns[name][at] = cell(columns[name][i]);
    for (let point = 0; point < CURVE_POINTS; point++) {
      chunk.curves[CURVE_POINTS * at + point] = cell(curves[CURVE_POINTS * i + point]);
    }
  }

  #chunkOf(id: number): Chunk {
    const n = Math.floor(id / CHUNK);
    while (this.#chunks.length <= n) this.#chunks.push(emptyChunk());
    return this.#chunks[n] ?? emptyChunk();
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
