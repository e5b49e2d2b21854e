import { cell } from "../../../base/rows.ts";
import { CURVE_POINTS, TRACE_ENDS } from "../../../history/columns.ts";
import {
  type AttemptTable,
  COLUMNS,
  type ColumnName,
  columnsOf,
  type Decision,
  type PageDocument,
  type PageHead,
  type Refusal,
} from "../document.ts";
import { type Frame, LIVE_COLUMNS, type LiveHead, type Now, type Rows } from "./frame.ts";

const CUT_OFF = TRACE_ENDS.indexOf("cut-off");

/**
 * A page has the lane's row instead of the lane, and the node's last word instead of its silence;
 * the other columns are those of frames.
 */
const GIVEN = LIVE_COLUMNS.filter((name) => name !== "lane" && name !== "silentMs");
const NEVER: ReadonlySet<ColumnName> = new Set(["gcMs", "fetchWaitMs", "heldMs"]);

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
  #count = 0;
  #columns = columnsOf(() => filled(64));
  #curves = filled(64 * CURVE_POINTS);
  /** The lane of each attempt. */
  #lanes: Int32Array = new Int32Array(64);
  /** The index of each id; -1 before its row has come. */
  #index: Int32Array = new Int32Array(64).fill(-1);
  readonly #running = new Set<number>();
  readonly #changed = new Set<number>();
  /** False before the first page is taken, and when any attempt may have changed since. */
  isSeen = false;
  readonly #decisions: Decision[] = [];
  /** Decisions about rows that have not come yet, by the rows' ids. */
  readonly #early = new Map<number, number[]>();
  readonly #refusals: Refusal[] = [];
  #has = { curves: false, score: false, silence: false };

  get cursor(): number {
    return this.#cursor;
  }

  apply({ cursor, now, head, decisions, refusals, rows, gone }: Frame): void {
    this.#cursor = cursor;
    this.#now = now;
    const { ids } = rows;
    for (let i = 0; i < ids.length; i++) this.#set(cell(ids[i]), rows, i);
    for (const [n, decision] of decisions) this.#decide(n, decision);
    for (const [n, refusal] of refusals) this.#refusals[n] = refusal;
    if (head !== undefined) this.#take(head);
    for (const id of gone) this.#drop(id);
  }

  /** Undefined before the first frame. COST: O(changes + running attempts). */
  grown(): Grown | undefined {
    const head = this.#head;
    if (head === undefined) return undefined;
    const { endsAt } = this.#now;
    for (const i of this.#running) {
      this.#columns.endedAt[i] = Math.round(endsAt);
      this.#columns.heardAt[i] = Math.round(endsAt);
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
      columns: COLUMNS.filter((name) => {
        if (name === "score") return this.#has.score;
        return name === "heardAt" ? this.#has.silence : !NEVER.has(name);
      }),
    };
  }

  #attempts(): AttemptTable {
    const length = this.#count;
    return {
      length,
      ...columnsOf((name) => this.#columns[name].subarray(0, length)),
      ...(this.#has.curves && { curves: this.#curves.subarray(0, CURVE_POINTS * length) }),
    };
  }

  #set(id: number, { columns, curves }: Rows, n: number): void {
    const known = this.#index[id] ?? -1;
    const i = known < 0 ? this.#add(id) : known;
    for (const name of GIVEN) this.#columns[name][i] = cell(columns[name][n]);
    this.#columns.heardAt[i] = columns.endedAt[n]! - columns.silentMs[n]!;
    const lane = cell(columns.lane[n]);
    this.#lanes[i] = lane;
    this.#columns.row[i] = this.#head?.lanes[lane] ?? 0;
    for (let point = 0; point < CURVE_POINTS; point++) {
      const ms = cell(curves[CURVE_POINTS * n + point]);
      this.#curves[CURVE_POINTS * i + point] = ms;
      if (!Number.isNaN(ms)) this.#has.curves = true;
    }
    if (!Number.isNaN(cell(columns.score[n]))) this.#has.score = true;
    if (columns.silentMs[n]! > 0) this.#has.silence = true;
    if (columns.end[n] === CUT_OFF) this.#running.add(i);
    else this.#running.delete(i);
    this.#changed.add(i);
  }

  #add(id: number): number {
    const i = this.#count++;
    if (id >= this.#index.length) this.#index = longer(this.#index, 2 * id, -1);
    this.#index[id] = i;
    if (i >= this.#lanes.length) this.#grow(2 * i);
    for (const n of this.#early.get(id) ?? []) {
      const decision = this.#decisions[n];
      if (decision !== undefined) this.#decisions[n] = { ...decision, attempt: i };
    }
    this.#early.delete(id);
    return i;
  }

  #decide(n: number, decision: Decision): void {
    const { attempt: id } = decision;
    const attempt = this.#index[id] ?? -1;
    this.#decisions[n] = { ...decision, attempt };
    if (id >= 0 && attempt < 0) this.#early.set(id, [...(this.#early.get(id) ?? []), n]);
  }

  /** Rows may have been inserted between those that were known. */
  #take(head: LiveHead): void {
    const before = this.#head?.lanes ?? [];
    this.#head = head;
    const isSame = before.every((row, lane) => row === head.lanes[lane]);
    if (!isSame) this.isSeen = false;
    for (const i of isSame ? this.#changed : Array(this.#count).keys()) {
      this.#columns.row[i] = cell(head.lanes[cell(this.#lanes[i])]);
    }
  }

  /** The attempt never ran, which is rare. Later ones move up. COST: O(attempts). */
  #drop(id: number): void {
    const gone = this.#index[id] ?? -1;
    if (gone < 0) return;
    this.#index[id] = -1;
    this.isSeen = false;
    this.#count -= 1;
    for (const name of COLUMNS) this.#columns[name].copyWithin(gone, gone + 1);
    this.#lanes.copyWithin(gone, gone + 1);
    this.#curves.copyWithin(CURVE_POINTS * gone, CURVE_POINTS * (gone + 1));
    this.#index = this.#index.map((i) => (i > gone ? i - 1 : i));
    const running = [...this.#running].filter((i) => i !== gone);
    this.#running.clear();
    for (const i of running) this.#running.add(i > gone ? i - 1 : i);
    for (const [n, { attempt, ...decision }] of this.#decisions.entries()) {
      const moved = attempt === gone ? -1 : attempt > gone ? attempt - 1 : attempt;
      this.#decisions[n] = { ...decision, attempt: moved };
    }
  }

  #grow(size: number): void {
    this.#columns = columnsOf((name) => filled(size, this.#columns[name]));
    this.#curves = filled(size * CURVE_POINTS, this.#curves);
    this.#lanes = longer(this.#lanes, size, 0);
  }
}

function longer(values: Int32Array, size: number, filler: number): Int32Array {
  const larger = new Int32Array(size).fill(filler);
  larger.set(values);
  return larger;
}

function filled(size: number, values?: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size).fill(Number.NaN);
  if (values !== undefined) larger.set(values);
  return larger;
}
