import { cell } from "../../base/rows.ts";
import { type AttemptColumns, CURVE_POINTS, TRACE_ENDS } from "../../history/columns.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import type { AttemptTable } from "./document.ts";

/** A page of at most this many attempts has the curves of all. */
const WHOLE_MAX = 100_000;
/** Of larger pages, every tenth task has the curves of its attempts, whatever they were. */
const ONE_IN = 10;

const ORIGINAL = ATTEMPT_KINDS.indexOf("original");
const SUCCEEDED = TRACE_ENDS.indexOf("succeeded");

interface Source {
  readonly table: AttemptTable;
  /** The phases of the jobs, in the order of the table; `isExact`: of a job simulated whole. */
  readonly phases: readonly { readonly attempts: AttemptColumns; readonly isExact: boolean }[];
  readonly lateAbove: number;
  /** A live run keeps all curves, since it is not yet known which attempts will be late. */
  readonly isLive: boolean;
}

/** Curves, and the number of attempts whose curves a large page keeps. */
interface KeptCurves {
  readonly curves: Float32Array;
  readonly curvesKept?: number;
}

/**
 * Recorded curves are the largest part of a page, so they are kept in whole ms unless the page
 * simulates their whole job. Beyond 100,000 attempts a page keeps those of that job, of attempts
 * that were late, did not succeed, or have a copy beside them, and of every tenth task.
 */
export function keptCurves(
  { table, phases, lateAbove, isLive }: Source,
  wholeMax = WHOLE_MAX,
): KeptCurves {
  const curves = new Float32Array(CURVE_POINTS * table.length).fill(Number.NaN);
  const isWhole = isLive || table.length <= wholeMax;
  const copied = isWhole ? new Set<number>() : tasksWithCopies(table);
  const isKept = (row: number): boolean => {
    const took = cell(table.endedAt[row]) - cell(table.startedAt[row]) - (table.heldMs[row] || 0);
    return (
      cell(table.task[row]) % ONE_IN === 0 ||
      table.ends[row] !== SUCCEEDED ||
      took > lateAbove * cell(table.expectedMs[row]) ||
      copied.has(keyOf(table, row))
    );
  };
  let [first, kept] = [0, 0];
  for (const { attempts, isExact } of phases) {
    const { length, curves: own } = attempts;
    for (let at = 0; own !== undefined && at < length; at++) {
      if (!isWhole && !isExact && !isKept(first + at)) continue;
      kept += 1;
      const curve = own.subarray(CURVE_POINTS * at, CURVE_POINTS * (at + 1));
      curves.set(isExact ? curve : curve.map(Math.round), CURVE_POINTS * (first + at));
    }
    first += length;
  }
  return isWhole ? { curves } : { curves, curvesKept: kept };
}

type Tasks = Pick<AttemptTable, "phase" | "task">;

/** A number for each task of a page: no phase has as many tasks. */
const keyOf = ({ phase, task }: Tasks, n: number): number =>
  cell(phase[n]) * 0x8000_0000 + cell(task[n]);

function tasksWithCopies(table: AttemptTable): Set<number> {
  const found = new Set<number>();
  for (const [row, kind] of table.kinds.entries()) {
    if (kind !== ORIGINAL) found.add(keyOf(table, row));
  }
  return found;
}
