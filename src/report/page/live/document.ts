import { cell, int32, partOf, Rows, rowCopier } from "../../../base/rows.ts";
import { CURVE_POINTS, TRACE_ENDS } from "../../../history/columns.ts";
import {
  type AttemptTable,
  type Decision,
  PAGE_ATTEMPT,
  type PageDocument,
  type PageHead,
  type Refusal,
} from "../document.ts";
import { type Frame, LIVE_ATTEMPT, type LiveHead, type Now, type SentRows } from "./frame.ts";

const CUT_OFF = TRACE_ENDS.indexOf("cut-off");

/** A page's attempt, and its lane: its row may change. */
const { curves, lane } = LIVE_ATTEMPT;
const GROWING = { ...PAGE_ATTEMPT, curves, lane } as const;

/** A page has the node's last word instead of its silence, and another unit of scores. */
const { silentMs: _silentMs, score: _score, ...GIVEN } = LIVE_ATTEMPT;
const copy = rowCopier(GIVEN);
const INDEX = { at: int32("place among the attempts", -1) } as const;

/** The current page, and which of its attempts are new or have changed since the previous page. */
export interface Grown {
  readonly document: PageDocument;
  /** Undefined if any attempt may have changed: the previous page is then unknown. */
  readonly changed: readonly number[] | undefined;
}

/**
 * The page that frames make, in place: an attempt keeps its index, in the order in which frames
 * brought it. COST: O(frame + running attempts) per frame.
 */
export class LiveDocument {
  #cursor = 0;
  #now: Now = { endsAt: 0, firstLaunches: 0, offeredMs: 0 };
  #head: LiveHead | undefined;
  readonly #table = new Rows(GROWING);
  /** The index of each id; -1 before its row has come. */
  readonly #index = new Rows(INDEX);
  readonly #running = new Set<number>();
  readonly #changed = new Set<number>();
  /** False before the first page is taken, and when any attempt may have changed since. */
  isSeen = false;
  readonly #decisions: Decision[] = [];
  /** Decisions about rows that have not come yet, by the rows' ids. */
  readonly #early = new Map<number, number[]>();
  readonly #refusals: Refusal[] = [];
  #hasCurves = false;

  get cursor(): number {
    return this.#cursor;
  }

  apply({ cursor, now, head, decisions, refusals, rows, gone }: Frame): void {
    this.#cursor = cursor;
    this.#now = now;
    for (let n = 0; n < rows.length; n++) this.#set(rows, n);
    for (const [n, decision] of decisions) this.#decide(n, decision);
    for (const [n, refusal] of refusals) this.#refusals[n] = refusal;
    if (head !== undefined) this.#take(head);
    for (const id of gone) this.#drop(id);
  }

  /** Undefined before the first frame. COST: O(changes + running attempts). */
  grown(): Grown | undefined {
    const head = this.#head;
    if (head === undefined) return undefined;
    const endsAt = Math.round(this.#now.endsAt);
    const { endedAt, heardAt } = this.#table.columns;
    for (const i of this.#running) {
      endedAt[i] = endsAt;
      heardAt[i] = endsAt;
      this.#changed.add(i);
    }
    const changed = this.isSeen ? [...this.#changed] : undefined;
    this.#changed.clear();
    this.isSeen = true;
    return { document: { head: this.#headNow(head), attempts: this.#attempts() }, changed };
  }

  #headNow({ lanes: _, ...head }: LiveHead): PageHead {
    const { endsAt, firstLaunches, offeredMs } = this.#now;
    return {
      ...head,
      endsAt,
      firstLaunches,
      ...(head.slotsKnown && { offeredMs }),
      jobs: head.jobs.map((job) => (job.outcome === "cut-off" ? { ...job, endedAt: endsAt } : job)),
      spans: head.spans.map((one) => (Number.isFinite(one.to) ? one : { ...one, to: endsAt })),
      decisions: this.#decisions,
      refusals: this.#refusals,
      isLive: true,
    };
  }

  #attempts(): AttemptTable {
    const { length, columns } = this.#table;
    const { lane: _, curves, ...attempts } = partOf(GROWING, columns, 0, length);
    return { length, ...attempts, ...(this.#hasCurves && { curves }) };
  }

  #set({ columns: sent }: SentRows, n: number): void {
    const id = cell(sent.id[n]);
    const known = this.#indexOf(id);
    const i = known < 0 ? this.#add(id) : known;
    const { columns } = this.#table;
    copy(sent, n, columns, i);
    columns.heardAt[i] = cell(sent.endedAt[n]) - cell(sent.silentMs[n]);
    columns.score[i] = cell(sent.score[n]) / 1_000;
    // A head that comes with these rows places them.
    columns.row[i] = this.#head?.lanes[cell(columns.lane[i])] ?? 0;
    if (!Number.isNaN(cell(columns.curves[CURVE_POINTS * i]))) this.#hasCurves = true;
    if (columns.ends[i] === CUT_OFF) this.#running.add(i);
    else this.#running.delete(i);
    this.#changed.add(i);
  }

  #indexOf(id: number): number {
    return id < this.#index.length ? cell(this.#index.columns.at[id]) : -1;
  }

  #add(id: number): number {
    const i = this.#table.append();
    while (this.#index.length <= id) this.#index.append();
    this.#index.columns.at[id] = i;
    for (const n of this.#early.get(id) ?? []) {
      const decision = this.#decisions[n];
      if (decision !== undefined) this.#decisions[n] = { ...decision, attempt: i };
    }
    this.#early.delete(id);
    return i;
  }

  #decide(n: number, decision: Decision): void {
    const { attempt: id } = decision;
    const attempt = id < 0 ? -1 : this.#indexOf(id);
    this.#decisions[n] = { ...decision, attempt };
    if (id >= 0 && attempt < 0) this.#early.set(id, [...(this.#early.get(id) ?? []), n]);
  }

  /** Rows may have been inserted between those that were known. */
  #take(head: LiveHead): void {
    const before = this.#head?.lanes ?? [];
    this.#head = head;
    const isSame = before.every((row, lane) => row === head.lanes[lane]);
    if (!isSame) this.isSeen = false;
    const { row, lane } = this.#table.columns;
    for (const i of isSame ? this.#changed : Array(this.#table.length).keys()) {
      row[i] = cell(head.lanes[cell(lane[i])]);
    }
  }

  /** The attempt never ran, which is rare. Later ones move up. COST: O(attempts). */
  #drop(id: number): void {
    const gone = this.#indexOf(id);
    if (gone < 0) return;
    this.isSeen = false;
    this.#table.remove(gone);
    const { at } = this.#index.columns;
    at[id] = -1;
    for (const [one, i] of at.entries()) if (i > gone) at[one] = i - 1;
    const running = [...this.#running].filter((i) => i !== gone);
    this.#running.clear();
    for (const i of running) this.#running.add(i > gone ? i - 1 : i);
    for (const [n, { attempt, ...decision }] of this.#decisions.entries()) {
      const moved = attempt === gone ? -1 : attempt > gone ? attempt - 1 : attempt;
      this.#decisions[n] = { ...decision, attempt: moved };
    }
  }
}
