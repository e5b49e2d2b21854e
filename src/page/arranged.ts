import { cell } from "../base/rows.ts";
import type { AttemptTable, PageHead } from "../report/page/document.ts";
import type { Bars } from "./raster.ts";

/** What the timeline's rows are. */
export const ROWS_BY = ["slot", "task", "phase"] as const;
export type RowsBy = (typeof ROWS_BY)[number];

/** Rows under one name: a node's, a task's or a phase's. */
export interface Block {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** Index into the nodes; -1 if the rows belong to no node. */
  readonly node: number;
  /** The rack or phase whose name neighbours share where there is no room for their own names. */
  readonly group: string;
}

/** The attempts in rows; bars of a row do not overlap. */
export interface Arranged {
  readonly by: RowsBy;
  readonly count: number;
  /** The row of each attempt, and its place among the bars. */
  readonly rowOf: ArrayLike<number>;
  readonly placeOf: ArrayLike<number>;
  /** The attempt of each bar. */
  readonly attemptAt: ArrayLike<number>;
  readonly bars: Bars;
  readonly blocks: readonly Block[];
}

/** The arrangement by slot of a growing page, which is extended instead of made again. */
export interface GrowingBars {
  /** Adds the attempts that are new, and updates those that changed. */
  grow(given: Given, changed: readonly number[]): void;
  arranged(given: Given): Arranged;
}

/** What is arranged. */
export interface Given {
  readonly head: PageHead;
  readonly attempts: AttemptTable;
  /** What each attempt shows. */
  readonly shows: Uint8Array;
  /** When the attempt's bar ends. */
  heardTo(i: number): number;
  /** When its expected time was over, if the attempt was late; else infinite. */
  lateFrom(i: number): number;
}

export function arranged(given: Given, by: RowsBy): Arranged {
  const { attempts } = given;
  if (by !== "slot") return inLanes(given, by);
  return finished(given, by, { rowOf: attempts.row, blocks: nodeBlocks(given.head) });
}

export function nodeBlocks({ rows, nodes }: PageHead): readonly Block[] {
  const blocks: Block[] = [];
  for (const [row, { node }] of rows.entries()) {
    const last = blocks.at(-1);
    if (last?.node === node) {
      blocks[blocks.length - 1] = { ...last, to: row + 1 };
      continue;
    }
    const { name = "unknown", rack = "" } = nodes[node] ?? {};
    blocks.push({ from: row, to: row + 1, name, node, group: rack });
  }
  return blocks;
}

/**
 * A block for each task or phase, in the order of their phases and first starts. Attempts that run
 * at the same time are in different rows of the block. COST: O(attempts * log(attempts)).
 */
function inLanes(given: Given, by: "task" | "phase"): Arranged {
  const { head, attempts } = given;
  const { phase, task, startedAt, endedAt, ordinal } = attempts;
  const order = Int32Array.from({ length: attempts.length }, (_, i) => i).sort(
    (a, b) =>
      value(phase, a) - value(phase, b) ||
      value(startedAt, a) - value(startedAt, b) ||
      value(ordinal, a) - value(ordinal, b),
  );
  const members = new Map<string, number[]>();
  for (const i of order) {
    const key = by === "phase" ? `${phase[i]}` : `${phase[i]} ${task[i]}`;
    const own = members.get(key);
    if (own === undefined) members.set(key, [i]);
    else own.push(i);
  }
  const rowOf = new Int32Array(attempts.length).fill(-1);
  const blocks: Block[] = [];
  let from = 0;
  for (const own of members.values()) {
    const byEnd = own.toSorted((a, b) => value(endedAt, a) - value(endedAt, b));
    const free: number[] = [];
    let [lanes, ended] = [0, 0];
    for (const i of own) {
      for (;;) {
        const other = byEnd[ended];
        if (other === undefined || !(value(endedAt, other) <= value(startedAt, i))) break;
        const row = cell(rowOf[other]);
        // An attempt of no length ends as it starts, when its row is not yet known.
        if (row < 0) break;
        free.push(row);
        ended += 1;
      }
      rowOf[i] = free.pop() ?? from + lanes++;
    }
    const [first = 0] = own;
    const group = nameOfPhase(head, value(phase, first));
    const name = by === "phase" ? group : `${group}/${task[first]}`;
    blocks.push({ from, to: from + lanes, name, node: -1, group });
    from += lanes;
  }
  return finished(given, by, { rowOf, blocks });
}

const value = (column: ArrayLike<number>, i: number): number => cell(column[i]);

function nameOfPhase({ phases, jobs }: PageHead, phase: number): string {
  const { name = "", job = 0 } = phases[phase] ?? {};
  return jobs.length > 1 ? `${jobs[job]?.name}/${name}` : name;
}

/** Bars by row and, within a row, by start. COST: O(attempts), since rows are short. */
function finished(
  given: Given,
  by: RowsBy,
  { rowOf, blocks }: Pick<Arranged, "rowOf" | "blocks">,
): Arranged {
  const { attempts, shows } = given;
  const { length, startedAt } = attempts;
  const count = blocks.at(-1)?.to ?? 0;
  const first = new Int32Array(count + 1);
  for (let i = 0; i < length; i++) first[cell(rowOf[i]) + 1]! += 1;
  for (let row = 0; row < count; row++) first[row + 1]! += first[row]!;
  const order = new Int32Array(length);
  const next = first.slice();
  for (let i = 0; i < length; i++) order[next[rowOf[i]!]!++] = i;
  for (let row = 0; row < count; row++) {
    const own = order.subarray(first[row], first[row + 1]);
    own.sort((a, b) => value(startedAt, a) - value(startedAt, b) || a - b);
  }
  const placeOf = new Int32Array(length);
  for (const [place, i] of order.entries()) placeOf[i] = place;
  const bars: Bars = {
    first,
    startedAt: Float64Array.from(order, (i) => value(startedAt, i)),
    endedAt: Float64Array.from(order, (i) => given.heardTo(i)),
    shows: Uint8Array.from(order, (i) => cell(shows[i])),
    lateFrom: Float64Array.from(order, (i) => given.lateFrom(i)),
  };
  return { by, count, rowOf, placeOf, attemptAt: order, bars, blocks };
}
